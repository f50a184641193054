import type { Venue } from "../../contract/resources.ts";
import { type Db, execute, prepared, queryRows, sql } from "../../db/sql.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { storable } from "../../shared/storable.ts";
import { assess, reasonsOf } from "../run/candidates.ts";
import { isGone } from "../run/gone-venues.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { decidedNow, writeDecisions } from "../run/write-decisions.ts";
import { IS_OPEN, whyAdded, writeAdded } from "./rows.ts";
import type { BegunAdd } from "./rules.ts";

/** A listing of the file of the run that adds. */
interface Numbered {
  number: number;
}

export interface Claimed extends Numbered {
  add: Omit<BegunAdd, "since">;
}

/** Claims listings before the call, like claimAdd(), unless the run is paused or another's. Returns the numbers claimed. */
export async function claimAdds(db: Db, id: string, runner: string, claims: readonly Claimed[]): Promise<Set<number>> {
  const rows = await queryRows<Numbered>(prepared(db))`
    WITH h AS (SELECT id FROM app.harmonization WHERE id = ${id} AND state = 'adding' AND paused_for IS NULL
                  AND task->>'runner' = ${runner} FOR SHARE)
    UPDATE app.listing l SET adding = c.add || jsonb_build_object('since', now())
      FROM h, jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) AS c(number int, add jsonb)
     WHERE l.harmonization_id = h.id AND l.number = c.number AND l.adding IS NULL AND ${IS_OPEN} RETURNING l.number`;
  return new Set(rows.map(({ number }) => number));
}

/** Ends adds that certainly made nothing. */
export async function clearAdds(db: Db, id: string, adds: readonly Claimed[]): Promise<void> {
  if (adds.length === 0) return;
  const numbers = adds.map(({ number }) => number);
  const keys = adds.map(({ add }) => add.key);
  await execute(prepared(db))`
    UPDATE app.listing l SET adding = NULL FROM unnest(${numbers}::int[], ${keys}::text[]) AS c(number, key)
     WHERE l.harmonization_id = ${id} AND l.number = c.number AND l.adding->>'key' = c.key`;
}

export interface Made extends Claimed {
  venue: Venue;
}

/** Returns the numbers written: not those that were decided otherwise meanwhile. */
export async function commitAdds(db: Db, id: string, accountId: string, made: readonly Made[]): Promise<Set<number>> {
  if (made.length === 0) return new Set();
  const numbers = made.map(({ number }) => number);
  const keys = made.map(({ add }) => add.key);
  const ids = made.map(({ venue }) => storable(venue.id));
  const names = made.map(({ venue }) => storable(venue.name));
  const whys = made.map(({ venue }) => JSON.stringify(whyAdded("many", venue)));
  const rows = await queryRows<Numbered>(prepared(db))`
    ${writeAdded({
      run: id,
      how: "many",
      accountId,
      rows: sql`unnest(${numbers}::int[], ${keys}::text[], ${ids}::text[], ${names}::text[], ${whys}::jsonb[]) AS d(number, key, venue, name, why)`,
      where: sql`l.adding->>'key' = d.key AND ${IS_OPEN}`,
    })}`;
  return new Set(rows.map(({ number }) => number));
}

export interface Failed extends Numbered {
  problem: Problem;
}

export async function failAdds(db: Db, id: string, failed: readonly Failed[]): Promise<void> {
  if (failed.length === 0) return;
  await execute(prepared(db))`
    UPDATE app.listing l SET problem = f.problem || jsonb_build_object('at', now())
      FROM jsonb_to_recordset(${JSON.stringify(failed)}::jsonb) AS f(number int, problem jsonb)
     WHERE l.harmonization_id = ${id} AND l.number = f.number AND ${IS_OPEN}`;
}

export interface Alike extends Numbered {
  found: FoundVenues & { venues: [Venue, ...Venue[]] };
}

/** Returns those of the venues that this file added. */
export async function ownVenues(db: Db, id: string, venueIds: readonly string[]): Promise<Set<string>> {
  if (venueIds.length === 0) return new Set();
  const rows = await queryRows<{ venueId: string }>(prepared(db))`
    SELECT DISTINCT venue_id AS "venueId" FROM app.listing
     WHERE harmonization_id = ${id} AND venue_id = ANY (${venueIds}) AND decision = 'added'`;
  return new Set(rows.map(({ venueId }) => venueId));
}

const NOT_BEGUN = sql`l.adding IS NULL AND ${IS_OPEN}`;
const ASSESSED = [
  sql`status = 'asked'`,
  sql`matched_at = now()`,
  sql`is_clear = d."isClear" AND NOT ${isGone(sql`d."bestId"`, sql`l.harmonization_id`)}`,
  sql`best_id = d."bestId"`,
  sql`candidates = d.candidates`,
  sql`pattern = d.pattern`,
];
const ASSESSMENT = sql`number int, score float8, "isClear" bool, "bestId" text, candidates jsonb, pattern text`;

/** Matches listings with the first of the venues found. */
export async function matchMany(db: Db, id: string, accountId: string, alike: readonly Alike[]): Promise<void> {
  if (alike.length === 0) return;
  const rows = alike.map(({ number, found }) => {
    const [{ id: venue, name, evidence = [] }] = found.venues;
    const why: Reason = { code: "found_before_adding", said: reasonsOf({ evidence }).map((each) => storable(each)) };
    return { number, venue, name: storable(name), why, ...assess(found) };
  });
  await execute(prepared(db))`
    ${writeDecisions({
      run: id,
      rows: sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d(venue text, name text, why jsonb, ${ASSESSMENT})`,
      where: sql`${NOT_BEGUN} AND NOT ${isGone(sql`d.venue`, id)}`,
      decision: {
        decision: "matched",
        venueId: sql`d.venue`,
        venueName: sql`d.name`,
        why: sql`d.why`,
        decidedHow: "many",
        ...decidedNow(accountId),
      },
      also: [sql`score = d.score`, ...ASSESSED],
    })}`;
}

// A score below the cut is dropped, so that no cut keeps the listing out of the review.
export async function reviewMany(db: Db, id: string, alike: readonly Alike[]): Promise<void> {
  if (alike.length === 0) return;
  const rows = alike.map(({ number, found }) => ({ number, ...assess(found) }));
  await execute(prepared(db))`
    ${writeDecisions({
      run: id,
      rows: sql`app.harmonization h, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d(${ASSESSMENT})`,
      where: sql`h.id = l.harmonization_id AND ${NOT_BEGUN}`,
      decision: {},
      also: [
        sql`score = CASE WHEN d.score::real >= h.review_from THEN d.score END`,
        ...ASSESSED,
        sql`problem = NULL`,
        sql`skipped_at = NULL`,
      ],
    })}`;
}
