import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createWebVault, currentCredentials } from "../../../src/web/client-secret/credentials.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { roundsOf } from "../../support/rounds.ts";
import { runningApps } from "../running-apps.ts";

const site = await runningApps({ instances: 2 });
const { pool } = site.database;
const PAGE = "/admin/secrets";

const ROTATIONS = roundsOf(5, 3);
const PER_SECOND = 20;
/** After this time an instance must have stopped using the old secret. */
const FOLLOWS_WITHIN_MS = 2000;

interface Login {
  instance: number;
  ms: number;
  ok: boolean;
  why?: string;
}

test(`W09: ${ROTATIONS} rotations during twenty log-ins a second on two instances break no log-in, with a two-second overlap`, async () => {
  const at = createHttpClient(site.authUrl);
  const admin = site.newBrowser();
  await site.logIn(admin, { at });
  expect((await admin.get(PAGE)).body).not.toContain("Rotate now");
  const confirm = await admin.get(`/login?confirm=1&next=${PAGE}`);
  const back = await admin.get(await site.throughDirectory(at, confirm.location));
  expect(back.headers.get("location")).toBe(PAGE);
  const load = startLoad(at);
  const delays: number[] = [];
  for (let count = 0; count < ROTATIONS; count += 1) {
    await sleep(500);
    const page = await admin.get(PAGE);
    expect((await admin.submit(page, `${PAGE}/rotate`, { overlap: "1h" })).status).toBe(303);
    await sleep(FOLLOWS_WITHIN_MS);
    delays.push(await lastUseOfOld());
    expect((await admin.submit(await admin.get(PAGE), `${PAGE}/end-old`)).status).toBe(303);
  }
  const { logins, seconds } = await load.stop();
  const times = logins.map(({ ms }) => ms).sort((one, other) => one - other);
  const at99 = times[Math.floor(times.length * 0.99)] ?? 0;
  console.log(
    `${logins.length} log-ins in ${Math.round(seconds)} s, median ${Math.round(times[times.length >> 1] ?? 0)} ms, p99 ${Math.round(at99)} ms; ` +
      `last use of the old secret ${delays.map((ms) => `${Math.round(ms)} ms`).join(", ")} after the switch`,
  );
  expect(logins.filter(({ ok }) => !ok)).toEqual([]);
  for (const each of [0, 1]) expect(logins.filter(({ instance }) => instance === each).length).toBeGreaterThan(10);
  for (const delay of delays) expect(delay).toBeLessThan(FOLLOWS_WITHIN_MS);
  const rows = await pool.query(
    "SELECT ended_at IS NULL AS live, secret IS NULL AS forgotten FROM app.client_credential",
  );
  expect(rows.rows.filter(({ live }) => live)).toEqual([{ live: true, forgotten: false }]);
});

/** Returns milliseconds from the switch to the last use of the old secret, by the directory's record. */
async function lastUseOfOld(): Promise<number> {
  const { rows } = await pool.query(
    `SELECT extract(epoch FROM s.last_used_at - c.switched_on_at)::float8 * 1000 AS ms
       FROM directory.application_secret s, (SELECT max(switched_on_at) AS switched_on_at FROM app.client_credential) c
      WHERE s.expires_at > now()`,
  );
  return rows[0].ms;
}

/** Limits concurrent log-ins, so that a busy machine has a lower rate instead of a queue. */
const AT_ONCE = 8;

/** Logs users in at a fixed rate until stopped. */
function startLoad(at: HttpClient) {
  const logins: Login[] = [];
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  let count = 0;
  const timer = setInterval(() => {
    if (running.size >= AT_ONCE) return;
    const instance = count++ % 2;
    const one = logInAt(at, instance)
      .catch((error): Login => ({ instance, ms: 0, ok: false, why: `${error} ${error.cause ?? ""}` }))
      .then((login) => {
        logins.push(login);
        running.delete(one);
      });
    running.add(one);
  }, 1000 / PER_SECOND);
  onTestFinished(() => clearInterval(timer));
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return { logins, seconds: (performance.now() - begun) / 1000 };
    },
  };
}

/** Logs in a user who is signed in at the directory, through one instance. */
async function logInAt(at: HttpClient, instance: number): Promise<Login> {
  const begun = performance.now();
  const browser = site.newBrowser();
  const through = { "x-instance": String(instance) };
  const start = await browser.get("/login", through);
  const back = (await at.get(start.location)).location;
  const { status, body } = await browser.get(back, through);
  const ok = status === 303;
  if (!ok) console.log(`A log-in failed with ${status}: ${/<h1>[^<]*/.exec(body)?.[0]}`);
  return { instance, ms: performance.now() - begun, ok };
}

test("W09: no secret of these rotations appears in a log, on a page, or in clear in the database", async () => {
  const admin = site.newBrowser();
  await site.logIn(admin);
  const { clientSecret } = await currentCredentials({
    ...site,
    vault: createWebVault(site.config.encryptionKeys),
    pool,
  });
  const dump = await pool.query("SELECT string_agg(t::text, ' ') AS text FROM app.client_credential t");
  const pages = (await admin.get(PAGE)).body + (await admin.get("/admin/status")).body;
  expectNoSecrets({ pages, log: site.logs.text(), table: dump.rows[0].text }, { "client secret": [clientSecret] });
});
