import { describe, expect, test } from "vitest";
import { exhaust } from "../../support/database/exhausted.ts";
import { apiHost } from "./host.ts";
import { anHourPasses, apiInstance, call, type Fields, type How, SEARCH } from "./instances.ts";

const host = await apiHost();
const { pool } = host.deps;
const one = await apiInstance(host, 5);
const other = await apiInstance(host, 5);
const unlimited = await apiInstance(host, "off");

const newToken = async (): Promise<Fields> => ({ oauth_token: (await host.newUser()).token });

describe("refused calls of unknown callers", () => {
  const stranger: Fields = { oauth_token: "wrong" };
  /** Makes the 999th refused call of the network `from`, so that `more` are still within the limit. */
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
    ["HEAD", 400, { method: "HEAD" }],
    ["an unreadable address", 400, { path: "/v2/%zz" }],
  ];
  test.each(REFUSED)(
    "C25: count for their network with %s, and each answer has the remaining calls",
    async (_what, status, how) => {
      const [first, second] = [await call(one, how), await call(one, how)];
      expect(second).toMatchObject({ status, limit: 1000, remaining: (first.remaining ?? 0) - 1 });
    },
  );

  test("C25: return 429 beyond the limit, for any mistake and on any instance", async () => {
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

  test("do not block valid credentials from the same address", async () => {
    const from = "203.0.113.21";
    await almostThere(from);
    for (let time = 0; time < 3; time += 1) await call(one, { fields: stranger, from });
    expect((await call(one, { fields: stranger, from })).status).toBe(429);
    expect(await call(one, { fields: await newToken(), from })).toMatchObject({ status: 200, limit: 5, remaining: 4 });
    expect((await call(one, { fields: { ...(await newToken()), ll: "x" }, from })).status).toBe(400);
  });

  test("are no longer written once their network is over its limit, and counted anew an hour later", async () => {
    const from = "203.0.113.22";
    const subject = await almostThere(from);
    for (let time = 0; time < 30; time += 1) await call(one, { fields: stranger, from });
    expect(await countOf(subject)).toBe(1001);
    await anHourPasses(pool);
    const now = Date.now;
    Date.now = () => now() + 3_600_000;
    const answer = await call(one, { fields: stranger, from });
    Date.now = now;
    expect(answer).toMatchObject({ status: 401, remaining: 999 });
  });

  test("do not include preflights, and scripts of other origins can read their rate-limit headers", async () => {
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

  test("keep their status and headers while the database does not answer", async () => {
    const release = await exhaust(pool);
    const [missing, search] = await Promise.all([call(one, { path: "/v2/nothing" }), call(one, { fields: stranger })]);
    release();
    expect(missing).toMatchObject({ status: 404, limit: 1000 });
    expect(search).toMatchObject({ status: 503, limit: 1000 });
  });

  test("leave no address in the database", async () => {
    await call(one, { fields: stranger, from: "203.0.113.99" });
    const { rows } = await pool.query("SELECT subject FROM directory.rate_count");
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|2001:db8|127\.0\.0/);
  });
});
