import type { Pool } from "pg";

/** A count in a window that begins with the first count, rounded to a sixtieth of its length. */
export interface Counter {
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
export async function countUp(pool: Pool, { subject, windowSeconds }: Counter, by = 1): Promise<Count> {
  const { rows } = await pool.query<Count>({
    name: "count-up",
    text: `INSERT INTO directory.rate_count AS r (subject, window_start, count)
           VALUES (${BEGUN}, $3)
           ON CONFLICT (subject, window_start) DO UPDATE SET count = r.count + $3
           RETURNING ${columns("$2")}`,
    values: [subject, windowSeconds, by],
  });
  return rows[0] ?? { count: by, resetAt: 0, secondsLeft: windowSeconds };
}

export type Spent = Count & { fits: boolean };

/** Counts one, beyond `limit` too; several only if as many are left, and none not at all. */
export async function spend(pool: Pool, counter: Counter, cost: number, limit: number): Promise<Spent> {
  if (cost === 1) {
    const count = await countUp(pool, counter);
    return { ...count, fits: count.count <= limit };
  }
  const counted = cost > 0 && cost <= limit ? await countWithin(pool, counter, cost, limit) : undefined;
  if (counted) return { ...counted, fits: true };
  const count = await readCount(pool, counter);
  const none = { count: 0, resetAt: 0, secondsLeft: 0 };
  return { ...(count ?? none), fits: cost === 0 && (count?.count ?? 0) < limit };
}

/** Returns undefined, and counts nothing, if the count would be more than `limit`. */
async function countWithin(
  pool: Pool,
  { subject, windowSeconds }: Counter,
  by: number,
  limit: number,
): Promise<Count | undefined> {
  const { rows } = await pool.query<Count>({
    name: "count-within",
    text: `INSERT INTO directory.rate_count AS r (subject, window_start, count)
           VALUES (${BEGUN}, $3)
           ON CONFLICT (subject, window_start) DO UPDATE SET count = r.count + $3 WHERE r.count + $3 <= $4
           RETURNING ${columns("$2")}`,
    values: [subject, windowSeconds, by, limit],
  });
  return rows[0];
}

export async function readCount(pool: Pool, { subject, windowSeconds }: Counter): Promise<Count | undefined> {
  const { rows } = await pool.query<Count>({
    name: "read-count",
    text: `SELECT ${columns("$2")} FROM directory.rate_count WHERE ${isLive("$1", "$2")} ORDER BY window_start LIMIT 1`,
    values: [subject, windowSeconds],
  });
  return rows[0];
}

export async function countDown(pool: Pool, { subject, windowSeconds }: Counter): Promise<void> {
  await pool.query({
    name: "count-down",
    text: `UPDATE directory.rate_count SET count = count - 1 WHERE ${isLive("$1", "$2")} AND count > 0`,
    values: [subject, windowSeconds],
  });
}

export async function forgetCount(pool: Pool, { subject }: Counter): Promise<void> {
  const text = "DELETE FROM directory.rate_count WHERE subject = $1";
  await pool.query({ name: "forget-count", text, values: [subject] });
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
 * The count is null if no window has begun (then use countUp) or the caller has no limit. All arguments are SQL; `who` is
 * what follows "<group> of " in the subject of `callCounter`.
 */
export const countingCaller = (
  who: string,
  { group, cost, condition = "true" }: { group: string; cost: string; condition?: string },
): string => `, counted AS (
  UPDATE directory.rate_count r SET count = r.count + ${cost} FROM caller
   WHERE ${isLive(`${group} || ' of ' || ${who}`, String(HOUR))} AND caller."rateLimit" IS DISTINCT FROM 0 AND ${condition}
  RETURNING ${columns(String(HOUR))})
  SELECT * FROM caller LEFT JOIN counted ON true`;

export function countIn({ count, resetAt, secondsLeft }: CountColumns): Count | undefined {
  return count === null || resetAt === null || secondsLeft === null ? undefined : { count, resetAt, secondsLeft };
}

export type CountColumns = { [Name in keyof Count]: Count[Name] | null };

const isLive = (subject: string, seconds: string): string =>
  `subject = ${subject} AND window_start > now() - make_interval(secs => ${seconds}::float8)`;

const columns = (seconds: string): string =>
  `count, extract(epoch FROM window_start)::float8 + ${seconds} AS "resetAt",
   greatest(1, ceil(extract(epoch FROM window_start - now())::float8 + ${seconds})) AS "secondsLeft"`;

/** Subject and start of the window, which begins now if none has. Rounding makes two concurrent first counts share one row. */
const BEGUN = `$1, coalesce((SELECT min(window_start) FROM directory.rate_count WHERE ${isLive("$1", "$2")}),
                             date_bin(make_interval(secs => $2 / 60), now(), 'epoch'))`;
