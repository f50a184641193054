import { queryRows } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { firstColumn, MATCHED_VENUE, OUTCOME, type Outcome } from "../run/rows.ts";

export interface ConflictListing {
  number: number;
  ownId: string | null;
  name: string;
  outcome: Outcome;
  venueId: string | null;
  venueName: string | null;
  /** The attribution of the venue's source. */
  credit: string | null;
}

export async function loadListings(
  { pool }: Pick<Harmonizer, "pool">,
  { id, columns }: Pick<Harmonization, "id" | "columns">,
  numbers: number[],
): Promise<Map<number, ConflictListing>> {
  if (numbers.length === 0) return new Map();
  const rows = await queryRows<ConflictListing>(pool)`
    SELECT number, "ownId", coalesce(nullif(name, ''), 'Listing ' || number) AS name, outcome,
          CASE WHEN outcome = 'matched' THEN venue END AS "venueId",
          CASE WHEN outcome = 'matched' THEN coalesce(venue_name, (SELECT c ->> 'name'
            FROM jsonb_array_elements(candidates) AS c WHERE c ->> 'id' = venue LIMIT 1)) END AS "venueName",
          CASE WHEN outcome = 'matched' THEN coalesce((SELECT c ->> 'credit'
            FROM jsonb_array_elements(candidates) AS c WHERE c ->> 'id' = venue LIMIT 1), why ->> 'credit') END AS credit
     FROM (SELECT l.number, l.own_id AS "ownId", coalesce(l.query ->> 'name', l.cells[${firstColumn(columns, "name")}]) AS name, ${OUTCOME} AS outcome,
                  ${MATCHED_VENUE} AS venue, l.venue_name, l.candidates, l.why
             FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id
            WHERE l.harmonization_id = ${id} AND l.number = ANY(${numbers}::int[])) AS l`;
  return new Map(rows.map((row) => [row.number, row]));
}

export const listingsOf = (numbers: number[], known: Map<number, ConflictListing>): ConflictListing[] =>
  numbers.toSorted((a, b) => a - b).flatMap((number) => known.get(number) ?? []);
