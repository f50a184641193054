import type { Harmonizer } from "../run/deps.ts";
import type { Problem } from "../run/problems.ts";
import { CHUNK } from "../run/queue.ts";
import type { Candidate, Query } from "../run/rows.ts";

type Deps = Pick<Harmonizer, "pool">;

/** A listing that this worker has begun with. By `tries` it is known whether another has begun with it since. */
export interface Claim {
  number: number;
  tries: number;
  query: Query;
}

/** What is written of a listing that was asked about. */
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

/** So many workers may end over a listing; then it is set aside (attacks F24). */
const MOST_TRIES = 3;

/**
 * Told so that no index fits it: rows are to be found by their numbers. Without statistics, as just after a file was read, the
 * index of the status looks as good, and each of the rows would be looked for among all.
 */
const IS_PENDING = "(l.status = 'pending') IS TRUE";
const PENDING = `l.harmonization_id = $1 AND ${IS_PENDING} AND l.number BETWEEN $2 AND $3`;

/** Numbers of a chunk's listings. */
const range = (chunk: number): [first: number, last: number] => [chunk * CHUNK + 1, (chunk + 1) * CHUNK];

/**
 * Begins with the next listings of a chunk, noting it before anybody is asked. Those that a worker has begun with and not
 * come back from are taken in small groups and then alone, so that the one it was because of is found.
 */
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

/** Fails those of a chunk that workers kept ending over, so that the rest gets done. */
export async function setAside({ pool }: Deps, id: string, chunk: number): Promise<void> {
  const problem: Problem = { code: "ended_worker", times: MOST_TRIES };
  await pool.query({
    name: "set-listings-aside",
    text: `UPDATE app.listing AS l SET status = 'failed', problem = $4 WHERE ${PENDING} AND tries >= $5`,
    values: [id, ...range(chunk), problem, MOST_TRIES],
  });
}

/** Writes what has been found. Of a listing that another worker has begun with since, nothing (attacks F05). */
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

/** As if this worker had not begun with them. */
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
