import { inStretches } from "../../db/bulk.ts";
import { type Db, execute, prepared, queryRows, type Sql, sql } from "../../db/sql.ts";
import { ADDABLE, ADDABLE_BY_ADDRESS, HELD_BACK, TO_ADD_BY_TASK } from "../add/many.ts";
import { keptSince, undoable, undoneSince } from "../add/undo-rows.ts";
import type { Copying, ReadSoFar } from "../file/read-watch.ts";
import type { Harmonizer } from "../run/deps.ts";
import { AT_WORK, type Harmonization, NAMES_NO_PLACE } from "../run/harmonizations.ts";
import { forget, recentResult, recentResultOf } from "../run/recent-result.ts";
import { OUTCOME, type Outcome } from "../run/rows.ts";

type Deps = Pick<Harmonizer, "pool">;

export interface Progress {
  state: Harmonization["state"];
  pausedFor: Harmonization["pausedFor"];
  retryAt: Date | null;
  /** Listings of the current work; while reading, an estimate, at first 0. */
  total: number;
  done: number;
  counts: Record<Outcome, number>;
  failed: number;
  /** Without a match: those that can be added in bulk, with a position or one estimated from the address, and those that lack one. */
  addable: number;
  addableByAddress: number;
  unplaced: number;
  /** Those that an add has found at doubtful positions. */
  heldBack: number;
  /** Failed listings with a query, and those a killed retry left pending. */
  retryable: number;
  /** Failed listings that name no place, or one that the directory has refused. */
  townless: number;
  /** Matched, with an own id that the directory lacks; `unwritten`: those it rejected. */
  annotatable: number;
  unwritten: number;
  /** Added lately: the directory may delete their venues again. */
  undoable: number;
  kept: number;
  perSecond: number | undefined;
  secondsLeft: number | undefined;
  /** False before the first count: all numbers are then 0. */
  isCounted: boolean;
  /** Seconds since the count, if not recent. */
  countedAgo: number | undefined;
  hasWorker: boolean;
}

/** Counts at work, and of large harmonizations, come from recentResult(): they may be old, or missing after `waitMs`. */
export async function progressOf(
  { pool }: Deps,
  h: Harmonization,
  { waitMs }: { waitMs?: number } = {},
): Promise<Progress> {
  const { state, pausedFor, retryAt } = h;
  const isAtWork = AT_WORK.some((each) => each === state);
  const once = async () => ({ tally: await count(pool, h), perSecond: undefined });
  const [{ value, age }, hasWorker] = await Promise.all([
    isAtWork ? follow(pool, h, waitMs) : recentResultOf<Counted>(pool, h, "tally", once, waitMs),
    anyWorker(pool),
  ]);
  const { tally = state === "reading" ? readSoFar(h) : NOTHING, perSecond } = value ?? {};
  const secondsLeft = perSecond ? (tally.total - tally.done) / perSecond : undefined;
  const countedAgo = age >= OLD_MS ? age / 1000 : undefined;
  const about = { isCounted: value !== undefined, countedAgo, hasWorker };
  return { ...tally, ...about, state, pausedFor, retryAt, failed: tally.counts.failed, perSecond, secondsLeft };
}

/** Counts by outcome for a list of files. They may be seconds old, and are undefined if none are there within `waitMs`. */
export async function countsOf({ pool }: Deps, h: Harmonization, waitMs: number): Promise<Tally["counts"] | undefined> {
  if (h.state === "reading" || h.listingCount === 0) return undefined;
  const key = JSON.stringify([h.id, "counts", h.state, h.acceptFrom, h.reviewFrom]);
  return (await recentResult<Tally>(pool, key, () => count(pool, h), { isLong: true, waitMs })).value?.counts;
}

/** Counts by outcome now. */
export const exactCounts = async ({ pool }: Deps, h: Harmonization): Promise<Tally["counts"]> =>
  (await count(pool, h)).counts;

type Tally = Pick<
  Progress,
  | "total"
  | "done"
  | "counts"
  | "addable"
  | "addableByAddress"
  | "unplaced"
  | "heldBack"
  | "retryable"
  | "townless"
  | "annotatable"
  | "unwritten"
  | "undoable"
  | "kept"
>;

interface Counted {
  tally: Tally;
  perSecond: number | undefined;
}

const NOTHING: Tally = {
  total: 0,
  done: 0,
  addable: 0,
  addableByAddress: 0,
  unplaced: 0,
  heldBack: 0,
  retryable: 0,
  townless: 0,
  annotatable: 0,
  unwritten: 0,
  undoable: 0,
  kept: 0,
  counts: { pending: 0, matched: 0, review: 0, none: 0, failed: 0 },
};

const OLD_MS = 10_000;

interface Followed extends Counted {
  samples: { at: number; done: number }[];
}

const SPEED_OVER_MS = 15_000;

// A paused harmonization has no speed, and its earlier speed predicts nothing.
function follow(pool: Deps["pool"], h: Harmonization, waitMs: number | undefined) {
  const isStill = h.pausedFor !== null || (h.retryAt !== null && h.retryAt.getTime() > Date.now());
  const key = `${h.id} ${h.state}`;
  if (!isStill)
    return recentResult<Followed>(pool, key, (before) => measure(pool, h, before?.samples), { isLong: true, waitMs });
  forget(pool, key);
  return recentResult<Followed>(pool, `${key} still`, () => measure(pool, h), { isLong: true, waitMs });
}

async function measure(pool: Deps["pool"], h: Harmonization, before: Followed["samples"] = []): Promise<Followed> {
  const tally = await count(pool, h);
  const at = performance.now();
  const samples = [...before, { at, done: tally.done }];
  // Keeps one older sample to measure from.
  while (samples[1] && samples[1].at <= at - SPEED_OVER_MS) samples.shift();
  const [from] = samples;
  const seconds = from ? (at - from.at) / 1000 : 0;
  const perSecond = from && seconds > 0 ? Math.max(0, (tally.done - from.done) / seconds) : undefined;
  return { tally, perSecond, samples };
}

const STRETCH = 50_000;

async function count(db: Db, h: Harmonization): Promise<Tally> {
  const { id, state, listingCount } = h;
  if (state === "reading") return readSoFar(h);
  const { counts: none, ...zero } = NOTHING;
  const tally = { ...zero };
  const counts = { ...none };
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    const rows = await queryRows<typeof tally & { outcome: Outcome; listings: number }>(db)`${countStatement(state)}
      WHERE h.id = ${id} AND l.number > ${after} AND l.number <= ${upTo} GROUP BY outcome`;
    for (const { outcome, listings, ...row } of rows) {
      counts[outcome] += listings;
      for (const name of Object.keys(tally) as (keyof typeof tally)[]) tally[name] += row[name];
    }
  });
  return { ...tally, counts };
}

function readSoFar({ task, size }: Harmonization): Tally {
  const { rows = 0, bytes = 0, total } = (task as Partial<ReadSoFar & Copying> | null) ?? {};
  const share = Math.min(1, bytes / Math.max(1, Number(size)));
  return { ...NOTHING, total: total ?? (share > 0 ? Math.round(rows / share) : 0), done: rows };
}

function countStatement(state: Harmonization["state"]): Sql {
  const { wanted, done } = WORK[state] ?? MATCHING;
  return sql`SELECT ${OUTCOME} AS outcome, count(*)::int AS listings, count(*) FILTER (WHERE ${wanted})::int AS total,
            count(*) FILTER (WHERE ${wanted} AND ${done})::int AS done,
            count(*) FILTER (WHERE ${ADDABLE})::int AS addable, count(*) FILTER (WHERE ${UNPLACED})::int AS unplaced,
            count(*) FILTER (WHERE ${ADDABLE_BY_ADDRESS})::int AS "addableByAddress",
            count(*) FILTER (WHERE ${HELD_BACK})::int AS "heldBack",
            count(*) FILTER (WHERE ${RETRYABLE})::int AS retryable, count(*) FILTER (WHERE ${TOWNLESS})::int AS townless,
            count(*) FILTER (WHERE ${WITH_ID} AND NOT (${TRIED} AND l.annotation_problem IS NULL))::int AS annotatable,
            count(*) FILTER (WHERE ${WITH_ID} AND ${TRIED} AND l.annotation_problem IS NOT NULL)::int AS unwritten,
            count(*) FILTER (WHERE ${undoable(sql`now()`)})::int AS undoable,
            count(*) FILTER (WHERE l.decided_how = 'kept')::int AS kept
       FROM app.harmonization h JOIN app.listing l ON l.harmonization_id = h.id`;
}

const RETRYABLE = sql`(l.status = 'failed' AND l.decision IS NULL AND l.query IS NOT NULL) OR (l.status = 'pending' AND h.state = 'ready')`;

const TOWNLESS = sql`l.status = 'failed' AND l.decision IS NULL
  AND (${NAMES_NO_PLACE} OR (l.query->'near' IS NOT NULL AND l.problem->>'code' = 'rejected'))`;

const UNPLACED = sql`${OUTCOME} = 'none' AND l.query->'ll' IS NULL AND NOT ${ADDABLE_BY_ADDRESS}`;

const WITH_ID = sql`(l.own_id <> '' AND (${OUTCOME}) = 'matched')`;
const TRIED = sql`coalesce(l.annotated_at >= greatest(l.decided_at, l.matched_at), false)`;

const MATCHING = { wanted: sql`true`, done: sql`l.status <> 'pending'` };

const SINCE = sql`(h.task->>'since')::timestamptz`;

// SQL: the listings a state works on, and whether one is done.
const ADDED = sql`coalesce((l.decided_how = 'many' AND l.decided_at >= ${SINCE}) OR (l.decision IS NULL AND l.matched_at >= ${SINCE})
  OR (l.problem->>'at')::timestamptz >= ${SINCE}, false)`;
// An id that was refused before is tried again.
const ANSWERED = sql`coalesce(l.annotation_problem IS NULL OR l.annotated_at >= ${SINCE}, false)`;
const UNDONE = sql`(${undoneSince(SINCE)} OR ${keptSince(SINCE)})`;
const WORK: Partial<Record<Harmonization["state"], typeof MATCHING>> = {
  adding: { wanted: sql`(${ADDED} OR l.adding IS NOT NULL OR ${TO_ADD_BY_TASK})`, done: ADDED },
  annotating: { wanted: WITH_ID, done: sql`(${TRIED} AND ${ANSWERED})` },
  undoing: { wanted: sql`(${UNDONE} OR ${undoable(SINCE)})`, done: UNDONE },
};

export async function anyWorker(pool: Deps["pool"]): Promise<boolean> {
  const rowCount = await execute(prepared(pool))`
    SELECT FROM app.instance WHERE 'worker' = ANY(roles) AND problems = '{}' AND seen_at > now() - interval '30 seconds' LIMIT 1`;
  return rowCount === 1;
}
