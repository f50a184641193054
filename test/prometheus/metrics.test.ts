import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { noteBackup } from "../../src/backup/retention.ts";
import { freePort } from "../support/free-port.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startSamespot } from "../support/samespot.ts";

const port = await freePort();
const env = { METRICS_PORT: String(port), RATE_LIMIT: "1" };
const { webUrl, authUrl, apiUrl, database } = await startSamespot({ template: "empty", env });
const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const text = await scrape();
const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]));

/** The series of all metrics: a histogram has three. */
const series = [...types].flatMap(([name, type]) =>
  type === "histogram" ? ["bucket", "count", "sum"].map((part) => `${name}_${part}`) : [name],
);
const own = [...types.keys()].filter((name) => name.startsWith("samespot_"));

describe.each(["deploy/prometheus/samespot.rules.yml", "deploy/grafana/samespot.json"])("%s", (file) => {
  const used = new Set(readFileSync(file, "utf8").match(/\b(samespot|process|nodejs)_[a-z0-9_]+/g));

  it(`uses only metrics that /metrics gives: ${file}`, () => {
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter((name) => !series.includes(name))).toEqual([]);
  });
});

it.each(own)("docs/operations.md explains the metric %s", (name) => {
  expect(readFileSync("docs/operations.md", "utf8")).toContain(`\`${name}\``);
});

it("every alert has a test in which it fires", () => {
  const alerts = [...readFileSync("deploy/prometheus/samespot.rules.yml", "utf8").matchAll(/alert: (\w+)/g)];
  const tests = readFileSync("deploy/prometheus/samespot.rules.test.yml", "utf8");
  const untested = alerts.filter(([, name]) => !new RegExp(`alertname: ${name}\\n +exp_alerts: \\[\\{`).test(tests));
  expect(untested.map(([, name]) => name)).toEqual([]);
});

/** How much the series grows while `act` runs. */
async function growth(line: string, act: () => Promise<unknown>): Promise<number> {
  const value = async () =>
    Number(
      (await scrape())
        .split("\n")
        .find((each) => each.startsWith(`${line} `))
        ?.split(" ")[1] ?? 0,
    );
  const before = await value();
  await act();
  return (await value()) - before;
}

it("a wrong password is counted as a log-in that failed", async () => {
  const browser = createHttpClient(authUrl);
  const logIn = async () =>
    browser.submit(await browser.get("/login"), "/login", { handle: "nobody", password: "wrong password" });
  expect(await growth('samespot_log_ins_total{program="directory",outcome="wrong"}', logIn)).toBe(1);
});

it("a log-in that the web app cannot finish is counted with its reason, and the call to the directory with its outcome", async () => {
  const browser = createHttpClient(webUrl);
  const finish = async () => {
    const state = new URL((await browser.get("/login")).location).searchParams.get("state");
    expect((await browser.get(`/login/callback?code=wrong&state=${state}`)).status).toBe(400);
  };
  const calls = () => growth('samespot_directory_call_seconds_count{host="auth",outcome="rejected"}', finish);
  let rejected = 0;
  const count = async () => {
    rejected = await calls();
  };
  expect(await growth('samespot_log_ins_total{program="app",outcome="rejected"}', count)).toBe(1);
  expect(rejected).toBe(1);
});

it("a call over its hourly limit is counted as a refusal", async () => {
  const query = encodeURIComponent(JSON.stringify({ q0: { query: "coffee" } }));
  const ask = () => fetch(`${apiUrl}/reconcile/0.2?queries=${query}`);
  await ask();
  expect(await growth('samespot_refusals_total{kind="rate_limit"}', ask)).toBe(1);
});

it("the time of the last good backup is read at each scrape, and is 0 before there is one", async () => {
  const time = async () => /^samespot_last_backup_timestamp_seconds (\S+)$/m.exec(await scrape())?.[1];
  expect(await time()).toBe("0");
  await noteBackup(database.pool, "2026-11-27T03:15:00.000Z");
  expect(Number(await time())).toBe(Date.parse("2026-11-27T03:15:00.000Z") / 1000);
});
