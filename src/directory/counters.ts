import type { Pool } from "pg";

/** What is counted, over a window that begins with the first count, to a sixtieth of its length. */
export interface Counter {
  /** Who is counted, and for what. It is stored as it is: nothing that was typed, no address. */
  subject: string;
  windowSeconds: number;
}

export interface Count {
  count: number;
  /** When the window ends, in epoch seconds. */
  resetAt: number;
  /** The same, in seconds from now, at least 1. */
  secondsLeft: number;
}

/** Counts in the database, so that several instances agree, and answers the new count of the window. */
export async function countUp(pool: Pool, { subject, windowSeconds }: Counter, by = 1): Promise<Count> {
  const { rows } = await pool.query<Count>({
    name: "count-up",
    // Two first counts at once begin their windows in the same sixtieth, so that they meet in one row.
    text: `INSERT INTO directory.rate_count AS r (subject, window_start, count)
           VALUES ($1, coalesce((SELECT min(window_start) FROM directory.rate_count WHERE ${isLive("$1", "$2")}),
                                date_bin(make_interval(secs => $2 / 60), now(), 'epoch')), $3)
           ON CONFLICT (subject, window_start) DO UPDATE SET count = r.count + $3
           RETURNING ${columns("$2")}`,
    values: [subject, windowSeconds, by],
  });
  return rows[0] ?? { count: by, resetAt: 0, secondsLeft: windowSeconds };
}

/** The count of the window, or undefined when nothing was counted. */
export async function readCount(pool: Pool, { subject, windowSeconds }: Counter): Promise<Count | undefined> {
  const { rows } = await pool.query<Count>({
    name: "read-count",
    text: `SELECT ${columns("$2")} FROM directory.rate_count WHERE ${isLive("$1", "$2")} ORDER BY window_start LIMIT 1`,
    values: [subject, windowSeconds],
  });
  return rows[0];
}

/** Takes one back. */
export async function countDown(pool: Pool, { subject, windowSeconds }: Counter): Promise<void> {
  await pool.query({
    name: "count-down",
    text: `UPDATE directory.rate_count SET count = count - 1 WHERE ${isLive("$1", "$2")} AND count > 0`,
    values: [subject, windowSeconds],
  });
}

/** Forgets all that was counted. */
export async function forgetCount(pool: Pool, { subject }: Counter): Promise<void> {
  const text = "DELETE FROM directory.rate_count WHERE subject = $1";
  await pool.query({ name: "forget-count", text, values: [subject] });
}

/** Seconds. */
export const HOUR = 60 * 60;

/** A call of the API: of which group of endpoints, such as venues, and how many it counts as. */
export interface CountedCall {
  group: string;
  cost: number;
}

/** Calls are counted by the hour, of a user's token or of the application itself. */
export const callCounter = (
  call: CountedCall,
  { clientId, userId }: { clientId: string; userId?: string },
): Counter => ({
  subject: `${call.group} of ${userId ?? "application"} ${clientId}`,
  windowSeconds: HOUR,
});

/**
 * The rest of a statement that begins with `WITH caller AS (…)`: it answers the caller's rows and counts the call as
 * countUp would, at half the price of a statement of its own. Where the window has not begun, or the caller has no
 * limit, nothing is counted and the count is null.
 *
 * @param who the subject of `callCounter` after its group, in SQL, as are group, cost and what a row must fulfil to count
 */
export const countingCaller = (
  who: string,
  { group, cost, condition = "true" }: { group: string; cost: string; condition?: string },
): string => `, counted AS (
  UPDATE directory.rate_count r SET count = r.count + ${cost} FROM caller
   WHERE ${isLive(`${group} || ' of ' || ${who}`, String(HOUR))} AND caller."rateLimit" IS DISTINCT FROM 0 AND ${condition}
  RETURNING ${columns(String(HOUR))})
  SELECT * FROM caller LEFT JOIN counted ON true`;

/** The count in a row of such a statement. */
export function countIn({ count, resetAt, secondsLeft }: CountColumns): Count | undefined {
  return count === null || resetAt === null || secondsLeft === null ? undefined : { count, resetAt, secondsLeft };
}

export type CountColumns = { [Name in keyof Count]: Count[Name] | null };

const isLive = (subject: string, seconds: string): string =>
  `subject = ${subject} AND window_start > now() - make_interval(secs => ${seconds}::float8)`;

const columns = (seconds: string): string =>
  `count, extract(epoch FROM window_start)::float8 + ${seconds} AS "resetAt",
   greatest(1, ceil(extract(epoch FROM window_start - now())::float8 + ${seconds})) AS "secondsLeft"`;
