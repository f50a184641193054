import { createHash } from "node:crypto";
import type { SessionStore } from "@fastify/session";
import type { Session } from "fastify";
import type { Pool } from "pg";
import { deleteRows } from "../../db/bulk/delete-rows.ts";
import { sha256 } from "../../shared/crypto.ts";

export interface SessionLimits {
  idleSeconds: number;
  absoluteSeconds: number;
}

export type SessionTable = "app" | "directory";
const OWNER = { app: { column: "account_id", type: "uuid" }, directory: { column: "user_id", type: "text" } };

/** Use of a session is written only this often. */
const TOUCH_AFTER_SECONDS = 600;

/** Anonymous sessions only hold a form token, and anybody can create them. */
const ANONYMOUS_SECONDS = 3600;

/** Keeps hashes of the ids. Unlike stock stores, never lets a request in flight revive an ended session. */
export function createSessionStore(pool: Pool, table: SessionTable, limits: SessionLimits): SessionStore {
  const { column, type } = OWNER[table];
  const statements = {
    get: `SELECT data, ${column} IS NOT NULL AND expires_at < now() + make_interval(secs => $2) AS stale
          FROM ${table}.session
          WHERE id_hash = $1 AND ended_at IS NULL AND expires_at > now()
            AND created_at > now() - make_interval(secs => $3)`,
    touch: `UPDATE ${table}.session SET expires_at = now() + make_interval(secs => $2)
            WHERE id_hash = $1 AND ended_at IS NULL`,
    set: `INSERT INTO ${table}.session AS s (id_hash, ${column}, data, expires_at)
          VALUES ($1, $2::${type}, $3::jsonb, now() + make_interval(secs => $4))
          ON CONFLICT (id_hash) DO UPDATE SET ${column} = excluded.${column}, data = excluded.data,
            expires_at = CASE WHEN s.${column} IS DISTINCT FROM excluded.${column} THEN excluded.expires_at
                         ELSE s.expires_at END
          WHERE s.ended_at IS NULL`,
  };
  const run = (name: keyof typeof statements, ...values: unknown[]) =>
    pool.query({ name: `${table}-session-${name}`, text: statements[name], values });

  async function read(id: string): Promise<Session | null> {
    const hash = Buffer.from(sha256(id));
    const fresh = limits.idleSeconds - TOUCH_AFTER_SECONDS;
    const { rows } = await run("get", hash, fresh, limits.absoluteSeconds);
    const [row] = rows;
    if (!row) return null;
    if (row.stale) await run("touch", hash, limits.idleSeconds);
    return row.data;
  }

  async function write(id: string, { cookie: _, ...data }: Session): Promise<void> {
    const seconds = data.owner ? limits.idleSeconds : Math.min(limits.idleSeconds, ANONYMOUS_SECONDS);
    await run("set", Buffer.from(sha256(id)), data.owner ?? null, JSON.stringify(data), seconds);
  }

  return {
    get: (id, callback) => void read(id).then((session) => callback(null, session), callback),
    set: (id, session, callback) => void write(id, session).then(() => callback(), callback),
    destroy: (id, callback) => void endSessionWithId(pool, table, id).then(() => callback(), callback),
  };
}

/** Ends the session for good. Returns true to only one of several concurrent callers. */
export async function endSessionWithId(pool: Pool, table: SessionTable, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: `${table}-session-end`,
    text: `UPDATE ${table}.session SET ended_at = now(), data = '{}' WHERE id_hash = $1 AND ended_at IS NULL`,
    values: [Buffer.from(sha256(id))],
  });
  return rowCount === 1;
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
  pool: Pool,
  table: SessionTable,
  owner: string,
  { idleSeconds, absoluteSeconds }: SessionLimits,
): Promise<OwnSession[]> {
  const { rows } = await pool.query(
    `SELECT ${PUBLIC_ID} AS "publicId", data->>'browser' AS browser, created_at AS "signedInAt",
            expires_at - make_interval(secs => $2) AS "lastUsedAt"
     FROM ${table}.session
     WHERE ${OWNER[table].column} = $1 AND ended_at IS NULL AND expires_at > now()
       AND created_at > now() - make_interval(secs => $3)
     ORDER BY expires_at DESC LIMIT 50`,
    [owner, idleSeconds, absoluteSeconds],
  );
  return rows.map((row) => ({ ...row, browser: row.browser ?? undefined }));
}

export async function endSession(pool: Pool, table: SessionTable, owner: string, publicId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE ${table}.session SET ended_at = now(), data = '{}'
     WHERE ${OWNER[table].column} = $1 AND ended_at IS NULL AND ${PUBLIC_ID} = $2`,
    [owner, publicId],
  );
  return rowCount === 1;
}

const PUBLIC_ID = "encode(sha256(id_hash), 'hex')";

export const publicIdOf = (id: string): string => createHash("sha256").update(sha256(id)).digest("hex");

export async function endSessionsOf(pool: Pool, table: SessionTable, owner: string, except?: string): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE ${table}.session SET ended_at = now(), data = '{}'
     WHERE ${OWNER[table].column} = $1 AND ended_at IS NULL AND id_hash IS DISTINCT FROM $2`,
    [owner, except === undefined ? null : Buffer.from(sha256(except))],
  );
  return rowCount ?? 0;
}

export async function sweepSessions(pool: Pool, table: SessionTable): Promise<void> {
  await deleteRows(pool, `${table}.session`, "least(expires_at, ended_at) < now() - interval '1 day'");
}
