import type { PoolClient } from "pg";
import { derivedFrom, type Row } from "../corrections/values.ts";
import { COLUMNS } from "./venue-row.ts";

const KEPT = [...COLUMNS.filter((name) => name !== "id"), "closed_at"];

/** Gives venues of the table `incoming` the values that people edited, unless that was reverted, so that no import undoes them. */
export async function keepEdits(client: PoolClient, ids: readonly string[]): Promise<void> {
  const { rows: edited } = await client.query<{ id: string; columns: string[] }>(
    `SELECT venue_id AS id, array_agg(DISTINCT key) AS columns
       FROM directory.venue_change c, jsonb_object_keys(c.after) AS key
      WHERE venue_id = ANY ($1) AND kind = 'edited' AND reverted_at IS NULL GROUP BY venue_id`,
    [ids],
  );
  if (edited.length === 0) return;
  const { rows } = await client.query<{ id: string; row: Row }>(
    "SELECT id, to_jsonb(v) AS row FROM directory.venue v WHERE id = ANY ($1)",
    [edited.map(({ id }) => id)],
  );
  const venues = new Map(rows.map(({ id, row }) => [id, row]));
  const kept = edited.map(({ id, columns }) => {
    const names = [...columns, ...derivedFrom(columns)];
    return { id, kept: Object.fromEntries(names.map((name) => [name, venues.get(id)?.[name]])) };
  });
  await client.query(
    `UPDATE incoming i SET (${KEPT.join(", ")}) =
       (SELECT ${KEPT.map((name) => `r.${name}`).join(", ")} FROM jsonb_populate_record(i, k.kept) r)
       FROM jsonb_to_recordset($1) AS k (id text, kept jsonb) WHERE i.id = k.id`,
    [JSON.stringify(kept)],
  );
}
