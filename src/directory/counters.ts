import type { Pool } from "pg";

/** What is counted, over windows that begin at whole multiples of their length (UTC). */
export interface Counter {
  /** Who is counted, and for what: "venues/* of token …". */
  subject: string;
  windowSeconds: number;
}

export interface Count {
  count: number;
  /** When the window ends, in epoch seconds. */
  resetAt: number;
}

/** Counts in the database, so that several instances agree, and answers the new count of the window. */
export async function countUp(pool: Pool, { subject, windowSeconds }: Counter, by = 1): Promise<Count> {
  const { rows } = await pool.query<Count>({
    name: "count-up",
    text: `INSERT INTO directory.rate_count AS r (subject, window_start, count)
           VALUES ($1, to_timestamp(floor(extract(epoch FROM clock_timestamp()) / $2) * $2), $3)
           ON CONFLICT (subject, window_start) DO UPDATE SET count = r.count + $3
           RETURNING count, (extract(epoch FROM window_start) + $2)::float8 AS "resetAt"`,
    values: [subject, windowSeconds, by],
  });
  return rows[0] ?? { count: by, resetAt: 0 };
}
