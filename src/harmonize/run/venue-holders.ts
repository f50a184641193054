import { queryRows, type Sql, sql } from "../../db/sql.ts";
import type { Harmonizer } from "./deps.ts";
import { OUTCOME } from "./rows.ts";

/** Who needs a venue: the rows that are matched with it, by a decision or by their score, or were added as it. */
export interface Holders {
  /** Files of the person who asks, the newest first. */
  files: { name: string; rows: number }[];
  /** Rows of other people's files, about which nothing else may be told. */
  others: number;
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
 * Returns who holds which of the venues in all files of everybody at this directory. The undo of adds asks it before it deletes them. Who takes
 * a proposal of a venue back, which nobody has approved, deletes it whoever holds it: the directory says only then which it was.
 *
 * @param besides id of the file for which it is asked, which does not count
 * @param accountId of the person who asks
 */
export async function holdersOf(
  db: Deps,
  venueIds: readonly string[],
  { besides, accountId }: { besides: string; accountId: string | null },
): Promise<Map<string, Holders>> {
  const holders = new Map<string, Holders>();
  if (venueIds.length === 0) return holders;
  const rows = await queryRows<{ venueId: string; name: string; isOwn: boolean; rows: number }>(db)`
    WITH l AS MATERIALIZED (${listingsOf(venueIds)})
    SELECT coalesce(l.venue_id, l.best_id) AS "venueId", h.name, coalesce(h.account_id = ${accountId}, false) AS "isOwn", count(*)::int AS rows
      FROM l JOIN app.harmonization h ON h.id = l.harmonization_id
     WHERE ${OUTCOME} = 'matched' AND h.id <> ${besides} AND ${isShownAt(db.directoryUrl)}
     GROUP BY 1, h.id ORDER BY h.created_at DESC, h.id`;
  for (const { venueId, name, isOwn, rows: count } of rows) {
    const known = holders.get(venueId) ?? { files: [], others: 0 };
    if (isOwn) known.files.push({ name, rows: count });
    else known.others += count;
    holders.set(venueId, known);
  }
  return holders;
}
