import { queryRows, type Sql, sql } from "../../db/sql.ts";
import type { Harmonizer } from "./deps.ts";
import { OUTCOME } from "./rows.ts";

/** Who needs a venue: rows of files that are matched with it, by a decision or by their score, or were added as it. */
interface Holders {
  rows: number;
  /** Ids of their lists. */
  lists: string[];
}

type Deps = Pick<Harmonizer, "pool" | "directoryUrl">;

/**
 * SQL: the listings of all files that are matched with one of some venues, an array of ids, or else have it as their best candidate.
 * Use it as a materialized table: joined, PostgreSQL reads an index for each file instead, 0.6 s for a million listings in 20 files.
 */
export const listingsOf = (venueIds: readonly string[]): Sql =>
  sql`SELECT l.* FROM app.listing l WHERE l.venue_id = ANY (${venueIds}::text[])
  UNION ALL SELECT l.* FROM app.listing l WHERE (l.venue_id IS NULL AND l.best_id = ANY (${venueIds}::text[]))`;

/** SQL: whether a file `h` of a directory exists for its people. */
export const isShownAt = (directory: string): Sql =>
  sql`(h.directory = ${directory} AND h.state NOT IN ('uploading', 'deleting'))`;

/**
 * Returns who holds which of the venues in the files of everybody at this directory. Whatever deletes or merges venues asks it first, says so,
 * and leaves alone what is held (attacks F78, F141).
 *
 * @param except SQL of files `h` that do not count: those for which it is asked
 */
export async function holdersOf(db: Deps, venueIds: readonly string[], except: Sql): Promise<Map<string, Holders>> {
  if (venueIds.length === 0) return new Map();
  const rows = await queryRows<Holders & { venueId: string }>(db)`
    WITH l AS MATERIALIZED (${listingsOf(venueIds)})
    SELECT coalesce(l.venue_id, l.best_id) AS "venueId", count(*)::int AS rows, array_agg(DISTINCT h.list_id::text) AS lists
      FROM l JOIN app.harmonization h ON h.id = l.harmonization_id
     WHERE ${OUTCOME} = 'matched' AND NOT ${except} AND ${isShownAt(db.directoryUrl)}
     GROUP BY 1`;
  return new Map(rows.map(({ venueId, ...holders }) => [venueId, holders]));
}

/** How many venues are held, by how many rows, and by which lists. */
export interface Held extends Holders {
  venues: number;
}

/** Adds up who holds some venues. */
export const heldIn = (holders: Iterable<Holders>, before: Held = { venues: 0, rows: 0, lists: [] }): Held =>
  [...holders].reduce<Held>(
    ({ venues, rows, lists }, each) => ({
      venues: venues + 1,
      rows: rows + each.rows,
      lists: [...new Set([...lists, ...each.lists])],
    }),
    before,
  );
