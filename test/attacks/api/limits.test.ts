import { describe, expect, it } from "vitest";
import { type Instance, runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory({ instances: 2, env: { RATE_LIMIT: "5" } });
const { pool } = directory.deps;
const SEARCH = "/v2/venues/search";

type Fields = Record<string, string>;

interface How {
  path?: string;
  fields?: Fields;
  method?: string;
  /** The client address that the proxy reports. */
  from?: string;
  on?: Instance | undefined;
}

async function call({ path = SEARCH, fields = {}, method = "GET", from, on }: How = {}) {
  const headers: Fields = from ? { "x-forwarded-for": from, "x-forwarded-proto": "https" } : {};
  const reply = await directory.call(path, { ll: "1,1", ...fields }, { method, headers, ...(on && { on }) });
  const [remaining, retryAfter] = ["x-ratelimit-remaining", "retry-after"].map((name) => reply.headers.get(name));
  return { ...reply, remaining: Number(remaining ?? Number.NaN), retryAfter: Number(retryAfter ?? Number.NaN) };
}

/** Makes calls, alternating between instances, and returns their statuses. */
async function statuses(times: number, how: How): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1)
    seen.push((await call({ ...how, on: directory.instances[time % 2] })).status);
  return seen;
}

async function callers() {
  const { id: userId } = await directory.user();
  const { clientId, clientSecret } = await directory.application();
  const token: Fields = { oauth_token: await directory.token({ userId, clientId }) };
  const userless: Fields = { client_id: clientId, client_secret: clientSecret };
  return { token, userless };
}

const FULL = [200, 200, 200, 200, 200, 403, 403];

describe("the hourly limit of calls", () => {
  it("C25: applies to each token and each application separately, across two instances", async () => {
    const [one, other] = [await callers(), await callers()];
    const all = [one.token, one.userless, other.userless, other.token].map((fields) => statuses(7, { fields }));
    expect(await Promise.all(all)).toEqual([FULL, FULL, FULL, FULL]);
    const refused = await call({ fields: one.token });
    expect(refused.body).toMatchObject({ meta: { code: 403, errorType: "rate_limit_exceeded" }, response: {} });
    expect(refused.remaining).toBe(0);
    expect(refused.retryAfter).toBeGreaterThan(3000);
    expect(refused.retryAfter).toBeLessThanOrEqual(3600);
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 + 3000);
  });

  it("C25: holds under concurrent calls, failed calls included", async () => {
    const { token, userless } = await callers();
    for (const fields of [token, userless]) {
      const calls = Array.from({ length: 24 }, (_, index) => {
        const wrong: Fields = index % 3 === 0 ? { ll: "x" } : {};
        return call({ fields: { ...fields, ...wrong }, on: directory.instances[index % 2] });
      });
      const passed = (await Promise.all(calls)).filter(({ status }) => status !== 403);
      expect(passed).toHaveLength(5);
    }
  });

  it("C25: counts each call inside a multi request", async () => {
    const { token } = await callers();
    const fields = { ...token, requests: "/users/self,/users/self,/users/self" };
    expect(await statuses(3, { path: "/v2/multi", fields })).toEqual([200, 403, 403]);
  });
});

describe("refused calls of unknown callers", () => {
  const wrong: Fields = { oauth_token: "wrong" };

  /** Sets the network's count of refused calls to 999. */
  async function almostThere(from: string): Promise<void> {
    const subjects = async (): Promise<string[]> =>
      (await pool.query("SELECT subject FROM directory.rate_count WHERE subject LIKE 'refused%'")).rows.map(
        ({ subject }) => subject,
      );
    const before = await subjects();
    await call({ fields: wrong, from });
    const added = (await subjects()).filter((each) => !before.includes(each));
    expect(added).toHaveLength(1);
    await pool.query("UPDATE directory.rate_count SET count = 999 WHERE subject = ANY($1)", [added]);
  }

  const KINDS: [what: string, status: number, how: How][] = [
    ["a wrong token", 401, { fields: wrong }],
    ["no credentials", 400, {}],
    ["a wrong secret", 400, { fields: { client_id: "someone", client_secret: "wrong" } }],
    ["a path that does not exist", 404, { path: "/v2/nothing" }],
    ["a path beside /v2", 404, { path: "/nothing" }],
    ["a method that does not exist", 405, { method: "DELETE" }],
  ];

  it("C25: count against their network, whatever the mistake", async () => {
    const from = "203.0.113.20";
    const { remaining } = await call({ from });
    for (const [index, [what, status, how]] of KINDS.entries()) {
      const answer = await call({ ...how, from, on: directory.instances[index % 2] });
      expect([what, answer.status, answer.remaining]).toEqual([what, status, remaining - 1 - index]);
    }
    const unreadable = { path: "/v2/%zz" };
    const [first, second] = [await call(unreadable), await call(unreadable)];
    expect(second).toMatchObject({ status: 400, remaining: first.remaining - 1 });
  });

  it("C25: return 429 with Retry-After beyond the limit, while valid credentials still work", async () => {
    const from = "203.0.113.21";
    await almostThere(from);
    expect((await call({ path: "/v2/nothing", from })).status).toBe(404);
    for (const [what, , how] of KINDS) {
      const refused = await call({ ...how, from });
      expect([what, refused.status]).toEqual([what, 429]);
      expect(refused.body).toMatchObject({ meta: { code: 429, errorType: "rate_limit_exceeded" }, response: {} });
      expect(refused.retryAfter).toBeGreaterThan(3000);
      expect(refused.retryAfter).toBeLessThanOrEqual(3600);
    }
    expect(await call({ fields: (await callers()).token, from })).toMatchObject({ status: 200, remaining: 4 });
    expect((await call({ fields: wrong, from: "203.0.113.22" })).status).toBe(401);
  });

  it("C25: count together for one IPv6 /64 in any spelling, and separately for the next", async () => {
    await almostThere("2001:db8:7:7::1");
    await call({ fields: wrong, from: "2001:db8:7:7:ffff::9" });
    for (const from of ["2001:0db8:0007:0007::2", "2001:DB8:7:7:1:2:3:4"])
      expect([from, (await call({ fields: wrong, from })).status]).toEqual([from, 429]);
    for (const from of ["2001:db8:7:8::1", "2001:db8:7::7:1"])
      expect([from, (await call({ fields: wrong, from })).status]).toEqual([from, 401]);
  });
});
