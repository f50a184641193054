import querystring from "node:querystring";
import cookie, { Signer } from "@fastify/cookie";
import session from "@fastify/session";
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from "fastify";
import type { Pool } from "pg";
import { randomToken } from "../../shared/crypto.ts";
import { cookiesNamed } from "../cookies.ts";
import { csrfToken } from "../pages/forms.ts";
import { browserName } from "./browser-name.ts";
import { createSessionStore, type SessionLimits, type SessionTable } from "./session-store.ts";

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

export interface SessionOptions extends SessionLimits {
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
