import type { Pool } from "pg";
import type { Checkin } from "../contract/checkins.ts";
import { toRows } from "./row.ts";

type Database = { pool: Pick<Pool, "query"> };

// SQL: ends a copying that is under way, which may have read the check-in before it was changed. The next visit goes on from there.
const cut = (more: string) => `cut AS (
  UPDATE app.checkin_copy SET holder = NULL, held_until = NULL${more}
   WHERE account_id = $1 AND EXISTS (SELECT FROM app.copied_checkin WHERE account_id = $1 AND id = $2) RETURNING account_id)`;

/** Takes over what the directory has changed. */
export async function rewriteCheckin({ pool }: Database, accountId: string, checkin: Checkin): Promise<void> {
  const [row] = toRows([checkin]);
  await pool.query({
    name: "checkin-rewrite",
    text: `WITH ${cut("")} UPDATE app.copied_checkin c SET shout = $3 FROM cut WHERE c.account_id = cut.account_id AND c.id = $2`,
    values: [accountId, checkin.id, row?.shout ?? null],
  });
}

/** Takes over that the directory no longer has a check-in. */
export async function forgetCheckin({ pool }: Database, accountId: string, id: string): Promise<void> {
  await pool.query({
    name: "checkin-forget",
    text: `WITH ${cut(", total = greatest(0, total - 1)")}
           DELETE FROM app.copied_checkin c USING cut WHERE c.account_id = cut.account_id AND c.id = $2`,
    values: [accountId, id],
  });
}

/** Makes the next visit read the whole list again, after a change whose result is unknown. */
export async function readAgain({ pool }: Database, accountId: string): Promise<void> {
  await pool.query({
    name: "checkins-read-again",
    text: `UPDATE app.checkin_copy SET complete_at = 'epoch' WHERE account_id = $1 AND complete_at IS NOT NULL`,
    values: [accountId],
  });
}
