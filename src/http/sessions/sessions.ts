import querystring from "node:querystring";
import cookie, { Signer } from "@fastify/cookie";
import session from "@fastify/session";
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from "fastify";
import type { Pool } from "pg";
import { randomToken } from "../../shared/crypto.ts";
import { browserName } from "../browser-name.ts";
import { csrfToken } from "../forms.ts";
import { createSessionStore, type SessionLimits, type SessionTable } from "./session-store.ts";

declare module "fastify" {
  interface Session {
    /** Who is signed in: the account's id in the app, the user's in the directory. */
    owner?: string;
    /** When they signed in, epoch milliseconds. */
    signedInAt?: number;
    /** When they last gave their password, epoch milliseconds, where that is known. */
    verifiedAt?: number;
    /** The browser and system they signed in with, for them to know it again. */
    browser?: string;
  }
}

export interface SessionOptions extends SessionLimits {
  pool: Pool;
  table: SessionTable;
  /** Newest first; all are accepted. */
  secrets: readonly string[];
  cookieName: string;
  /** True behind https: the cookie is then Secure and carries the `__Host-` prefix. */
  secure: boolean;
}

/**
 * Session cookies (interface, "Authentication", rule 8) for the routes of `scope`. Register in a child scope, so that
 * health checks and static files do not need the database. A request that stores nothing writes nothing.
 */
export async function registerSessions(scope: FastifyInstance, options: SessionOptions): Promise<void> {
  const name = fullName(options);
  const attributes = { path: "/", httpOnly: true, sameSite: "lax", secure: options.secure } as const;
  await scope.register(cookie, { secret: [...options.secrets] });
  scope.addHook("onSend", async (request, reply) => {
    // A request that was refused before these plugins saw it has neither session nor cookies.
    if (request.session === null && request.cookies?.[name] !== undefined) reply.clearCookie(name, attributes);
  });
  scope.addHook("onRequest", async (request) => {
    // Two of one name: somebody else put one there, such as another host below our domain. Neither counts (attacks A14).
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
  // Otherwise an answer that comes late, to a session that has ended since, would log out whoever has logged in since: the
  // plugin clears the cookie of a session that it does not know, and sets the one it knows again when something is stored.
  scope.addHook("onSend", async ({ session, cookies }, reply) => {
    if (!session?.sessionId) return; // signed out, or refused before there was one
    if (session.isSaved() && !cookies[name]?.startsWith(`${session.sessionId}.`)) return; // new
    const lines = [reply.getHeader("set-cookie") ?? []].flat().map(String);
    reply.removeHeader("set-cookie");
    const others = lines.filter((line) => !line.startsWith(`${name}=`));
    if (others.length > 0) reply.header("set-cookie", others);
  });
}

/**
 * Reads the session of a request that no route of the scope answers, such as one for a page that is not there. Undefined
 * for a guest.
 */
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

const cookiesNamed = (name: string, cookies = ""): string[] =>
  cookies
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.split("=", 1)[0]?.trim() === name)
    .map((pair) => pair.slice(pair.indexOf("=") + 1).trim());

interface SignIn {
  /** What somebody who signs in again keeps of their session; another person gets nothing of it (attacks A25). */
  keep?: (keyof Session)[];
  /** When they gave their password just now, epoch milliseconds, where that is known. */
  verifiedAt?: number;
}

/**
 * Makes `owner` the one who is signed in, under a new session id; the old session is ended. Pages that the same person has
 * open go on working: their forms' secret stays. Anew it is made at once, because several first pages may be asked for in
 * parallel.
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

/** Ends the session for good and clears its cookie. */
export async function signOut(request: FastifyRequest): Promise<void> {
  await request.session.destroy();
}
