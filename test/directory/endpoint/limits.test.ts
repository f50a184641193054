import { describe, expect, test } from "vitest";
import { addApplication, updateApplication } from "../../../src/directory/applications/applications.ts";
import { countUp } from "../../../src/directory/counters.ts";
import { sweepDirectory } from "../../../src/directory/sweep.ts";
import { apiHost, connect, credentialsOf } from "../api/host.ts";
import { anHourPasses, apiInstance, call, type Fields } from "../api/instances.ts";

const host = await apiHost();
const { pool } = host.deps;
const one = await apiInstance(host, 5);
const unlimited = await apiInstance(host, "off");
const usual = await apiInstance(host, undefined);

const newToken = async (): Promise<Fields> => ({ oauth_token: (await host.newUser()).token });

async function newApplication(rateLimit?: number | null) {
  const { userId: ownerId } = await host.newUser();
  const redirectUris = ["https://app.example/callback"];
  const added = await addApplication(host.deps, { ownerId, name: "App", redirectUris, rateLimit: rateLimit ?? null });
  const { token } = await connect(host.deps, { userId: ownerId, clientId: added.clientId });
  return { clientId: added.clientId, userless: credentialsOf(added), token: { oauth_token: token } };
}

describe("the hourly limit of calls", () => {
  test("C25: is shown with the remaining calls in each answer, and returns 403 with a reset time when exceeded", async () => {
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

  test("C25: counts an application's calls with the right secret only", async () => {
    const { userless } = await newApplication();
    expect((await call(one, { fields: userless })).status).toBe(200);
    for (let time = 0; time < 7; time += 1)
      expect((await call(one, { fields: { ...userless, client_secret: "wrong" } })).status).toBe(400);
    const statuses = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await call(one, { fields: userless })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 403]);
  });

  test("resets an hour after the first call", async () => {
    const fields = await newToken();
    for (let time = 0; time < 6; time += 1) await call(one, { fields });
    await pool.query("UPDATE directory.rate_count SET window_start = window_start - interval '50 minutes'");
    const refused = await call(one, { fields });
    expect([refused.status, refused.meta.errorDetail]).toEqual([
      403,
      expect.stringMatching(/Try again in (9|10) minutes\./),
    ]);
    await anHourPasses(pool);
    expect(await call(one, { fields })).toMatchObject({ status: 200, remaining: 4 });
  });

  test("is 500 for a token, and 5000 at venues and 500 elsewhere for an application, by default", async () => {
    const { token, userless } = await newApplication();
    expect(await call(usual, { fields: token })).toMatchObject({ limit: 500, remaining: 499 });
    expect(await call(usual, { fields: userless })).toMatchObject({ limit: 5000, remaining: 4999 });
    expect(await call(usual, { path: "/v2/users/self", fields: userless })).toMatchObject({ status: 400, limit: 500 });
  });

  test("follows the application's own limit, and is off where that is unlimited", async () => {
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

  test("C25: of a single application holds with RATE_LIMIT=off, for its tokens too", async () => {
    const { token, userless } = await newApplication(2);
    for (const fields of [token, userless]) {
      for (const left of [1, 0])
        expect(await call(unlimited, { fields })).toMatchObject({ status: 200, limit: 2, remaining: left });
      expect(await call(unlimited, { fields })).toMatchObject({ status: 403, limit: 2 });
    }
  });

  test("is off and not counted with RATE_LIMIT=off", async () => {
    const fields = await newToken();
    const counted = await pool.query("SELECT sum(count) FROM directory.rate_count");
    for (let time = 0; time < 7; time += 1)
      expect(await call(unlimited, { fields })).toMatchObject({ status: 200, limit: 1_000_000, remaining: 1_000_000 });
    expect((await pool.query("SELECT sum(count) FROM directory.rate_count")).rows).toEqual(counted.rows);
  });
});

test("concurrent first calls share one row, and none is lost", async () => {
  const counter = { subject: "a test of many at once", windowSeconds: 3600 };
  const counts = await Promise.all(Array.from({ length: 24 }, () => countUp(pool, counter)));
  expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, n) => n + 1));
});

test("housekeeping deletes old call counts and keeps current ones", async () => {
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
