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
    // Rounding makes two concurrent first counts share one row.
    text: `INSERT INTO directory.rate_count AS r (subject, window_start, count)
           VALUES ($1, coalesce((SELECT min(window_start) FROM directory.rate_count WHERE ${isLive("$1", "$2")}),
                                date_bin(make_interval(secs => $2 / 60), now(), 'epoch')), $3)
           ON CONFLICT (subject, window_start) DO UPDATE SET count = r.count + $3
           RETURNING ${columns("$2")}`,
    values: [subject, windowSeconds, by],
  });
  return rows[0] ?? { count: by, resetAt: 0, secondsLeft: windowSeconds };
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

/** `group` is its group of endpoints, such as venues; `cost` is how many calls it counts as. */
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
