import Fastify, { type FastifyInstance, type InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../src/crypto.ts";
import { csrfToken, registerForms } from "../../src/http/forms.ts";
import { endSessionsOf } from "../../src/http/session-store.ts";
import { registerSessions, signIn, signOut } from "../../src/http/sessions.ts";
import { testDatabase } from "../support/database.ts";

const { database } = await testDatabase();
const URL = "http://localhost:4000";
const SECRET = "a-session-secret-of-more-than-32-characters";
const OWNER = "507f1f77bcf86cd799439011";

let app: FastifyInstance;
/** Requests to /slow wait until this is called. */
let finishSlowRequests: () => void;
const slow = new Promise<void>((resolve) => {
  finishSlowRequests = resolve;
});

beforeAll(async () => {
  const data = { id: OWNER, handle: "ada", passwordHash: "x" };
  await database.prisma.user.create({ data });
  app = await buildApp();
});
afterAll(() => app.close());

/** A few routes behind the sessions and forms of the directory. */
async function buildApp(limits = { idleSeconds: 3600, absoluteSeconds: 36_000 }): Promise<FastifyInstance> {
  const server = Fastify();
  await server.register(async (scope) => {
    const table = "directory";
    const options = {
      pool: database.pool,
      table,
      secrets: [SECRET],
      cookieName: "s",
      secure: false,
      ...limits,
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

/** A browser's jar of one cookie. */
function browser(cookie?: string) {
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

const rows = async () => (await database.pool.query("SELECT count(*)::int AS n FROM directory.session")).rows[0].n;

describe("sessions", () => {
  test("a request that stores nothing makes no session", async () => {
    const before = await rows();
    const answer = await app.inject({ url: "/plain" });
    expect(answer.cookies).toEqual([]);
    expect(await rows()).toBe(before);
  });

  test("signing in gives a new id; the one known before is nobody's", async () => {
    const ada = browser();
    await ada.send({ url: "/form" });
    const known = ada.jar.cookie;
    await ada.post("/in");
    expect(ada.jar.cookie).not.toBe(known);
    expect(await ada.owner()).toBe(OWNER);
    expect(await browser(known).owner()).toBeNull();
  });

  test("the database holds only hashes of the ids", async () => {
    const ada = browser();
    await ada.post("/in");
    const id = decodeURIComponent(ada.jar.cookie ?? "").split(/[=.]/)[1] ?? "";
    const found = await database.pool.query("SELECT 1 FROM directory.session WHERE id_hash = $1", [
      Buffer.from(sha256(id)),
    ]);
    expect(found.rowCount).toBe(1);
    const all = await database.pool.query("SELECT s::text AS row FROM directory.session s");
    expect(all.rows.every(({ row }) => !row.includes(id))).toBe(true);
  });

  test("a hash from the database is no cookie", async () => {
    const { rows } = await database.pool.query(
      "SELECT encode(id_hash, 'base64') AS hash FROM directory.session LIMIT 1",
    );
    expect(await browser(`s=${encodeURIComponent(rows[0].hash)}`).owner()).toBeNull();
  });

  test.each([
    ["unsigned", "s=abcdef"],
    ["of another secret", "s=abcdef.c2lnbmF0dXJl"],
    ["empty", "s="],
    ["8 KB", `s=${"x".repeat(8000)}`],
    ["given twice", "s=a; s=b"],
    ["broken escapes", "s=%E0%A4%A"],
  ])("a cookie that is %s is anonymous and no error", async (_kind, cookie) => {
    expect((await browser(cookie).send({ url: "/who" })).json()).toEqual({ owner: null });
  });

  test("a request in flight does not bring back a session that was ended meanwhile", async () => {
    const ada = browser();
    await ada.post("/in");
    const cookie = ada.jar.cookie;
    const inFlight = browser(cookie).send({ url: "/slow" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await ada.post("/out");
    expect(ada.jar.cookie).toBeUndefined();
    finishSlowRequests();
    await inFlight;
    expect(await browser(cookie).owner()).toBeNull();
  });

  test("the idle and the absolute limit end a session by the database's clock", async () => {
    for (const column of ["expires_at", "created_at"]) {
      const ada = browser();
      await ada.post("/in");
      await database.pool.query(
        `UPDATE directory.session SET ${column} = now() - interval '11 hours' WHERE ended_at IS NULL`,
      );
      expect(await ada.owner()).toBeNull();
    }
  });

  test("all sessions of one person can be ended, sparing the one in hand", async () => {
    const [one, two] = [browser(), browser()];
    await Promise.all([one.post("/in"), two.post("/in")]);
    await endSessionsOf(database.pool, "directory", OWNER);
    expect(await one.owner()).toBeNull();
    expect(await two.owner()).toBeNull();
  });

  test("every form asked for in parallel right after signing in can be sent", async () => {
    const ada = browser();
    await ada.post("/in");
    const cookie = ada.jar.cookie;
    const forms = await Promise.all(Array.from({ length: 20 }, () => browser(cookie).send({ url: "/form" })));
    for (const { body } of forms) expect((await sendForm(browser(cookie), body)).statusCode).toBe(200);
  });
});

function sendForm(sender: ReturnType<typeof browser>, token: string, headers: Record<string, string> = {}) {
  return sender.send({
    method: "POST",
    url: "/noop",
    payload: new URLSearchParams({ _csrf: token }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

describe("forms", () => {
  test("need the token of their own session", async () => {
    const [ada, bob] = [browser(), browser()];
    const token = (await ada.send({ url: "/form" })).body;
    const foreign = (await bob.send({ url: "/form" })).body;
    expect((await sendForm(ada, token)).statusCode).toBe(200);
    expect((await sendForm(ada, foreign)).statusCode).toBe(403);
    expect((await sendForm(ada, "")).statusCode).toBe(403);
    expect((await sendForm(browser(), token)).statusCode).toBe(403);
  });

  test("of the time before signing in are refused afterwards", async () => {
    const ada = browser();
    const before = (await ada.send({ url: "/form" })).body;
    await ada.post("/in");
    expect((await sendForm(ada, before)).statusCode).toBe(403);
  });

  test.each([
    ["a token in the query", { url: "/noop?_csrf=TOKEN", payload: "" }],
    ["a token given twice", { payload: "_csrf=TOKEN&_csrf=TOKEN" }],
    ["a token in a header", { payload: "", headers: { "x-csrf-token": "TOKEN" } }],
    ["another origin", { headers: { origin: "http://evil.example" } }],
    ["the null origin", { headers: { origin: "null" } }],
    ["another site by Sec-Fetch-Site", { headers: { "sec-fetch-site": "cross-site" } }],
    ["a neighbouring port by Sec-Fetch-Site", { headers: { "sec-fetch-site": "same-site" } }],
    ["text/plain", { headers: { "content-type": "text/plain" } }],
  ])("are refused with %s", async (_kind, wrong) => {
    const ada = browser();
    const token = (await ada.send({ url: "/form" })).body;
    const right = { url: "/noop", payload: "_csrf=TOKEN", headers: {} };
    const { url, payload, headers } = JSON.parse(JSON.stringify({ ...right, ...wrong }).replaceAll("TOKEN", token));
    const answer = await ada.send({
      method: "POST",
      url,
      payload,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
    expect([403, 415]).toContain(answer.statusCode);
    expect((await sendForm(ada, token, { origin: URL, "sec-fetch-site": "same-origin" })).statusCode).toBe(200);
  });
});
