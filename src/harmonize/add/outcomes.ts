import type { Venue } from "../../contract/resources.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { storable } from "../../shared/storable.ts";
import { assess, reasonsOf } from "../run/candidates.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Deps } from "../run/long-task.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { WAS_REJECTED, whyAdded } from "./rows.ts";
import type { BegunAdd } from "./rules.ts";

type Database = Pick<Deps, "pool">;

/** A listing of the file of the run that adds. */
interface Numbered {
  number: number;
}

export interface Claimed extends Numbered {
  add: Omit<BegunAdd, "since">;
}

/** Claims listings before the call, like claimAdd(), unless the run is paused or another's. Returns the numbers claimed. */
export async function claimAdds(
  { pool }: Database,
  id: string,
  runner: string,
  claims: readonly Claimed[],
): Promise<Set<number>> {
  const { rows } = await pool.query<Numbered>({
    name: "claim-adds",
    text: `WITH h AS (SELECT id FROM app.harmonization WHERE id = $1 AND state = 'adding' AND paused_for IS NULL
                         AND task->>'runner' = $2 FOR SHARE)
      UPDATE app.listing l SET adding = c.add || jsonb_build_object('since', now())
        FROM h, jsonb_to_recordset($3::jsonb) AS c(number int, add jsonb)
       WHERE l.harmonization_id = h.id AND l.number = c.number AND l.adding IS NULL
         AND (l.decision IS NULL OR l.decision = 'rejected') RETURNING l.number`,
    values: [id, runner, JSON.stringify(claims)],
  });
  return new Set(rows.map(({ number }) => number));
}

/** Ends adds that certainly made nothing. */
export async function clearAdds({ pool }: Database, id: string, adds: readonly Claimed[]): Promise<void> {
  if (adds.length === 0) return;
  await pool.query({
    name: "clear-adds",
    text: `UPDATE app.listing l SET adding = NULL FROM unnest($2::int[], $3::text[]) AS c(number, key)
            WHERE l.harmonization_id = $1 AND l.number = c.number AND l.adding->>'key' = c.key`,
    values: [id, adds.map(({ number }) => number), adds.map(({ add }) => add.key)],
  });
}

export interface Made extends Claimed {
  venue: Venue;
}

/** Returns the numbers written: not those that were decided otherwise meanwhile. */
export async function commitAdds(
  { pool }: Database,
  id: string,
  accountId: string,
  made: readonly Made[],
): Promise<Set<number>> {
  if (made.length === 0) return new Set();
  const { rows } = await pool.query<Numbered>({
    name: "commit-adds",
    text: `UPDATE app.listing l SET decision = 'added', venue_id = m.venue, venue_name = m.name, decided_how = 'many',
             decided_by = $2, decided_at = now(), why = m.why || ${WAS_REJECTED}, problem = NULL, adding = NULL, locked_by = NULL, locked_until = NULL
           FROM unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::jsonb[]) AS m(number, key, venue, name, why)
          WHERE l.harmonization_id = $1 AND l.number = m.number AND l.adding->>'key' = m.key
            AND (l.decision IS NULL OR l.decision = 'rejected') RETURNING l.number`,
    values: [
      ...[id, accountId],
      ...[made.map(({ number }) => number), made.map(({ add }) => add.key)],
      ...[made.map(({ venue }) => storable(venue.id)), made.map(({ venue }) => storable(venue.name))],
      made.map(({ venue }) => JSON.stringify(whyAdded("many", venue))),
    ],
  });
  return new Set(rows.map(({ number }) => number));
}

export interface Failed extends Numbered {
  problem: Problem;
}

export async function failAdds({ pool }: Database, id: string, failed: readonly Failed[]): Promise<void> {
  if (failed.length === 0) return;
  await pool.query({
    name: "fail-adds",
    text: `UPDATE app.listing l SET problem = f.problem || jsonb_build_object('at', now())
             FROM jsonb_to_recordset($2::jsonb) AS f(number int, problem jsonb)
            WHERE l.harmonization_id = $1 AND l.number = f.number AND (l.decision IS NULL OR l.decision = 'rejected')`,
    values: [id, JSON.stringify(failed)],
  });
}

export interface Alike extends Numbered {
  found: FoundVenues & { venues: [Venue, ...Venue[]] };
}

/** Returns those of the venues that this file added. */
export async function ownVenues({ pool }: Database, id: string, venueIds: readonly string[]): Promise<Set<string>> {
  if (venueIds.length === 0) return new Set();
  const { rows } = await pool.query<{ venueId: string }>({
    name: "own-venues",
    text: `SELECT DISTINCT venue_id AS "venueId" FROM app.listing
            WHERE harmonization_id = $1 AND venue_id = ANY ($2) AND decision = 'added'`,
    values: [id, venueIds],
  });
  return new Set(rows.map(({ venueId }) => venueId));
}

const ASSESSED = `status = 'asked', matched_at = now(), is_clear = a."isClear" AND NOT ${isGone('a."bestId"', "l.harmonization_id")}, best_id = a."bestId",
  candidates = a.candidates, pattern = a.pattern`;
const ASSESSMENT = `number int, score float8, "isClear" bool, "bestId" text, candidates jsonb, pattern text`;

/** Matches listings with the first of the venues found. */
export async function matchMany(
  { pool }: Database,
  id: string,
  accountId: string,
  alike: readonly Alike[],
): Promise<void> {
  if (alike.length === 0) return;
  const rows = alike.map(({ number, found }) => {
    const [{ id: venue, name, evidence = [] }] = found.venues;
    const why: Reason = { code: "found_before_adding", said: reasonsOf({ evidence }).map((each) => storable(each)) };
    return { number, venue, name: storable(name), why, ...assess(found) };
  });
  await pool.query({
    name: "match-many",
    text: `UPDATE app.listing l SET decision = 'matched', venue_id = a.venue, venue_name = a.name, decided_how = 'many',
             decided_by = $2, decided_at = now(), why = a.why, score = a.score, ${ASSESSED}
           FROM jsonb_to_recordset($3::jsonb) AS a(venue text, name text, why jsonb, ${ASSESSMENT})
          WHERE l.harmonization_id = $1 AND l.number = a.number AND l.adding IS NULL
            AND (l.decision IS NULL OR l.decision = 'rejected') AND NOT ${isGone("a.venue", "$1")}`,
    values: [id, accountId, JSON.stringify(rows)],
  });
}

// A score below the cut is dropped, so that no cut keeps the listing out of the review.
export async function reviewMany({ pool }: Database, id: string, alike: readonly Alike[]): Promise<void> {
  if (alike.length === 0) return;
  const rows = alike.map(({ number, found }) => ({ number, ...assess(found) }));
  await pool.query({
    name: "review-many",
    text: `UPDATE app.listing l SET score = CASE WHEN a.score::real >= h.review_from THEN a.score END, ${ASSESSED},
             decision = NULL, decided_how = NULL, decided_by = NULL, decided_at = NULL, why = NULL, problem = NULL, skipped_at = NULL
           FROM app.harmonization h, jsonb_to_recordset($2::jsonb) AS a(${ASSESSMENT})
          WHERE h.id = $1 AND l.harmonization_id = h.id AND l.number = a.number AND l.adding IS NULL
            AND (l.decision IS NULL OR l.decision = 'rejected')`,
    values: [id, JSON.stringify(rows)],
  });
}
