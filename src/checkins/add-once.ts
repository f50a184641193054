import { setTimeout as after } from "node:timers/promises";
import type { Pool } from "pg";
import { execute, queryRow } from "../db/sql.ts";

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
  const mayAdd = async () => {
    const count = await execute(pool)`
      INSERT INTO app.checkin_add (account_id, key) VALUES (${accountId}, ${key}) ON CONFLICT DO NOTHING`;
    return count === 1;
  };
  for (const giveUp = Date.now() + WAIT_MS; !(await mayAdd()); await after(POLL_MS)) {
    const row = await queryRow<{ isAdded: boolean }>(pool)`
      SELECT added_at IS NOT NULL AS "isAdded" FROM app.checkin_add WHERE account_id = ${accountId} AND key = ${key}`;
    if (row?.isAdded) return "added";
    if (Date.now() > giveUp) return "unclear";
  }
  try {
    await add();
  } catch (error) {
    if (isUndone(error))
      await execute(pool)`DELETE FROM app.checkin_add WHERE account_id = ${accountId} AND key = ${key}`;
    throw error;
  }
  await execute(pool)`
    UPDATE app.checkin_add SET added_at = now() WHERE account_id = ${accountId} AND key = ${key}`;
  return "added";
}
