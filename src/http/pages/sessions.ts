import { createHash } from "node:crypto";
import querystring from "node:querystring";
import cookie, { Signer } from "@fastify/cookie";
import session, { type SessionStore } from "@fastify/session";
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from "fastify";
import type { Pool } from "pg";
import { deleteRows } from "../../db/bulk.ts";
import { type Db, execute, prepared, queryRow, queryRows, rawSql, sql } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { randomToken, sha256 } from "../../shared/crypto.ts";
import { cookiesNamed } from "../cookies.ts";
import { csrfToken } from "./forms.ts";
import { shownTime } from "./times.ts";

declare module "fastify" {
  interface Session {
    /** Account id in the web app, user id in the directory. */
    owner?: string;
    /** In epoch milliseconds. */
    signedInAt?: number;
    /** When they last entered their password, in epoch milliseconds, if known. */
    verifiedAt?: number;
    browser?: string;
  }
}

interface SessionOptions extends SessionLimits {
  pool: Pool;
  table: SessionTable;
  secrets: readonly string[];
  cookieName: string;
  /** Set it for https: the cookie is Secure and has the prefix `__Host-`. */
  secure: boolean;
}

/** Use a child scope, so that health checks and static files need no database (interface, "Authentication", rule 8). */
export async function registerSessions(scope: FastifyInstance, options: SessionOptions): Promise<void> {
  const name = fullName(options);
  const attributes = { path: "/", httpOnly: true, sameSite: "lax", secure: options.secure } as const;
  await scope.register(cookie, { secret: [...options.secrets] });
  const sent = new WeakSet<FastifyReply>();
  scope.addHook("onSend", async (request, reply) => {
    // The session of the page could not be saved. The page that says so is sent without, or it could not be sent either.
    if (sent.has(reply)) Object.assign(request, { session: {} });
    sent.add(reply);
    // A request that was refused before these plugins ran has neither session nor cookies.
    if (request.session === null && request.cookies?.[name] !== undefined) reply.clearCookie(name, attributes);
  });
  scope.addHook("onRequest", async (request) => {
    // Another host below our domain may have set a second cookie of this name: then neither counts (attacks A14).
    if (cookiesNamed(name, request.headers.cookie).length > 1) request.cookies[name] = undefined;
  });
  await scope.register(session, {
    secret: [...options.secrets],
    cookieName: name,
    cookie: { ...attributes, maxAge: options.absoluteSeconds * 1000 },
    store: createSessionStore(options.pool, options.table, options),
    idGenerator: () => randomToken(),
    saveUninitialized: false,
    rolling: false,
  });
  // The plugin also sets the cookie of an existing session when it stores something, and clears that of an unknown one. A late
  // response for an ended session would so log out a user who has logged in since.
  scope.addHook("onSend", async ({ session, cookies }, reply) => {
    if (!session?.sessionId) return; // signed out, or refused before there was one
    if (session.isSaved() && !cookies[name]?.startsWith(`${session.sessionId}.`)) return; // new
    const lines = [reply.getHeader("set-cookie") ?? []].flat().map(String);
    reply.removeHeader("set-cookie");
    const others = lines.filter((line) => !line.startsWith(`${name}=`));
    if (others.length > 0) reply.header("set-cookie", others);
  });
}

/** Reads sessions of requests outside the scope, such as one for a missing page. Returns undefined for a guest. */
export function sessionReader(options: SessionOptions) {
  const signer = new Signer([...options.secrets]);
  const store = createSessionStore(options.pool, options.table, options);
  const name = fullName(options);
  return async ({ headers }: FastifyRequest): Promise<Session | undefined> => {
    const [signed = "", ...more] = cookiesNamed(name, headers.cookie);
    const { value } = signer.unsign(querystring.unescape(signed));
    if (value === null || more.length > 0) return undefined;
    return new Promise((resolve, reject) => {
      store.get(value, (error, session) => (error ? reject(error) : resolve(session ?? undefined)));
    });
  };
}

const fullName = ({ secure, cookieName }: SessionOptions) => (secure ? `__Host-${cookieName}` : cookieName);

interface SignIn {
  /** Kept if the same owner signs in again; another owner gets nothing (attacks A25). */
  keep?: (keyof Session)[];
  /** When they entered their password, in epoch milliseconds, if known. */
  verifiedAt?: number;
}

/**
 * Signs `owner` in under a new session id, and ends the old session. The form secret stays for the same owner, so that open
 * pages still work. Otherwise a new one is made now, because several first pages may be requested at once.
 */
export async function signIn(
  reply: FastifyReply,
  owner: string,
  { keep = [], verifiedAt }: SignIn = {},
): Promise<void> {
  const { request } = reply;
  await request.session.regenerate(request.session.owner === owner ? ["formSecret", ...keep] : []);
  request.session.set("owner", owner);
  request.session.set("signedInAt", Date.now());
  if (verifiedAt !== undefined) request.session.set("verifiedAt", verifiedAt);
  request.session.set("browser", browserName(request.headers["user-agent"]));
  csrfToken(reply);
}

export async function signOut(request: FastifyRequest): Promise<void> {
  await request.session.destroy();
}

export interface SessionLimits {
  idleSeconds: number;
  absoluteSeconds: number;
}

type SessionTable = "app" | "directory";
const OWNER = {
  app: { column: sql`account_id`, type: sql`uuid` },
  directory: { column: sql`user_id`, type: sql`text` },
};

/** Use of a session is written only this often. */
const TOUCH_AFTER_SECONDS = 600;

/** Anonymous sessions only hold a form token, and anybody can create them. */
const ANONYMOUS_SECONDS = 3600;

/** Keeps hashes of the ids. Unlike stock stores, never lets a request in flight revive an ended session. */
function createSessionStore(db: Db, table: SessionTable, limits: SessionLimits): SessionStore {
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

const USE_NOTED_MS = 600_000;

interface LiveSession {
  /** A hash of the stored hash: identifies the session but cannot open it. */
  publicId: string;
  /** For example "Firefox on Linux", if known. */
  browser: string | undefined;
  signedInAt: Date;
  /** Accurate to USE_NOTED_MS, because it is not written more often. */
  lastUsedAt: Date;
}

export async function sessionsOf(
  db: Db,
  table: SessionTable,
  owner: string,
  { idleSeconds, absoluteSeconds }: SessionLimits,
): Promise<LiveSession[]> {
  const rows = await queryRows<Omit<LiveSession, "browser"> & { browser: string | null }>(db)`
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

interface Owned {
  pool: Pool;
  table: SessionTable;
  owner: string;
  limits: SessionLimits;
}

/** The current session comes first. */
export async function ownSessions({ session }: FastifyRequest, { pool, table, owner, limits }: Owned) {
  const sessions = await sessionsOf(pool, table, owner, limits);
  const current = publicIdOf(session.sessionId);
  return sessions
    .map(({ publicId, browser, signedInAt, lastUsedAt }) => ({
      publicId,
      browser: browser === undefined ? t("Unknown browser") : browserInWords(browser),
      isCurrent: publicId === current,
      signedIn: shownTime(signedInAt),
      lastUsed: shownTime(Date.now() - lastUsedAt.getTime() < USE_NOTED_MS ? new Date() : lastUsedAt),
    }))
    .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}
export type OwnSession = Awaited<ReturnType<typeof ownSessions>>[number];

/** In this order, because some browsers also name the one whose engine they use. */
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(\b|Headless)(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

export function browserName(userAgent = ""): string | undefined {
  const text = userAgent.slice(0, 500);
  const [browser, system] = [BROWSERS, SYSTEMS].map((list) => list.find(([pattern]) => pattern.test(text))?.[1]);
  if (!browser) return system && `A browser on ${system}`;
  return system ? `${browser} on ${system}` : browser;
}

/** Words a stored browserName() in the language of the reader. */
export function browserInWords(name: string): string {
  const [browser = "", system] = name.split(" on ");
  if (!system) return name;
  return browser === "A browser"
    ? t("A browser on {system}", { system })
    : t("{browser} on {system}", { browser, system });
}
