import { setTimeout as after } from "node:timers/promises";
import type { Pool } from "pg";

type Database = { pool: Pick<Pool, "query"> };

const POLL_MS = 200;
/** Of a form that was sent twice, for the first to be answered. */
const WAIT_MS = 5000;

interface Form {
  accountId: string;
  /** From the form. */
  key: string;
}

/**
 * Calls `add` once for a form, however often and at how many processes it is sent. If `add` throws and `isUndone` says that
 * nothing was added, the form may be sent again.
 *
 * @returns "unclear" if an earlier sending has no known result
 */
export async function addOnce(
  { pool }: Database,
  { accountId, key }: Form,
  { add, isUndone }: { add: () => Promise<unknown>; isUndone: (error: unknown) => boolean },
): Promise<"added" | "unclear"> {
  const form = [accountId, key];
  const mayAdd = async () => {
    const { rowCount } = await pool.query(
      "INSERT INTO app.checkin_add (account_id, key) VALUES ($1, $2) ON CONFLICT DO NOTHING",
      form,
    );
    return rowCount === 1;
  };
  for (const giveUp = Date.now() + WAIT_MS; !(await mayAdd()); await after(POLL_MS)) {
    const { rows } = await pool.query<{ isAdded: boolean }>(
      `SELECT added_at IS NOT NULL AS "isAdded" FROM app.checkin_add WHERE account_id = $1 AND key = $2`,
      form,
    );
    if (rows[0]?.isAdded) return "added";
    if (Date.now() > giveUp) return "unclear";
  }
  try {
    await add();
  } catch (error) {
    if (isUndone(error)) await pool.query("DELETE FROM app.checkin_add WHERE account_id = $1 AND key = $2", form);
    throw error;
  }
  await pool.query("UPDATE app.checkin_add SET added_at = now() WHERE account_id = $1 AND key = $2", form);
  return "added";
}
