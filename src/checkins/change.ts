import type { Checkin } from "../contract/checkins.ts";
import { type Db, execute, prepared, type Sql, sql } from "../db/sql.ts";
import { toRows } from "./row.ts";

/** Ends a copying that is under way, which may have read the check-in before it was changed. The next visit goes on from there. */
const cut = (accountId: string, id: string, more: Sql): Sql => sql`cut AS (
  UPDATE app.checkin_copy SET holder = NULL, held_until = NULL${more}
   WHERE account_id = ${accountId} AND EXISTS (SELECT FROM app.copied_checkin WHERE account_id = ${accountId} AND id = ${id})
  RETURNING account_id)`;

/** Takes over what the directory has changed. */
export async function rewriteCheckin(db: Db, accountId: string, checkin: Checkin): Promise<void> {
  const [row] = toRows([checkin]);
  await execute(prepared(db))`
    WITH ${cut(accountId, checkin.id, sql``)} UPDATE app.copied_checkin c SET shout = ${row?.shout ?? null} FROM cut
      WHERE c.account_id = cut.account_id AND c.id = ${checkin.id}`;
}

/** Takes over that the directory no longer has a check-in. */
export async function forgetCheckin(db: Db, accountId: string, id: string): Promise<void> {
  await execute(prepared(db))`
    WITH ${cut(accountId, id, sql`, total = greatest(0, total - 1)`)}
    DELETE FROM app.copied_checkin c USING cut WHERE c.account_id = cut.account_id AND c.id = ${id}`;
}

/** Makes the next visit read the whole list again, after a change whose result is unknown. */
export async function readAgain(db: Db, accountId: string): Promise<void> {
  await execute(prepared(db))`
    UPDATE app.checkin_copy SET complete_at = 'epoch' WHERE account_id = ${accountId} AND complete_at IS NOT NULL`;
}
