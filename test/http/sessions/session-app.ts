import Fastify, { type FastifyInstance, type InjectOptions } from "fastify";
import { afterAll } from "vitest";
import type { Database } from "../../../src/db/database.ts";
import { csrfToken, registerForms } from "../../../src/http/pages/forms.ts";
import { registerSessions, signIn, signOut } from "../../../src/http/pages/sessions.ts";
import { testDatabase } from "../../support/database/database.ts";

export const URL = "http://localhost:4000";
const SECRET = "a-session-secret-of-more-than-32-characters";
export const OLDER_SECRET = "the-session-secret-that-was-there-before-it";
export const OWNER = "507f1f77bcf86cd799439011";

/** Makes an app with sessions and forms on its own database, and browsers for it. Call it at the top of a test file. */
export async function sessionApp() {
  const { database } = await testDatabase();
  await database.prisma.user.create({ data: { id: OWNER, handle: "ada", passwordHash: "x" } });
  const slow = Promise.withResolvers<void>();
  const app = await buildApp(database, slow.promise);
  afterAll(() => app.close());
  return {
    ...{ app, database, browser: (cookie?: string) => browserOf(app, cookie) },
    /** Requests to /slow wait until this is called. */
    finishSlowRequests: () => slow.resolve(),
  };
}

async function buildApp({ pool }: Database, slow: Promise<void>): Promise<FastifyInstance> {
  const server = Fastify();
  await server.register(async (scope) => {
    const table = "directory";
    const options = {
      pool,
      table,
      secrets: [SECRET, OLDER_SECRET],
      cookieName: "s",
      secure: false,
      idleSeconds: 7200,
      absoluteSeconds: 36_000,
    } as const;
    await registerSessions(scope, options);
    await registerForms(scope, URL);
    scope.get("/form", (_request, reply) => csrfToken(reply));
    scope.get("/plain", () => "nothing");
    scope.get("/who", (request) => ({ owner: request.session.owner ?? null }));
    scope.post("/in", async (_request, reply) => {
      await signIn(reply, OWNER);
      return "in";
    });
    scope.post("/out", async (request) => {
      await signOut(request);
      return "out";
    });
    scope.post("/noop", () => "done");
    scope.get("/slow", async (request) => {
      await slow;
      request.session.set("signedInAt", Date.now());
      return { owner: request.session.owner ?? null };
    });
  });
  return server;
}

/** A browser that keeps one cookie. */
function browserOf(app: FastifyInstance, cookie?: string) {
  const jar = { cookie };
  const send = async (options: InjectOptions) => {
    const headers = { ...(jar.cookie ? { cookie: jar.cookie } : {}), ...options.headers };
    const answer = await app.inject({ ...options, headers });
    const [set] = answer.cookies;
    if (set) jar.cookie = set.value === "" ? undefined : `${set.name}=${encodeURIComponent(set.value)}`;
    return answer;
  };
  const post = async (url: string, fields: Record<string, string> = {}) => {
    const token = (await send({ url: "/form" })).body;
    const payload = new URLSearchParams({ _csrf: token, ...fields }).toString();
    return send({ method: "POST", url, payload, headers: { "content-type": "application/x-www-form-urlencoded" } });
  };
  const owner = async () => (await send({ url: "/who" })).json().owner;
  return { jar, send, post, owner };
}

export function sendForm(sender: ReturnType<typeof browserOf>, token: string, headers: Record<string, string> = {}) {
  return sender.send({
    method: "POST",
    url: "/noop",
    payload: new URLSearchParams({ _csrf: token }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}
