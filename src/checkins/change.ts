import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Checkin } from "../contract/checkins.ts";
import { type Db, execute, prepared, queryRow, type Sql, sql } from "../db/sql.ts";
import { toRows } from "./copies.ts";

/** Ends a copying that is under way, which may have read the check-in before it was changed. The next visit goes on from there. */
const endOfCopying = (accountId: string, id: string, more: Sql): Sql => sql`cut AS (
  UPDATE app.checkin_copy SET holder = NULL, held_until = NULL${more}
   WHERE account_id = ${accountId} AND EXISTS (SELECT FROM app.copied_checkin WHERE account_id = ${accountId} AND id = ${id})
  RETURNING account_id)`;

/** Takes over what the directory has changed. */
export async function rewriteCheckin(db: Db, accountId: string, checkin: Checkin): Promise<void> {
  const [row] = toRows([checkin]);
  await execute(prepared(db))`
    WITH ${endOfCopying(accountId, checkin.id, sql``)} UPDATE app.copied_checkin c SET shout = ${row?.shout ?? null} FROM cut
      WHERE c.account_id = cut.account_id AND c.id = ${checkin.id}`;
}

/** Takes over that the directory no longer has a check-in. */
export async function forgetCheckin(db: Db, accountId: string, id: string): Promise<void> {
  await execute(prepared(db))`
    WITH ${endOfCopying(accountId, id, sql`, total = greatest(0, total - 1)`)}
    DELETE FROM app.copied_checkin c USING cut WHERE c.account_id = cut.account_id AND c.id = ${id}`;
}

/** Makes the next visit read the whole list again, after a change whose result is unknown. */
export async function readAgain(db: Db, accountId: string): Promise<void> {
  await execute(prepared(db))`
    UPDATE app.checkin_copy SET complete_at = 'epoch' WHERE account_id = ${accountId} AND complete_at IS NOT NULL`;
}

type Database = { pool: Pick<Pool, "query"> };

const POLL_MS = 200;
/** How long a form that was sent twice waits until the first is answered. */
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
  for (const giveUp = Date.now() + WAIT_MS; !(await mayAdd()); await sleep(POLL_MS)) {
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
