import type { QueryResult } from "pg";
import type { Harmonizer } from "./deps.ts";
import type { Reason } from "./problems/reasons.ts";
import { HAS_CHANGED, type ListingId, OUTCOME } from "./rows.ts";
import { isShownAt, listingsOf } from "./venue-holders.ts";

type Deps = Pick<Harmonizer, "pool" | "directoryUrl">;

/**
 * SQL: whether the directory said that it no longer has a venue, and has not shown it since. What accepts a venue without asking the
 * directory about it asks this; and what writes an answer that the directory may have given before the venue went.
 *
 * @param venue SQL of its id; null is not gone
 * @param run SQL of the file's id
 */
export const isGone = (venue: string, run: string): string => `EXISTS (SELECT FROM app.gone_venue g
  WHERE g.directory = (SELECT directory FROM app.harmonization WHERE id = ${run}) AND g.venue_id = ${venue})`;

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
  { pool, directoryUrl }: Deps,
  venueIds: readonly string[],
  { besides, areDeleted = false, most = Infinity, portion = PORTION }: Taking = {},
): Promise<number> {
  if (venueIds.length === 0) return 0;
  await pool.query({
    name: "note-gone",
    text: `INSERT INTO app.gone_venue (directory, venue_id) SELECT $1, id FROM unnest($2::text[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
    values: [directoryUrl, venueIds],
  });
  let undecided = 0;
  let last: ListingId | null = null;
  for (let portions = 0; portions < most; portions++) {
    const values: unknown[] = [
      directoryUrl,
      venueIds,
      besides ?? null,
      areDeleted,
      WHY,
      portion,
      last?.id,
      last?.number,
    ];
    const { rows }: QueryResult<Portion> = await pool.query({ name: "take-gone", text: TAKE, values });
    const [taken] = rows;
    undecided += taken?.undecided ?? 0;
    if (!taken || taken.found < portion) break;
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

/** Notes that the directory has these venues: a deletion may have been reverted. */
export async function noteFound({ pool, directoryUrl }: Deps, venueIds: readonly string[]): Promise<void> {
  if (venueIds.length === 0) return;
  await pool.query({
    name: "note-found",
    text: "DELETE FROM app.gone_venue WHERE directory = $1 AND venue_id = ANY ($2)",
    values: [directoryUrl, venueIds],
  });
}

const WHY: Reason = { code: "venue_deleted" };

const HOLDS = `(${OUTCOME} = 'matched')`;
const unlessHeld = (column: string): string => `CASE WHEN NOT ${HOLDS} THEN l.${column} END`;

// The rows after listing ($7, $8), locked in their order, so that two of these wait for each other but never in a circle. The values of `l`
// are those after a decision that this has waited for: it takes back one for such a venue, and leaves any other. The times change, so that
// nobody decides for the next candidate who has seen this one.
const TAKE = `WITH found AS MATERIALIZED (
    SELECT l.harmonization_id, l.number, l.venue_id, l.best_id, l.decision, l.status, l.is_clear, l.score, l.edition FROM (${listingsOf("$2")}) l
     WHERE $7::uuid IS NULL OR (l.harmonization_id, l.number) > ($7::uuid, $8::int)),
  due AS MATERIALIZED (
    SELECT l.harmonization_id, l.number, coalesce(l.venue_id, l.best_id) AS venue
      FROM found l JOIN app.harmonization h ON h.id = l.harmonization_id
     WHERE h.id IS DISTINCT FROM $3::uuid AND ${isShownAt("$1")} AND ($4 OR NOT ${HOLDS})
     ORDER BY l.harmonization_id, l.number LIMIT $6),
  gone AS MATERIALIZED (
    SELECT l.harmonization_id, l.number, due.venue,
           (SELECT coalesce(jsonb_agg(c ORDER BY at), '[]') FROM jsonb_array_elements(l.candidates) WITH ORDINALITY e(c, at)
             WHERE NOT EXISTS (SELECT FROM app.gone_venue g WHERE g.directory = $1 AND g.venue_id = c->>'id')) AS candidates
      FROM due JOIN app.listing l ON l.harmonization_id = due.harmonization_id AND l.number = due.number
     ORDER BY due.harmonization_id, due.number FOR UPDATE OF l),
  taken AS (
    UPDATE app.listing l SET decision = ${unlessHeld("decision")}, decided_how = ${unlessHeld("decided_how")},
           venue_id = NULL, venue_name = NULL, problem = ${unlessHeld("problem")},
           annotated_at = ${unlessHeld("annotated_at")}, annotation_problem = ${unlessHeld("annotation_problem")},
           decided_by = ${unlessHeld("decided_by")}, decided_at = CASE WHEN ${HOLDS} THEN now() ELSE l.decided_at END,
           why = CASE WHEN ${HOLDS} THEN $5::jsonb ELSE l.why END,
           matched_at = CASE WHEN l.decision IS NULL THEN now() ELSE l.matched_at END,
           is_clear = false, candidates = gone.candidates, best_id = gone.candidates->0->>'id',
           score = CASE WHEN NOT ${HAS_CHANGED} THEN (gone.candidates->0->>'score')::real END,
           pattern = CASE WHEN l.best_id = gone.candidates->0->>'id' THEN l.pattern END
      FROM gone JOIN app.harmonization h ON h.id = gone.harmonization_id
     WHERE l.harmonization_id = gone.harmonization_id AND l.number = gone.number
       AND coalesce(l.venue_id, l.best_id) = gone.venue AND ($4 OR NOT ${HOLDS})
    RETURNING l.why->>'code' = '${WHY.code}' AND l.decided_at = now()::timestamptz(3) AS undecided)
  SELECT (SELECT count(*) FROM due)::int AS found, (SELECT count(*) FROM taken WHERE undecided)::int AS undecided,
         (SELECT jsonb_build_object('id', harmonization_id, 'number', number) FROM due
           ORDER BY harmonization_id DESC, number DESC LIMIT 1) AS last`;
