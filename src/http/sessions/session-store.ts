import { createHash } from "node:crypto";
import type { SessionStore } from "@fastify/session";
import type { Session } from "fastify";
import { deleteRows } from "../../db/bulk/delete-rows.ts";
import { type Db, execute, prepared, queryRow, queryRows, rawSql, sql } from "../../db/sql.ts";
import { sha256 } from "../../shared/crypto.ts";

export interface SessionLimits {
  idleSeconds: number;
  absoluteSeconds: number;
}

export type SessionTable = "app" | "directory";
const OWNER = {
  app: { column: sql`account_id`, type: sql`uuid` },
  directory: { column: sql`user_id`, type: sql`text` },
};

/** Use of a session is written only this often. */
const TOUCH_AFTER_SECONDS = 600;

/** Anonymous sessions only hold a form token, and anybody can create them. */
const ANONYMOUS_SECONDS = 3600;

/** Keeps hashes of the ids. Unlike stock stores, never lets a request in flight revive an ended session. */
export function createSessionStore(db: Db, table: SessionTable, limits: SessionLimits): SessionStore {
  const session = rawSql(`${table}.session`);
  const { column: owner, type } = OWNER[table];
  const freshSeconds = limits.idleSeconds - TOUCH_AFTER_SECONDS;

  async function read(id: string): Promise<Session | null> {
    const hash = sha256(id);
    const row = await queryRow<{ data: Session; isStale: boolean }>(prepared(db))`
      SELECT data, ${owner} IS NOT NULL AND expires_at < now() + make_interval(secs => ${freshSeconds}) AS "isStale"
        FROM ${session}
       WHERE id_hash = ${hash} AND ended_at IS NULL AND expires_at > now()
         AND created_at > now() - make_interval(secs => ${limits.absoluteSeconds})`;
    if (!row) return null;
    if (row.isStale)
      await execute(prepared(db))`
        UPDATE ${session} SET expires_at = now() + make_interval(secs => ${limits.idleSeconds})
         WHERE id_hash = ${hash} AND ended_at IS NULL`;
    return row.data;
  }

  async function write(id: string, { cookie: _, ...data }: Session): Promise<void> {
    const seconds = data.owner ? limits.idleSeconds : Math.min(limits.idleSeconds, ANONYMOUS_SECONDS);
    await execute(prepared(db))`
      INSERT INTO ${session} AS s (id_hash, ${owner}, data, expires_at)
      VALUES (${sha256(id)}, ${data.owner ?? null}::${type}, ${JSON.stringify(data)}::jsonb, now() + make_interval(secs => ${seconds}))
      ON CONFLICT (id_hash) DO UPDATE SET ${owner} = excluded.${owner}, data = excluded.data,
        expires_at = CASE WHEN s.${owner} IS DISTINCT FROM excluded.${owner} THEN excluded.expires_at ELSE s.expires_at END
      WHERE s.ended_at IS NULL`;
  }

  return {
    get: (id, callback) => void read(id).then((session) => callback(null, session), callback),
    set: (id, session, callback) => void write(id, session).then(() => callback(), callback),
    destroy: (id, callback) => void endSessionWithId(db, table, id).then(() => callback(), callback),
  };
}

/** Ends the session for good. Returns true to only one of several concurrent callers. */
export async function endSessionWithId(db: Db, table: SessionTable, id: string): Promise<boolean> {
  const count = await execute(prepared(db))`
    UPDATE ${rawSql(table)}.session SET ended_at = now(), data = '{}'
     WHERE id_hash = ${sha256(id)} AND ended_at IS NULL`;
  return count === 1;
}

export interface OwnSession {
  /** A hash of the stored hash: identifies the session but cannot open it. */
  publicId: string;
  /** For example "Firefox on Linux", if known. */
  browser: string | undefined;
  signedInAt: Date;
  /** Accurate to ten minutes, because it is not written more often. */
  lastUsedAt: Date;
}

export async function sessionsOf(
  db: Db,
  table: SessionTable,
  owner: string,
  { idleSeconds, absoluteSeconds }: SessionLimits,
): Promise<OwnSession[]> {
  const rows = await queryRows<Omit<OwnSession, "browser"> & { browser: string | null }>(db)`
    SELECT ${PUBLIC_ID} AS "publicId", data->>'browser' AS browser, created_at AS "signedInAt",
           expires_at - make_interval(secs => ${idleSeconds}) AS "lastUsedAt"
    FROM ${rawSql(table)}.session
    WHERE ${OWNER[table].column} = ${owner} AND ended_at IS NULL AND expires_at > now()
      AND created_at > now() - make_interval(secs => ${absoluteSeconds})
    ORDER BY expires_at DESC LIMIT 50`;
  return rows.map((row) => ({ ...row, browser: row.browser ?? undefined }));
}

export async function endSession(db: Db, table: SessionTable, owner: string, publicId: string): Promise<boolean> {
  const count = await execute(db)`
    UPDATE ${rawSql(table)}.session SET ended_at = now(), data = '{}'
    WHERE ${OWNER[table].column} = ${owner} AND ended_at IS NULL AND ${PUBLIC_ID} = ${publicId}`;
  return count === 1;
}

const PUBLIC_ID = sql`encode(sha256(id_hash), 'hex')`;

export const publicIdOf = (id: string): string => createHash("sha256").update(sha256(id)).digest("hex");

export async function endSessionsOf(db: Db, table: SessionTable, owner: string, except?: string): Promise<number> {
  return execute(db)`
    UPDATE ${rawSql(table)}.session SET ended_at = now(), data = '{}'
    WHERE ${OWNER[table].column} = ${owner} AND ended_at IS NULL 
      AND id_hash IS DISTINCT FROM ${except === undefined ? null : sha256(except)}`;
}

export async function sweepSessions(db: Db, table: SessionTable): Promise<void> {
  await deleteRows(db, `${table}.session`, "least(expires_at, ended_at) < now() - interval '1 day'");
}
