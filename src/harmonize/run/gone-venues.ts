import { execute, prepared, queryRow, rawSql, type Sql, sql } from "../../db/sql.ts";
import type { Harmonizer } from "./deps.ts";
import type { Reason } from "./problems/reasons.ts";
import { HAS_CHANGED, type ListingId, OUTCOME } from "./rows.ts";
import { isShownAt, listingsOf } from "./venue-holders.ts";
import { NOW_MATCHED, writeDecisions } from "./write-decisions.ts";

type Deps = Pick<Harmonizer, "pool" | "directoryUrl">;

/**
 * SQL: whether the directory said that it no longer has a venue, and has not shown it since. What accepts a venue without asking the
 * directory about it asks this; and what writes an answer that the directory may have given before the venue went.
 *
 * @param venue SQL of its id; null is not gone
 * @param run SQL of the file's id
 */
export const isGone = (venue: Sql, run: string | Sql): Sql => sql`EXISTS (SELECT FROM app.gone_venue g
  WHERE g.directory = (SELECT directory FROM app.harmonization WHERE id = ${run}::uuid) AND g.venue_id = ${venue})`;

/** Rows that one statement takes them from: one for all would time out, and leave nothing done. */
const PORTION = 500;

/**
 * Notes that the directory no longer has these venues, and then takes them from the candidates of all files, some rows at a time. What was
 * done stays if a portion fails; repeating it does the rest.
 *
 * @param besides id of a file that is left as it is
 * @param areDeleted whether they were deleted here just now: rows that came to hold one meanwhile are undecided again and say why.
 *   Otherwise such rows stay as people know them
 * @param most portions; those who cannot wait leave the rest, which only shows candidates that nothing accepts any more
 * @param portion rows
 * @returns how many rows are undecided again
 */
export async function noteGone(
  db: Deps,
  venueIds: readonly string[],
  { besides, areDeleted = false, most = Infinity, portion = PORTION }: Taking = {},
): Promise<number> {
  if (venueIds.length === 0) return 0;
  await execute(db)`
    INSERT INTO app.gone_venue (directory, venue_id)
    SELECT ${db.directoryUrl}, id FROM unnest(${venueIds}::text[]) AS id ORDER BY id ON CONFLICT DO NOTHING`;
  let undecided = 0;
  let last: ListingId | undefined;
  for (let portions = 0; portions < most; portions++) {
    const taken = await takePortion(db, venueIds, { besides, areDeleted, portion, last });
    undecided += taken.undecided;
    if (!taken.last || taken.found < portion) break;
    last = taken.last;
  }
  return undecided;
}

interface Taking {
  besides?: string;
  areDeleted?: boolean;
  most?: number;
  portion?: number;
}

interface Portion {
  found: number;
  undecided: number;
  last: ListingId | null;
}

// The rows after `last`, locked in their order, so that two of these wait for each other but never in a circle. The values of `l` are
// those after a decision that this has waited for: it takes back one for such a venue, and leaves any other. The times change, so that
// nobody decides for the next candidate who has seen this one.
async function takePortion(
  db: Deps,
  venueIds: readonly string[],
  {
    besides,
    areDeleted,
    portion,
    last,
  }: { besides: string | undefined; areDeleted: boolean; portion: number; last: ListingId | undefined },
): Promise<Portion> {
  const directory = db.directoryUrl;
  const isAfter = last ? sql`(l.harmonization_id, l.number) > (${last.id}::uuid, ${last.number}::int)` : sql`true`;
  const isTaken = areDeleted ? sql`true` : sql`NOT ${HOLDS}`;
  const taken = await queryRow<Portion>(db)`
    WITH found AS MATERIALIZED (
      SELECT l.harmonization_id, l.number, l.venue_id, l.best_id, l.decision, l.status, l.is_clear, l.score, l.edition
        FROM (${listingsOf(venueIds)}) l WHERE ${isAfter}),
    due AS MATERIALIZED (
      SELECT l.harmonization_id, l.number, coalesce(l.venue_id, l.best_id) AS venue
        FROM found l JOIN app.harmonization h ON h.id = l.harmonization_id
       WHERE h.id IS DISTINCT FROM ${besides ?? null}::uuid AND ${isShownAt(directory)} AND ${isTaken}
       ORDER BY l.harmonization_id, l.number LIMIT ${portion}),
    gone AS MATERIALIZED (
      SELECT l.harmonization_id, l.number, due.venue,
             (SELECT coalesce(jsonb_agg(c ORDER BY at), '[]') FROM jsonb_array_elements(l.candidates) WITH ORDINALITY e(c, at)
               WHERE NOT EXISTS (SELECT FROM app.gone_venue g WHERE g.directory = ${directory} AND g.venue_id = c->>'id')) AS candidates
        FROM due JOIN app.listing l ON l.harmonization_id = due.harmonization_id AND l.number = due.number
       ORDER BY due.harmonization_id, due.number FOR UPDATE OF l),
    taken AS (${withoutVenue(isTaken)})
    SELECT (SELECT count(*) FROM due)::int AS found, (SELECT count(*) FROM taken WHERE undecided)::int AS undecided,
           (SELECT jsonb_build_object('id', harmonization_id, 'number', number) FROM due
             ORDER BY harmonization_id DESC, number DESC LIMIT 1) AS last`;
  return taken ?? { found: 0, undecided: 0, last: null };
}

const WHY: Reason = { code: "venue_deleted" };

const HOLDS = sql`(${OUTCOME} = 'matched')`;
const unlessHeld = (column: string): Sql => sql`CASE WHEN NOT ${HOLDS} THEN l.${rawSql(column)} END`;

/** SQL: takes their venue from listings `gone`. Who held it is undecided again. */
const withoutVenue = (isTaken: Sql): Sql =>
  writeDecisions({
    run: sql`d.harmonization_id`,
    rows: sql`gone d JOIN app.harmonization h ON h.id = d.harmonization_id`,
    where: sql`coalesce(l.venue_id, l.best_id) = d.venue AND ${isTaken}`,
    decision: {
      decision: unlessHeld("decision"),
      decidedHow: unlessHeld("decided_how"),
      decidedBy: unlessHeld("decided_by"),
      decidedAt: sql`CASE WHEN ${HOLDS} THEN now() ELSE l.decided_at END`,
      why: sql`CASE WHEN ${HOLDS} THEN ${JSON.stringify(WHY)}::jsonb ELSE l.why END`,
    },
    also: [
      ...["problem", "annotated_at", "annotation_problem"].map(
        (column) => sql`${rawSql(column)} = ${unlessHeld(column)}`,
      ),
      NOW_MATCHED,
      sql`is_clear = false`,
      sql`candidates = d.candidates`,
      sql`best_id = d.candidates->0->>'id'`,
      sql`score = CASE WHEN NOT ${HAS_CHANGED} THEN (d.candidates->0->>'score')::real END`,
      sql`pattern = CASE WHEN l.best_id = d.candidates->0->>'id' THEN l.pattern END`,
    ],
    returning: sql`l.why->>'code' = ${WHY.code} AND l.decided_at = now()::timestamptz(3) AS undecided`,
  });

/** Notes that the directory has these venues: a deletion may have been reverted. */
export async function noteFound(db: Deps, venueIds: readonly string[]): Promise<void> {
  if (venueIds.length === 0) return;
  await execute(prepared(db))`
    DELETE FROM app.gone_venue WHERE directory = ${db.directoryUrl} AND venue_id = ANY (${venueIds})`;
}
