import { PassThrough } from "node:stream";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Access } from "../../../src/directory/access.ts";
import { buildApi } from "../../../src/directory/api/app.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { API_URL, apiHost, credentialsOf, expectError } from "../api/host.ts";
import { V02, V10 } from "./host.ts";

const host = await apiHost();
const LIMIT = 6;
const lines: string[] = [];
let apps: FastifyInstance[] = [];

const UNLIMITED = 2;

/** Two instances on one database with a low limit, and one with RATE_LIMIT=off. */
beforeAll(async () => {
  const destination = new PassThrough().on("data", (chunk) => lines.push(String(chunk)));
  const log = createLogger({ level: "trace", destination });
  const api = { url: API_URL, host: "127.0.0.1", port: 0 };
  const unset = { tls: undefined, trustProxy: undefined, basemap: undefined, publicSearch: true };
  const config = { auth: api, api, ...unset, languages: ["en"] as const };
  const limits = [LIMIT, LIMIT, "off"] as const;
  apps = await Promise.all(
    limits.map((rateLimit) => buildApi({ ...host.deps, log, config: { ...config, rateLimit } })),
  );
});
afterAll(() => Promise.all(apps.map((app) => app.close())));
beforeEach(() => host.deps.pool.query("DELETE FROM directory.rate_count"));

interface Call {
  path?: string;
  queries?: number;
  as?: Record<string, string>;
  from?: string;
  at?: number;
}

/** Sends concurrent queries to one of the instances. */
async function ask({ path = V02, queries = 1, as = {}, from = "127.0.0.1", at = 0 }: Call = {}) {
  const batch = Object.fromEntries(Array.from({ length: queries }, (_, i) => [`q${i}`, { query: "Tea" }]));
  const asked = path === V02 ? { queries: JSON.stringify(batch) } : { prefix: "tea", id: "x" };
  const url = `${path}?${new URLSearchParams({ ...asked, ...as })}`;
  const reply = await apps[at]?.inject({ method: "GET", url, remoteAddress: from });
  if (!reply) throw new Error("There is no such instance.");
  return { status: reply.statusCode, headers: reply.headers, text: reply.body, body: reply.json() };
}

describe("the reconciliation service", () => {
  test("accepts calls without credentials, and reports the remaining calls", async () => {
    const { status, headers } = await ask({ queries: 2 });
    expect([status, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([200, "6", "4"]);
  });

  test("requires no `v`", async () => {
    expect((await ask({ as: { oauth_token: host.user.token } })).status).toBe(200);
  });

  test.each<[string, () => Record<string, string>]>([
    ["a wrong secret", () => ({ ...credentialsOf(host.application), client_secret: "wrong" })],
    ["an unknown application", () => ({ client_id: "nobody", client_secret: "wrong" })],
    ["a client id alone", () => ({ client_id: host.application.clientId })],
    ["a secret alone", () => ({ client_secret: host.application.clientSecret })],
    ["an unknown token", () => ({ oauth_token: "wrong" })],
    ["a token under another name", () => ({ access_token: host.user.token })],
    ["a token and another application's id", () => ({ oauth_token: host.user.token, client_id: "nobody" })],
  ])("rejects bad credentials with 401: %s", async (_what, credentials) => {
    for (const path of [V02, `${V02}/suggest/entity`, `${V10}/suggest/type`, `${V10}/extend/propose`])
      expectError(await ask({ path, as: credentials() }), 401, "invalid_auth");
  });

  test("C17: logs no credentials", async () => {
    await ask({ as: credentialsOf(host.application) });
    await ask({ as: { oauth_token: host.user.token } });
    expect(lines.join("")).toContain(`GET ${V02}`);
    for (const secret of [host.application.clientSecret, host.user.token]) expect(lines.join("")).not.toContain(secret);
  });
});

describe("the reconciliation access of an application", () => {
  const set = (access: Access) =>
    host.deps.prisma.application.update({ where: { clientId: host.application.clientId }, data: { access } });

  test("C26: excludes matches while it is read-only, and everything while it is stopped", async () => {
    for (const as of [credentialsOf(host.application), { oauth_token: host.user.token }]) {
      const statuses = async () =>
        Promise.all(
          [V02, `${V02}/suggest/entity`, `${V10}/extend/propose`].map(async (path) => (await ask({ path, as })).status),
        );
      await set("reading");
      expect(await statuses()).toEqual([403, 200, 200]);
      await set("stopped");
      expect(await statuses()).toEqual([403, 403, 403]);
      expect((await ask({ as })).body.response).toEqual({ application: { access: "stopped" } });
      await set("enabled");
    }
  });

  test.each<[Access, number[]]>([
    ["enabled", [200, 200, 200]],
    ["reading", [401, 200, 200]],
    ["stopped", [401, 401, 401]],
  ])("C26: of %s for new applications also applies to calls without credentials", async (newApplications, expected) => {
    const operator = { names: [], contact: undefined, newApplications, ownClient: undefined };
    const api = { url: API_URL, host: "127.0.0.1", port: 0 };
    const config = {
      auth: api,
      api,
      tls: undefined,
      trustProxy: undefined,
      basemap: undefined,
      publicSearch: true,
      languages: ["en"] as const,
      rateLimit: "off" as const,
    };
    const app = await buildApi({ ...host.deps, operator, log: createLogger({ level: "silent" }), config });
    onTestFinished(() => app.close());
    const get = async (url: string) => (await app.inject({ method: "GET", url })).statusCode;
    const queries = `${V02}?${new URLSearchParams({ query: "Tea" })}`;
    expect([
      await get(queries),
      await get(`${V02}/suggest/entity?prefix=tea`),
      await get(`${V10}/extend/propose`),
    ]).toEqual(expected);
    const known = new URLSearchParams({ query: "Tea", ...credentialsOf(host.application) });
    expect(await get(`${V02}?${known}`)).toBe(200);
    expect([await get(V02), await get(V10)]).toEqual([200, 200]);
  });
});

describe("C25: the limit of reconciliation queries", () => {
  test("counts each query for its network across instances, and returns 429 with a reset time when exceeded", async () => {
    expect((await ask({ queries: 4 })).status).toBe(200);
    expect((await ask({ queries: 2, at: 1 })).headers["x-ratelimit-remaining"]).toBe("0");
    const refused = await ask();
    expectError(refused, 429, "rate_limit_exceeded");
    const wait = Number(refused.headers["retry-after"]);
    expect(wait).toBeGreaterThan(3000);
    expect(wait).toBeLessThanOrEqual(3600);
    expect(Number(refused.headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now() / 1000);
    expect((await ask({ from: "127.0.0.2" })).status).toBe(200);
  });

  test("holds under concurrent calls", async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, async (_, i) => (await ask({ at: i % 2 })).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
  });

  test("includes suggestions and extensions, but not manifests and previews", async () => {
    const free = [`${V10}/preview`, `${V02}/preview`, V10];
    for (const path of free) await apps[0]?.inject({ method: "GET", url: `${path}?id=x` });
    expect((await ask({ path: `${V02}/suggest/entity` })).headers["x-ratelimit-remaining"]).toBe("5");
    expect((await ask({ path: `${V10}/extend/propose` })).headers["x-ratelimit-remaining"]).toBe("4");
  });

  test("counts an application and each of its users separately, on any network", async () => {
    const [application, other] = [credentialsOf(host.application), await host.newUser()];
    expect((await ask({ queries: 6, as: application })).status).toBe(200);
    expectError(await ask({ as: application, from: "127.0.0.2" }), 429, "rate_limit_exceeded");
    expect((await ask({ queries: 6, as: { oauth_token: host.user.token } })).status).toBe(200);
    expectError(await ask({ as: { oauth_token: host.user.token } }), 429, "rate_limit_exceeded");
    expect((await ask({ as: { oauth_token: other.token } })).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  test("C25: follows the application's own limit, with RATE_LIMIT=off as well", async () => {
    const as = credentialsOf(host.application);
    const limitTo = async (rateLimit: number | null) =>
      host.deps.prisma.application.update({ where: { clientId: host.application.clientId }, data: { rateLimit } });
    await limitTo(50);
    expect((await ask({ queries: 40, as })).headers["x-ratelimit-remaining"]).toBe("10");
    expect(await ask({ queries: 20, as, at: UNLIMITED })).toMatchObject({ status: 429 });
    await limitTo(0);
    expect((await ask({ queries: 40, as })).headers["x-ratelimit-remaining"]).toBeUndefined();
    await limitTo(null);
    expect(await ask({ queries: 40, as, at: UNLIMITED })).toMatchObject({ status: 200 });
  });

  test("counts calls refused before authentication as refused calls", async () => {
    expectError(await ask({ as: { oauth_token: "wrong" } }), 401, "invalid_auth");
    expect((await apps[0]?.inject({ method: "POST", url: `${V10}/match`, payload: "{" }))?.statusCode).toBe(400);
    const { rows } = await host.deps.pool.query("SELECT subject, count FROM directory.rate_count");
    expect(rows).toEqual([{ subject: expect.stringMatching(/^refused calls of [\w-]{20,}$/), count: 2 }]);
  });

  test("stores no address", async () => {
    await ask();
    const { rows } = await host.deps.pool.query<{ subject: string }>("SELECT subject FROM directory.rate_count");
    expect(rows.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^queries of network [\w-]{20,}$/)]);
  });

  test("is off where limits are off", async () => {
    const answer = await host.send("GET", `${V02}/suggest/type`, { prefix: "tea" });
    expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
  });
});

test("C02: the reconciliation service rejects plain http from another machine", async () => {
  for (const path of [V02, V10, `${V02}/suggest/entity`, `${V02}/preview`, "/venues/x"])
    expect((await apps[0]?.inject({ method: "GET", url: path, remoteAddress: "192.0.2.1" }))?.statusCode).toBe(400);
});
