import type { Harmonizer } from "./deps.ts";
import { AT_WORK, type Harmonization } from "./harmonizations.ts";
import { OUTCOME, type Outcome } from "./rows.ts";

type Deps = Pick<Harmonizer, "pool">;

export interface Progress {
  state: Harmonization["state"];
  pausedFor: Harmonization["pausedFor"];
  /** The directory is not called before. */
  retryAt: Date | null;
  /** Listings that are matched, added or annotated, whichever goes on; 0 while the file is being read. */
  total: number;
  /** Of them, those that have been dealt with. */
  done: number;
  counts: Record<Outcome, number>;
  /** `counts.failed`. */
  failed: number;
  /** Listings a second, lately; undefined while that is not known. */
  perSecond: number | undefined;
  /** At this speed. */
  secondsLeft: number | undefined;
  /** Whether a process that works on harmonizations has been seen in the last half minute. */
  hasWorker: boolean;
}

/**
 * How far it has come. While it is at work all who look share a count of a second ago, of a large one some seconds: counting
 * takes a tenth of the time at most.
 */
export async function progressOf({ pool }: Deps, h: Harmonization): Promise<Progress> {
  const { state, pausedFor, retryAt } = h;
  const isAtWork = AT_WORK.some((each) => each === state);
  const [{ total, done, counts, perSecond }, hasWorker] = await Promise.all([
    isAtWork ? follow(pool, h) : count(pool, h).then((tally) => ({ ...tally, perSecond: undefined })),
    anyWorker(pool),
  ]);
  const secondsLeft = perSecond ? (total - done) / perSecond : undefined;
  return { state, pausedFor, retryAt, total, done, counts, failed: counts.failed, perSecond, secondsLeft, hasWorker };
}

interface Tally {
  total: number;
  done: number;
  counts: Record<Outcome, number>;
}

interface Followed {
  tally: Promise<Tally & { perSecond: number | undefined }>;
  /** By performance.now(). */
  validUntil: number;
  /** What was counted before, and when: the newest last. */
  samples: { at: number; done: number }[];
}

const SPEED_OVER_MS = 15_000;
const AT_LEAST_MS = 1000;
const SHARE_OF_TIME = 0.1;
/** Nobody has looked for so long. */
const FORGET_MS = 60_000;

const followed = new WeakMap<Deps["pool"], Map<string, Followed>>();

function follow(pool: Deps["pool"], h: Harmonization): Followed["tally"] {
  const known = followed.get(pool) ?? new Map<string, Followed>();
  followed.set(pool, known);
  const now = performance.now();
  for (const [key, { validUntil }] of known) if (validUntil < now - FORGET_MS) known.delete(key);
  const key = `${h.id} ${h.state}`;
  const last = known.get(key);
  if (last && now < last.validUntil) return last.tally;
  const samples = last?.samples ?? [];
  const next: Followed = { samples, validUntil: Number.POSITIVE_INFINITY, tally: measure(pool, h, samples) };
  known.set(key, next);
  const settle = () => {
    const cost = performance.now() - now;
    next.validUntil = now + Math.max(AT_LEAST_MS, cost / SHARE_OF_TIME);
  };
  next.tally.then(settle, () => known.delete(key));
  return next.tally;
}

async function measure(pool: Deps["pool"], h: Harmonization, samples: Followed["samples"]): Followed["tally"] {
  const tally = await count(pool, h);
  const at = performance.now();
  samples.push({ at, done: tally.done });
  // One that is older stays, to measure from.
  while (samples[1] && samples[1].at <= at - SPEED_OVER_MS) samples.shift();
  const [from] = samples;
  const seconds = from ? (at - from.at) / 1000 : 0;
  const perSecond = from && seconds > 0 && !h.pausedFor ? Math.max(0, (tally.done - from.done) / seconds) : undefined;
  return { ...tally, perSecond };
}

/** Rows that one statement counts, so that none takes long. */
const STRETCH = 100_000;

async function count(pool: Deps["pool"], { id, state, listingCount }: Harmonization): Promise<Tally> {
  const tally: Tally = { total: 0, done: 0, counts: { pending: 0, matched: 0, review: 0, none: 0, failed: 0 } };
  const { wanted, done } = WORK[state] ?? MATCHING;
  for (let from = 0; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<{ outcome: Outcome; listings: number; wanted: number; done: number }>({
      name: `progress-${state}`,
      text: `SELECT ${OUTCOME} AS outcome, count(*)::int AS listings, count(*) FILTER (WHERE ${wanted})::int AS wanted,
               count(*) FILTER (WHERE ${wanted} AND ${done})::int AS done
          FROM app.harmonization h JOIN app.listing l ON l.harmonization_id = h.id
         WHERE h.id = $1 AND l.number > $2 AND l.number <= $3 GROUP BY outcome`,
      values: [id, from, from + STRETCH],
    });
    for (const row of rows) {
      tally.counts[row.outcome] += row.listings;
      tally.total += row.wanted;
      tally.done += row.done;
    }
  }
  return tally;
}

const MATCHING = { wanted: "true", done: "l.status <> 'pending'" };

const SINCE = "(h.task->>'since')::timestamptz";

/** What of the listings a state is about, and when it has dealt with one; in SQL. */
const ADDED = `coalesce((l.decided_how = 'many' AND l.decided_at >= ${SINCE}) OR (l.decision IS NULL AND l.matched_at >= ${SINCE})
  OR (l.problem->>'at')::timestamptz >= ${SINCE}, false)`;
const WORK: Partial<Record<Harmonization["state"], typeof MATCHING>> = {
  adding: { wanted: `(${ADDED} OR ((${OUTCOME}) = 'none' AND l.query->'ll' IS NOT NULL))`, done: ADDED },
  annotating: {
    wanted: `(l.own_id <> '' AND (${OUTCOME}) = 'matched')`,
    done: "coalesce(l.annotated_at >= greatest(l.decided_at, l.matched_at), false)",
  },
};

async function anyWorker(pool: Deps["pool"]): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "any-worker",
    text: "SELECT FROM app.instance WHERE 'worker' = ANY(roles) AND seen_at > now() - interval '30 seconds' LIMIT 1",
  });
  return rowCount === 1;
}
