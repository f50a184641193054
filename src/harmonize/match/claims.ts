import type { Harmonizer } from "../run/deps.ts";
import type { Problem } from "../run/problems.ts";
import { CHUNK } from "../run/queue.ts";
import type { Candidate, Query } from "../run/rows.ts";

type Deps = Pick<Harmonizer, "pool">;

/** A listing claimed by this worker. A higher `tries` in the database means that another has claimed it since. */
export interface Claim {
  number: number;
  tries: number;
  query: Query;
}

export interface Written {
  claim: Claim;
  status: "asked" | "failed";
  problem?: Problem;
  score?: number | null;
  isClear?: boolean;
  bestId?: string | null;
  candidates?: Candidate[];
  pattern?: string | null;
}

/** Workers that may die on a listing before it is set aside (attacks F24). */
const MOST_TRIES = 3;

// `IS TRUE` keeps PostgreSQL off the index on status: without fresh statistics it looks good, but is far slower.
const IS_PENDING = "(l.status = 'pending') IS TRUE";
const PENDING = `l.harmonization_id = $1 AND ${IS_PENDING} AND l.number BETWEEN $2 AND $3`;

const range = (chunk: number): [first: number, last: number] => [chunk * CHUNK + 1, (chunk + 1) * CHUNK];

/** Claims before any call. Listings that a worker died on come in small groups, then alone, to isolate the cause. */
export async function claimListings({ pool }: Deps, id: string, chunk: number): Promise<Claim[]> {
  const { rows } = await pool.query<Claim>({
    name: "claim-listings",
    text: `WITH pending AS MATERIALIZED (SELECT number, tries FROM app.listing AS l WHERE ${PENDING}),
      least AS (SELECT min(tries) AS tries FROM pending),
      next AS (SELECT number FROM pending WHERE tries = (SELECT tries FROM least) ORDER BY number
        LIMIT (SELECT CASE tries WHEN 0 THEN ${CHUNK} WHEN 1 THEN 25 ELSE 1 END FROM least))
      UPDATE app.listing AS l SET tries = tries + 1 FROM next
      WHERE l.harmonization_id = $1 AND l.number = next.number AND ${IS_PENDING}
      RETURNING l.number, l.tries, l.query`,
    values: [id, ...range(chunk)],
  });
  return rows.sort((a, b) => a.number - b.number);
}

export async function setAside({ pool }: Deps, id: string, chunk: number): Promise<void> {
  const problem: Problem = { code: "ended_worker", times: MOST_TRIES };
  await pool.query({
    name: "set-listings-aside",
    text: `UPDATE app.listing AS l SET status = 'failed', problem = $4 WHERE ${PENDING} AND tries >= $5`,
    values: [id, ...range(chunk), problem, MOST_TRIES],
  });
}

/** Skips listings that another worker has claimed since (attacks F05). */
export async function writeListings({ pool }: Deps, id: string, written: Written[]): Promise<void> {
  if (written.length === 0) return;
  const rows = written.map(({ claim: { number, tries }, ...rest }) => ({ number, tries, ...rest }));
  await pool.query({
    name: "write-listings",
    text: `UPDATE app.listing AS l
      SET status = w.status::app.listing_status, problem = w.problem, score = w.score, is_clear = coalesce(w."isClear", false),
          best_id = w."bestId", candidates = coalesce(w.candidates, '[]'), pattern = w.pattern, matched_at = now()
      FROM jsonb_to_recordset($2::jsonb) AS w(number int, tries int, status text, problem jsonb, score float8,
           "isClear" bool, "bestId" text, candidates jsonb, pattern text)
      WHERE l.harmonization_id = $1 AND l.number = w.number AND ${IS_PENDING} AND l.tries = w.tries`,
    values: [id, JSON.stringify(rows)],
  });
}

export async function giveBack({ pool }: Deps, id: string, claims: Claim[]): Promise<void> {
  if (claims.length === 0) return;
  await pool.query({
    name: "give-listings-back",
    text: `UPDATE app.listing AS l SET tries = l.tries - 1
      FROM unnest($2::int[], $3::int[]) AS c(number, tries)
      WHERE l.harmonization_id = $1 AND l.number = c.number AND ${IS_PENDING} AND l.tries = c.tries`,
    values: [id, claims.map(({ number }) => number), claims.map(({ tries }) => tries)],
  });
}
