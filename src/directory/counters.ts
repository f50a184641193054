import { type Db, execute, prepared, queryRow, rawSql, type Sql, sql } from "../db/sql.ts";
import { clientNetwork, type Origin } from "../http/network.ts";
import type { Vault } from "../shared/crypto.ts";

/** A count in a window that begins with the first count, rounded to a sixtieth of its length. */
interface Counter {
  /** Who is counted, and for what. Stored as is, so it must not contain user input or addresses. */
  subject: string;
  windowSeconds: number;
}

export interface Count {
  count: number;
  /** End of the window in epoch seconds. */
  resetAt: number;
  secondsLeft: number;
}

/** Returns the new count of the window. */
export async function countUp(db: Db, { subject, windowSeconds }: Counter): Promise<Count> {
  const row = await queryRow<Count>(prepared(db))`
    INSERT INTO directory.rate_count AS r (subject, window_start, count)
    VALUES (${subject}, ${begun(subject, windowSeconds)}, 1)
    ON CONFLICT (subject, window_start) DO UPDATE SET count = r.count + 1
    RETURNING ${columns(windowSeconds)}`;
  return row ?? { count: 1, resetAt: 0, secondsLeft: windowSeconds };
}

type Spent = Count & { fits: boolean };

/** Counts one, beyond `limit` too; several only if as many are left, and none not at all. */
export async function spend(db: Db, counter: Counter, cost: number, limit: number): Promise<Spent> {
  if (cost === 1) {
    const count = await countUp(db, counter);
    return { ...count, fits: count.count <= limit };
  }
  const counted = cost > 0 && cost <= limit ? await countWithin(db, counter, cost, limit) : undefined;
  if (counted) return { ...counted, fits: true };
  const count = await readCount(db, counter);
  const none = { count: 0, resetAt: 0, secondsLeft: 0 };
  return { ...(count ?? none), fits: cost === 0 && (count?.count ?? 0) < limit };
}

/** Returns undefined, and counts nothing, if the count would be more than `limit`. */
async function countWithin(
  db: Db,
  { subject, windowSeconds }: Counter,
  by: number,
  limit: number,
): Promise<Count | undefined> {
  return queryRow<Count>(prepared(db))`
    INSERT INTO directory.rate_count AS r (subject, window_start, count)
    VALUES (${subject}, ${begun(subject, windowSeconds)}, ${by})
    ON CONFLICT (subject, window_start) DO UPDATE SET count = r.count + ${by} WHERE r.count + ${by} <= ${limit}
    RETURNING ${columns(windowSeconds)}`;
}

export async function readCount(db: Db, { subject, windowSeconds }: Counter): Promise<Count | undefined> {
  return queryRow<Count>(prepared(db))`
    SELECT ${columns(windowSeconds)} FROM directory.rate_count
      WHERE ${isLive(sql`${subject}`, windowSeconds)} ORDER BY window_start LIMIT 1`;
}

export async function countDown(db: Db, { subject, windowSeconds }: Counter): Promise<void> {
  await execute(prepared(db))`
    UPDATE directory.rate_count SET count = count - 1 WHERE ${isLive(sql`${subject}`, windowSeconds)} AND count > 0`;
}

export async function forgetCount(db: Db, { subject }: Counter): Promise<void> {
  await execute(prepared(db))`
    DELETE FROM directory.rate_count WHERE subject = ${subject}`;
}

export const HOUR = 60 * 60;

/** `group` is its group of endpoints, such as venues; `cost` is how many calls it counts as, of HEAD none. */
export interface CountedCall {
  group: string;
  cost: number;
}

export const callCounter = (
  call: CountedCall,
  { clientId, userId }: { clientId: string; userId?: string },
): Counter => ({
  subject: `${call.group} of ${userId ?? "application"} ${clientId}`,
  windowSeconds: HOUR,
});

/**
 * Completes a statement that begins with `WITH caller AS (…)`, so that one statement finds the caller and counts the call.
 * The count is null if no window has begun (then use countUp) or the caller has no limit. `who` is what follows "<group> of " in the
 * subject of `callCounter`.
 */
export const countingCaller = (
  who: Sql,
  { group, cost }: CountedCall,
  condition: Sql = sql`true`,
): Sql => sql`, counted AS (
  UPDATE directory.rate_count r SET count = r.count + ${cost} FROM caller
   WHERE ${isLive(sql`${group} || ' of ' || ${who}`, rawSql(HOUR))} AND caller."rateLimit" IS DISTINCT FROM 0 AND ${condition}
  RETURNING ${columns(rawSql(HOUR))})
  SELECT * FROM caller LEFT JOIN counted ON true`;

export function countIn({ count, resetAt, secondsLeft }: CountColumns): Count | undefined {
  return count === null || resetAt === null || secondsLeft === null ? undefined : { count, resetAt, secondsLeft };
}

export type CountColumns = { [Name in keyof Count]: Count[Name] | null };

const isLive = (subject: Sql, windowSeconds: Sql | number): Sql =>
  sql`subject = ${subject} AND window_start > now() - make_interval(secs => ${windowSeconds}::float8)`;

const columns = (windowSeconds: Sql | number): Sql =>
  sql`count, extract(epoch FROM window_start)::float8 + ${windowSeconds}::float8 AS "resetAt",
   greatest(1, ceil(extract(epoch FROM window_start - now())::float8 + ${windowSeconds}::float8)) AS "secondsLeft"`;

/** Start of the window, which begins now if none has. Rounding makes two concurrent first counts share one row. */
const begun = (subject: string, windowSeconds: number): Sql =>
  sql`coalesce((SELECT min(window_start) FROM directory.rate_count WHERE ${isLive(sql`${subject}`, windowSeconds)}),
               date_bin(make_interval(secs => ${windowSeconds}::float8 / 60), now(), 'epoch'))`;

/** Returns a keyed fingerprint of the client's network, different for each purpose. */
export const networkKey = (vault: Vault, request: Origin, purpose: string): string =>
  Buffer.from(vault.fingerprint(clientNetwork(request), purpose)).toString("base64url");
