import { PassThrough } from "node:stream";
import type { FastifyInstance } from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { buildApi } from "../../src/directory/api/app.ts";
import { addApplication, updateApplication } from "../../src/directory/applications.ts";
import { countUp } from "../../src/directory/counters.ts";
import { sweepDirectory } from "../../src/directory/sweep.ts";
import { createLogger } from "../../src/http/logger.ts";
import { API_URL, AUTH_URL, apiHost, connect, credentialsOf, DOWNTOWN, V } from "./api-host.ts";

const host = await apiHost();
const { pool } = host.deps;
const one = await instance(5);
const other = await instance(5);
const unlimited = await instance("off");
const usual = await instance(undefined);

const SEARCH = "/v2/venues/search";
type Fields = Record<string, string>;

/** One of several processes on the same database, behind a proxy. */
async function instance(rateLimit: Config["rateLimit"]): Promise<FastifyInstance> {
  const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });
  const address = { url: API_URL, host: "127.0.0.1", port: 0 };
  const config = { auth: { ...address, url: AUTH_URL }, api: address, tls: undefined, trustProxy: ["127.0.0.1"] };
  const app = await buildApi({ ...host.deps, log, config: { ...config, rateLimit } });
  afterAll(() => app.close());
  return app;
}

interface How {
  path?: string;
  fields?: Fields;
  method?: string;
  /** Whom the proxy names. */
  from?: string;
}

async function call(app: FastifyInstance, { path = SEARCH, fields = {}, method = "GET", from }: How = {}) {
  const reply = await app.inject({
    method: method as "GET",
    url: `${path}?${new URLSearchParams({ v: V, ll: DOWNTOWN, ...fields })}`,
    headers: from ? { "x-forwarded-for": from, "x-forwarded-proto": "https" } : {},
  });
  const { meta = {}, response } = method === "HEAD" ? {} : reply.json();
  const header = (name: string) => Number(reply.headers[`x-ratelimit-${name}`] ?? Number.NaN);
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map(header);
  const retryAfter = Number(reply.headers["retry-after"] ?? Number.NaN);
  return { status: reply.statusCode, meta, response, limit, remaining, reset, retryAfter, headers: reply.headers };
}

const newToken = async (): Promise<Fields> => ({ oauth_token: (await host.newUser()).token });

async function newApplication(rateLimit?: number | null) {
  const { userId: ownerId } = await host.newUser();
  const redirectUris = ["https://app.example/callback"];
  const added = await addApplication(host.deps, { ownerId, name: "App", redirectUris, rateLimit: rateLimit ?? null });
  const { token } = await connect(host.deps, { userId: ownerId, clientId: added.clientId });
  return { clientId: added.clientId, userless: credentialsOf(added), token: { oauth_token: token } };
}

/** Time passes for all that was counted so far. */
async function anHourPasses(): Promise<void> {
  await pool.query("DELETE FROM directory.rate_count WHERE window_start < now() - interval '1 hour'");
  await pool.query("UPDATE directory.rate_count SET window_start = window_start - interval '1 hour'");
}

describe("calls an hour", () => {
  test("C25: each answer says what is left, and beyond the limit it is 403 with when to go on", async () => {
    const fields = await newToken();
    for (const left of [4, 3, 2, 1, 0])
      expect(await call(one, { fields })).toMatchObject({ status: 200, limit: 5, remaining: left });
    const refused = await call(one, { fields });
    expect(refused).toMatchObject({ status: 403, limit: 5, remaining: 0, response: {} });
    expect(refused.meta).toMatchObject({ code: 403, errorType: "rate_limit_exceeded" });
    expect(refused.retryAfter).toBeGreaterThan(3500);
    expect(refused.retryAfter).toBeLessThanOrEqual(3600);
    expect(Math.abs((refused.reset ?? 0) - Date.now() / 1000 - refused.retryAfter)).toBeLessThan(5);
    expect(refused.headers["x-ratelimit-path"]).toBe("/v2/venues/*");
  });

  test("C25: of a token are its own: another token, the application and another group go on", async () => {
    const { token, userless } = await newApplication();
    for (let time = 0; time < 6; time += 1) await call(one, { fields: token });
    expect((await call(one, { fields: token })).status).toBe(403);
    expect((await call(one, { fields: userless })).remaining).toBe(4);
    expect((await call(one, { fields: await newToken() })).remaining).toBe(4);
    expect(await call(one, { path: "/v2/users/self", fields: token })).toMatchObject({ status: 200, remaining: 4 });
  });

  test("C25: of an application are counted when its secret is right, and not when it is wrong", async () => {
    const { userless } = await newApplication();
    expect((await call(one, { fields: userless })).status).toBe(200);
    for (let time = 0; time < 7; time += 1)
      expect((await call(one, { fields: { ...userless, client_secret: "wrong" } })).status).toBe(400);
    const statuses = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await call(one, { fields: userless })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 403]);
  });

  test("C25: two instances on one database agree, one after the other and all at once", async () => {
    for (const fields of [await newToken(), (await newApplication()).userless]) {
      const statuses = [];
      for (const app of [one, other, other, one, other, one, other])
        statuses.push((await call(app, { fields })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 403, 403]);
      await anHourPasses();
      const atOnce = await Promise.all(
        [one, other, one, other, one, other, one, other].map((app) => call(app, { fields })),
      );
      expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(5);
    }
  });

  test("begin anew an hour after the first", async () => {
    const fields = await newToken();
    for (let time = 0; time < 6; time += 1) await call(one, { fields });
    await pool.query("UPDATE directory.rate_count SET window_start = window_start - interval '50 minutes'");
    const refused = await call(one, { fields });
    expect([refused.status, refused.meta.errorDetail]).toEqual([
      403,
      expect.stringMatching(/Go on in (9|10) minutes\./),
    ]);
    await anHourPasses();
    expect(await call(one, { fields })).toMatchObject({ status: 200, remaining: 4 });
  });

  test("of a call of several are as many as it makes", async () => {
    const fields = { ...(await newToken()), requests: "/users/self,/users/self/checkins,/venues/categories" };
    expect(await call(one, { path: "/v2/multi", fields })).toMatchObject({ status: 200, remaining: 2 });
    expect(await call(one, { path: "/v2/multi", fields })).toMatchObject({ status: 403, remaining: 0 });
  });

  test("are 500 of a token, 5000 of an application to venues and 500 elsewhere, unless told otherwise", async () => {
    const { token, userless } = await newApplication();
    expect(await call(usual, { fields: token })).toMatchObject({ limit: 500, remaining: 499 });
    expect(await call(usual, { fields: userless })).toMatchObject({ limit: 5000, remaining: 4999 });
    expect(await call(usual, { path: "/v2/users/self", fields: userless })).toMatchObject({ status: 400, limit: 500 });
  });

  test("are as many as the application's own limit says, and without end where it has none", async () => {
    const { clientId, token, userless } = await newApplication(2);
    for (const fields of [token, userless])
      expect(await call(one, { fields })).toMatchObject({ limit: 2, remaining: 1 });
    await updateApplication(host.deps, clientId, { rateLimit: 0 });
    for (const fields of [token, userless])
      for (let time = 0; time < 7; time += 1)
        expect(await call(one, { fields })).toMatchObject({ status: 200, limit: 1_000_000, remaining: 1_000_000 });
    await updateApplication(host.deps, clientId, { rateLimit: null });
    for (const fields of [token, userless])
      expect(await call(one, { fields })).toMatchObject({ limit: 5, remaining: 3 });
  });

  test("are without end with RATE_LIMIT=off, and then not counted", async () => {
    const fields = await newToken();
    const counted = await pool.query("SELECT sum(count) FROM directory.rate_count");
    for (let time = 0; time < 7; time += 1)
      expect(await call(unlimited, { fields })).toMatchObject({ status: 200, limit: 1_000_000, remaining: 1_000_000 });
    expect((await pool.query("SELECT sum(count) FROM directory.rate_count")).rows).toEqual(counted.rows);
  });
});

describe("refused calls of nobody known", () => {
  const stranger: Fields = { oauth_token: "wrong" };
  /** Lets the network `from` make its 999th refused call, and `more` of the others pass. */
  async function almostThere(from: string) {
    const before = await rowsOf();
    await call(one, { fields: stranger, from });
    const subject = (await rowsOf()).find((each) => !before.includes(each));
    await pool.query("UPDATE directory.rate_count SET count = 999 WHERE subject = $1", [subject]);
    return subject;
  }
  const rowsOf = async (): Promise<string[]> => {
    const { rows } = await pool.query(
      "SELECT subject FROM directory.rate_count WHERE subject LIKE 'refused calls of %'",
    );
    return rows.map(({ subject }) => subject);
  };
  const countOf = async (subject: string | undefined) =>
    (await pool.query("SELECT count FROM directory.rate_count WHERE subject = $1", [subject])).rows[0]?.count;

  const REFUSED: [what: string, status: number, how: How][] = [
    ["a wrong token", 401, { fields: { oauth_token: "wrong" } }],
    ["no credentials", 400, {}],
    ["a wrong secret", 400, { fields: { client_id: "someone", client_secret: "wrong" } }],
    ["a path that does not exist", 404, { path: "/v2/nothing" }],
    ["a method that does not exist", 405, { method: "DELETE" }],
    ["HEAD", 405, { method: "HEAD" }],
    ["an address that cannot be read", 400, { path: "/v2/%zz" }],
  ];
  test.each(REFUSED)(
    "C25: %s counts against the network, and each answer says what is left",
    async (_what, status, how) => {
      const [first, second] = [await call(one, how), await call(one, how)];
      expect(second).toMatchObject({ status, limit: 1000, remaining: (first.remaining ?? 0) - 1 });
    },
  );

  test("C25: are answered 429 beyond the limit, whatever they are and wherever they arrive", async () => {
    const from = "203.0.113.20";
    await almostThere(from);
    expect(await call(one, { path: "/v2/nothing", from })).toMatchObject({ status: 404, limit: 1000, remaining: 0 });
    for (const app of [one, other, unlimited])
      for (const how of [{ fields: stranger }, { path: "/v2/nothing" }, { method: "PUT" }]) {
        const refused = await call(app, { ...how, from });
        expect(refused).toMatchObject({ status: 429, limit: 1000, remaining: 0, response: {} });
        expect(refused.meta).toMatchObject({ code: 429, errorType: "rate_limit_exceeded" });
        expect(refused.retryAfter).toBeGreaterThan(3500);
        expect(Math.abs((refused.reset ?? 0) - Date.now() / 1000 - refused.retryAfter)).toBeLessThan(5);
      }
  });

  test("C25: of one IPv6 /64 are counted together, those of the next are not", async () => {
    await almostThere("2001:db8:7:7::1");
    await call(one, { fields: stranger, from: "2001:db8:7:7:ffff::9" });
    expect((await call(one, { fields: stranger, from: "2001:0db8:0007:0007::2" })).status).toBe(429);
    expect(await call(one, { fields: stranger, from: "2001:db8:7:8::1" })).toMatchObject({
      status: 401,
      remaining: 999,
    });
  });

  test("do not keep good credentials behind the same address from working", async () => {
    const from = "203.0.113.21";
    await almostThere(from);
    for (let time = 0; time < 3; time += 1) await call(one, { fields: stranger, from });
    expect((await call(one, { fields: stranger, from })).status).toBe(429);
    expect(await call(one, { fields: await newToken(), from })).toMatchObject({ status: 200, limit: 5, remaining: 4 });
    expect((await call(one, { fields: { ...(await newToken()), ll: "x" }, from })).status).toBe(400);
  });

  test("are no longer written once a network is over its limit, and counted anew an hour later", async () => {
    const from = "203.0.113.22";
    const subject = await almostThere(from);
    for (let time = 0; time < 30; time += 1) await call(one, { fields: stranger, from });
    expect(await countOf(subject)).toBe(1001);
    await anHourPasses();
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
    const answer = await call(one, { fields: stranger, from });
    Date.now = now;
    expect(answer).toMatchObject({ status: 401, remaining: 999 });
  });

  test("are not the preflights of browsers, which may read what is left", async () => {
    const from = "203.0.113.23";
    await call(one, { path: "/v2/nothing", from });
    const origin = { origin: "https://map.example", "x-forwarded-for": from, "x-forwarded-proto": "https" };
    const headers = { ...origin, "access-control-request-method": "POST" };
    for (let time = 0; time < 3; time += 1)
      expect((await one.inject({ method: "OPTIONS", url: SEARCH, headers })).statusCode).toBe(204);
    const answer = await call(one, { path: "/v2/nothing", from });
    expect(answer.remaining).toBe(998);
    const exposed = String(answer.headers["access-control-expose-headers"]).split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]),
    );
    expect(exposed).toEqual(expect.arrayContaining(["Retry-After", "X-Request-Id"]));
  });

  test("stay what they are while the database does not answer, headers included", async () => {
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const [missing, search] = await Promise.all([call(one, { path: "/v2/nothing" }), call(one, { fields: stranger })]);
    for (const client of held) client.release();
    expect(missing).toMatchObject({ status: 404, limit: 1000 });
    expect(search).toMatchObject({ status: 503, limit: 1000 });
  });

  test("leave no address in the database", async () => {
    await call(one, { fields: stranger, from: "203.0.113.99" });
    const { rows } = await pool.query("SELECT subject FROM directory.rate_count");
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|2001:db8|127\.0\.0/);
  });
});

test("first counts at once meet in one row, and none is lost", async () => {
  const counter = { subject: "a test of many at once", windowSeconds: 3600 };
  const counts = await Promise.all(Array.from({ length: 24 }, () => countUp(pool, counter)));
  expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1));
});

test("what was counted long ago is swept away, what counts stays", async () => {
  const count = async () =>
    (await pool.query("SELECT FROM directory.rate_count WHERE subject LIKE 'swept %'")).rowCount;
  await countUp(pool, { subject: "swept old", windowSeconds: 3600 });
  await pool.query(
    "UPDATE directory.rate_count SET window_start = now() - interval '3 hours' WHERE subject = 'swept old'",
  );
  await countUp(pool, { subject: "swept new", windowSeconds: 3600 });
  await sweepDirectory(pool);
  expect(await count()).toBe(1);
});
