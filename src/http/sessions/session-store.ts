import { createHash } from "node:crypto";
import type { SessionStore } from "@fastify/session";
import type { Session } from "fastify";
import type { Pool } from "pg";
import { deleteRows } from "../../db/delete-rows.ts";
import { sha256 } from "../../shared/crypto.ts";

export interface SessionLimits {
  /** Seconds without a request after which a session is over. */
  idleSeconds: number;
  /** Seconds after which a session is over however busy it is. */
  absoluteSeconds: number;
}

/** Which table keeps the sessions, and the column that says whose they are. */
export type SessionTable = "app" | "directory";
const OWNER = { app: { column: "account_id", type: "uuid" }, directory: { column: "user_id", type: "text" } };

/** An idle limit is written again only when this much of it has gone. */
const TOUCH_AFTER_SECONDS = 600;

/** Life of a session nobody is signed in to: it holds the token of a form, and anybody can have one made. */
const ANONYMOUS_SECONDS = 3600;

/**
 * A store for @fastify/session on PostgreSQL that keeps hashes of the ids, decides by the database's clock, writes
 * only what changed, and never lets a request in flight bring an ended session back (stock stores do).
 */
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

/** Ends the session for good. False where it was over already: of several that end it at once one is told true. */
export async function endSessionWithId(pool: Pool, table: SessionTable, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: `${table}-session-end`,
    text: `UPDATE ${table}.session SET ended_at = now(), data = '{}' WHERE id_hash = $1 AND ended_at IS NULL`,
    values: [Buffer.from(sha256(id))],
  });
  return rowCount === 1;
}

/** A live session as its owner may see it. */
export interface OwnSession {
  /** Names it and opens nothing: a hash of the hash that is stored. */
  publicId: string;
  /** The browser it was begun with, in words, where that is known. */
  browser: string | undefined;
  signedInAt: Date;
  /** Right to ten minutes, because the use of a session is not written more often. */
  lastUsedAt: Date;
}

/** The live sessions of one owner, last used first; the fifty last ones if there are more. */
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

/** Ends one session of an owner, by its public id; those of others are not theirs to end. */
export async function endSession(pool: Pool, table: SessionTable, owner: string, publicId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE ${table}.session SET ended_at = now(), data = '{}'
     WHERE ${OWNER[table].column} = $1 AND ended_at IS NULL AND ${PUBLIC_ID} = $2`,
    [owner, publicId],
  );
  return rowCount === 1;
}

const PUBLIC_ID = "encode(sha256(id_hash), 'hex')";

/** The public id of the session with this id. */
export const publicIdOf = (id: string): string => createHash("sha256").update(sha256(id)).digest("hex");

/** Ends every session of one owner; `except` spares the one in hand. Returns how many were ended. */
export async function endSessionsOf(pool: Pool, table: SessionTable, owner: string, except?: string): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE ${table}.session SET ended_at = now(), data = '{}'
     WHERE ${OWNER[table].column} = $1 AND ended_at IS NULL AND id_hash IS DISTINCT FROM $2`,
    [owner, except === undefined ? null : Buffer.from(sha256(except))],
  );
  return rowCount ?? 0;
}

/** Deletes sessions that ended or ran out more than a day ago. */
export async function sweepSessions(pool: Pool, table: SessionTable): Promise<void> {
  await deleteRows(pool, `${table}.session`, "least(expires_at, ended_at) < now() - interval '1 day'");
}
