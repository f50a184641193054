import cookie from "@fastify/cookie";
import session from "@fastify/session";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import { randomToken } from "../crypto.ts";
import { csrfToken } from "./forms.ts";
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
  const name = options.secure ? `__Host-${options.cookieName}` : options.cookieName;
  const attributes = { path: "/", httpOnly: true, sameSite: "lax", secure: options.secure } as const;
  await scope.register(cookie, { secret: [...options.secrets] });
  scope.addHook("onSend", async (request, reply) => {
    // A request that was refused before these plugins saw it has neither session nor cookies.
    if (request.session === null && request.cookies?.[name] !== undefined) reply.clearCookie(name, attributes);
  });
  scope.addHook("onRequest", async (request) => {
    // Two of one name: somebody else put one there, such as another host below our domain. Neither counts (attacks A14).
    if (timesGiven(name, request.headers.cookie) > 1) request.cookies[name] = undefined;
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
}

const timesGiven = (name: string, cookies = ""): number =>
  cookies.split(";").filter((pair) => pair.split("=", 1)[0]?.trim() === name).length;

/**
 * Makes `owner` the one who is signed in, under a new session id; the old session is ended. The CSRF secret is made at
 * once, because several first pages may be asked for in parallel.
 */
export async function signIn(reply: FastifyReply, owner: string): Promise<void> {
  const { request } = reply;
  await request.session.regenerate();
  request.session.set("owner", owner);
  request.session.set("signedInAt", Date.now());
  csrfToken(reply);
}

/** Ends the session for good and clears its cookie. */
export async function signOut(request: FastifyRequest): Promise<void> {
  await request.session.destroy();
}
