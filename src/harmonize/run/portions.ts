import type { ClientBase, Pool } from "pg";
import type { LocatedAddress } from "../../contract/addresses.ts";
import { takeLocks } from "../../db/locks.ts";
import { execute, prepared, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { isGone } from "./gone-venues.ts";
import type { Problem } from "./problems/problems.ts";
import type { Candidate, Query, Was } from "./rows.ts";

/** Listings that are matched together: neighbours, so that the directory reads the venues around them once. */
const PORTION = 1000;

/** Listings asked about at once, by the number of workers that died on the portion (attacks F24). */
const GROUPS = [PORTION, 25, 1];
const MOST_TRIES = GROUPS.length;

/** A portion claimed by this worker. A higher `tries` in the database means that another has claimed it since. */
export interface Claim {
  portion: number;
  tries: number;
  /** Numbers of its listings without an outcome, in order of place. */
  left: number[];
  /** The first of them, to be asked about now. */
  listings: Claimed[];
}

export interface Claimed {
  number: number;
  query: Query;
  /** Its decision before it changed. */
  was: Was | null;
  /** As the file says it. */
  category: string | null;
}

export interface Written {
  number: number;
  status: "asked" | "failed";
  problem?: Problem;
  score?: number | null;
  isClear?: boolean;
  bestId?: string | null;
  candidates?: Candidate[];
  pattern?: string | null;
  byAddress?: LocatedAddress | undefined;
}

// `IS TRUE` keeps PostgreSQL off the index on status: without fresh statistics it looks good, but is far slower.
const IS_PENDING = sql`(l.status = 'pending') IS TRUE`;

/** Cuts all pending listings into portions, unless another process does, or a retry. */
export async function cutPortions(client: ClientBase | Pool, id: string): Promise<void> {
  const pending = sql`app.listing AS l WHERE l.harmonization_id = ${id} AND ${IS_PENDING}
    AND NOT (SELECT is_retrying FROM app.harmonization WHERE id = ${id})`;
  await execute(client)`${cutIntoPortions(id, pending, sql`0`)} ON CONFLICT DO NOTHING`;
}

/** SQL: cuts rows with `number` and `place` of the run into portions numbered from `first`. */
export const cutIntoPortions = (run: string, rows: Sql, first: Sql): Sql => sql`
  INSERT INTO app.portion (harmonization_id, number, listings)
  SELECT ${run}::uuid, ${first} + portion, array_agg(number ORDER BY place, number)
    FROM (SELECT number, place, (row_number() OVER (ORDER BY place, number) - 1) / ${rawSql(PORTION)} AS portion FROM ${rows}) AS cut
   GROUP BY portion`;

/**
 * SQL: the next number of a portion of the run, in `withPortionsLocked`. One that was used before is hardly ever used again: the claim
 * of a worker that was frozen since must not fit a later portion (attacks F175).
 */
export const nextNumber = (run: string): Sql =>
  sql`(SELECT coalesce(max(number), (1e9 * random())::int) + 1 FROM app.portion WHERE harmonization_id = ${run})`;

/** Runs `work` in a transaction in which no other numbers portions of the run. */
export const withPortionsLocked = <T>(pool: Pool, id: string, work: (client: ClientBase) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await takeLocks(client, sql`SELECT FROM app.harmonization WHERE id = ${id} FOR NO KEY UPDATE`);
    return work(client);
  });

/**
 * Claims a portion before any call; undefined if it is finished. One on which workers died comes in small groups, then
 * one by one, and the listing that ended them is set aside.
 *
 * @param category the column of categories, from 1; 0 for none
 */
export async function claimPortion(pool: Pool, id: string, portion: number, category = 0): Promise<Claim | undefined> {
  const rows = await queryRows<Omit<Claimed, "number"> & { tries: number; number: number | null }>(prepared(pool))`
    WITH claim AS (UPDATE app.portion SET tries = tries + 1 WHERE harmonization_id = ${id} AND number = ${portion}
        RETURNING tries, listings)
      SELECT claim.tries, l.number, l.query, l.edition->'was' AS was, CASE WHEN ${category}::int > 0 THEN l.cells[${category}] END AS category
        FROM claim CROSS JOIN LATERAL unnest(listings) WITH ORDINALITY AS each(number, at)
        LEFT JOIN app.listing AS l ON l.harmonization_id = ${id} AND l.number = each.number AND ${IS_PENDING} ORDER BY at`;
  if (!rows[0]) return undefined;
  const [{ tries }] = rows;
  const pending = rows.flatMap((row) =>
    row.number === null ? [] : [{ number: row.number, query: row.query, was: row.was, category: row.category }],
  );
  const [first] = pending;
  const claim = { portion, tries, left: pending.map(({ number }) => number), listings: pending };
  if (!first) {
    await writeListings(pool, id, claim, []);
    return undefined;
  }
  if (tries > MOST_TRIES) {
    const problem: Problem = { code: "ended_worker", times: MOST_TRIES };
    await writeListings(pool, id, claim, [{ number: first.number, status: "failed", problem }], MOST_TRIES - 1);
    return claimPortion(pool, id, portion, category);
  }
  claim.listings = pending.slice(0, GROUPS[tries - 1]);
  if (tries === MOST_TRIES) await splitOff(pool, id, claim);
  return claim;
}

/** Leaves the group in which a worker died alone in its portion. */
async function splitOff(pool: Pool, id: string, claim: Claim): Promise<void> {
  const rest = claim.left.slice(GROUPS[1]);
  if (rest.length === 0) return;
  const group = claim.left.slice(0, GROUPS[1]);
  await withPortionsLocked(
    pool,
    id,
    (client) => execute(client)`
      WITH split AS (UPDATE app.portion SET listings = ${group}::int[] WHERE ${isMine(id, claim)} RETURNING 1)
      INSERT INTO app.portion (harmonization_id, number, listings, tries)
      SELECT ${id}::uuid, ${nextNumber(id)}, ${rest}::int[], 1 FROM split`,
  );
  claim.left = group;
}

/** SQL: has no effect on a portion that another worker has claimed since (attacks F05). */
const isMine = (id: string, { portion, tries }: Claim): Sql =>
  sql`harmonization_id = ${id} AND number = ${portion} AND tries = ${tries}`;

/** Writes outcomes and leaves the other listings to the claim; with fewer `tries` the claim ends. */
export async function writeListings(
  pool: Pool,
  id: string,
  claim: Claim,
  written: Written[],
  tries = claim.tries,
): Promise<void> {
  const isWritten = new Set(written.map(({ number }) => number));
  const left = claim.left.filter((number) => !isWritten.has(number));
  const mine = isMine(id, claim);
  await execute(prepared(pool))`
    WITH left_over AS (
        UPDATE app.portion SET listings = ${left}::int[], tries = ${tries} WHERE ${mine} AND cardinality(${left}::int[]) > 0 RETURNING 1),
      finished AS (DELETE FROM app.portion WHERE ${mine} AND cardinality(${left}::int[]) = 0 RETURNING 1)
    UPDATE app.listing AS l
       SET status = w.status::app.listing_status, problem = w.problem, score = w.score,
           is_clear = coalesce(w."isClear", false) AND NOT ${isGone(sql`w."bestId"`, id)},
           best_id = w."bestId", candidates = coalesce(w.candidates, '[]'), pattern = w.pattern, matched_at = now(),
           query = CASE WHEN w."byAddress" IS NULL THEN l.query ELSE l.query || jsonb_build_object('byAddress', w."byAddress") END
      FROM jsonb_to_recordset(${JSON.stringify(written)}::jsonb) AS w(number int, status text, problem jsonb, score float8,
           "isClear" bool, "bestId" text, candidates jsonb, pattern text, "byAddress" jsonb)
     WHERE l.harmonization_id = ${id} AND l.number = w.number AND ${IS_PENDING}
       AND EXISTS (SELECT FROM left_over UNION ALL SELECT FROM finished)`;
  Object.assign(claim, { left, tries });
}

export const giveBack = (pool: Pool, id: string, claim: Claim): Promise<void> =>
  writeListings(pool, id, claim, [], claim.tries - 1);
