import { type Db, execute, prepared, type Sql, sql } from "../db/sql.ts";

/** Where the write-ahead log was after the caller's last write; null if there was none lately. */
export interface LastWrite {
  position: number | null;
}

/** `subject` is a user's id, or an application's for a call without a user. */
export const lastWriteOf = (subject: Sql): Sql =>
  sql`(SELECT position FROM directory.last_write WHERE subject = ${subject})::float8`;

/** To be called after the commit, and before the caller is answered. */
export async function noteWrite(db: Db, { userId, clientId }: { userId: string; clientId: string }): Promise<void> {
  await execute(prepared(db))`
    INSERT INTO directory.last_write AS l (subject, position)
    SELECT subject, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') FROM unnest(${[userId, clientId]}::text[]) AS subject
    ON CONFLICT (subject) DO UPDATE SET position = greatest(l.position, excluded.position), at = now()`;
}
