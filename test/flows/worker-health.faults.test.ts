import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { PRODUCTION } from "../support/production.ts";
import { startSamespot } from "../support/samespot.ts";

const port = await freePort();
const METRICS_PORT = String(port);
const { config } = await startSamespot({ template: "empty", env: { ROLES: "worker", METRICS_PORT } });

/** The exit code of the container's health check. */
async function healthcheck(more: Record<string, string> = {}): Promise<number> {
  const env = {
    PATH: process.env.PATH,
    ...PRODUCTION,
    DATABASE_URL: config.databaseUrl,
    ROLES: "worker",
    METRICS_PORT,
    ...more,
  };
  const child = spawn(process.execPath, ["src/start/healthcheck.ts"], { cwd: PROJECT, env, stdio: "ignore" });
  const [code] = await once(child, "exit");
  return code;
}

const PROJECT = path.resolve(import.meta.dirname, "../..");
const get = async (where: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${where}`);
  return { status: answer.status, text: await answer.text() };
};

describe("a worker without the app and the directory", () => {
  test("is healthy while it polls for tasks", async () => {
    expect(await get("/healthz")).toEqual({ status: 200, text: '{"status":"alive"}' });
    expect(await get("/readyz")).toEqual({ status: 200, text: '{"status":"ready","problems":[]}' });
    expect(await healthcheck()).toBe(0);
  });

  test("is unhealthy with a reason while its queue is stuck, even if the database answers", async () => {
    const client = new pg.Client(config.databaseUrl);
    await client.connect();
    try {
      await client.query("BEGIN");
      await client.query("LOCK TABLE pgboss.job IN ACCESS EXCLUSIVE MODE");
      await expect
        .poll(() => get("/readyz"), { interval: 500 })
        .toMatchObject({
          status: 503,
          text: expect.stringMatching(/"problems":\["the worker has not looked for tasks for 1\d seconds"\]/),
        });
      expect(await healthcheck()).toBe(1);
      expect((await get("/healthz")).status).toBe(200);
    } finally {
      await client.end();
    }
    await expect.poll(() => get("/readyz")).toMatchObject({ status: 200 });
  });

  test("reports its last poll and the number of tasks", async () => {
    const { text } = await get("/metrics");
    expect(text).toMatch(/^samespot_queue_idle_seconds [\d.]+$/m);
    expect(text).toMatch(/^samespot_queue_tasks\{kind="match",state="waiting"\} 0$/m);
    expect(text).toMatch(/^samespot_queue_tasks\{kind="match",state="active"\} 0$/m);
    expect(text).toMatch(/^samespot_queue_oldest_seconds\{kind="match"\} 0$/m);
    expect(text).toMatch(/^samespot_listings\{state="pending"\} 0$/m);
    expect(text).toMatch(/^samespot_database_connections\{pool="worker",state="(idle|busy)"\} \d+$/m);
    expect(text).toMatch(/^samespot_build_info\{version="[\w.-]+",node="v24[\d.]+"\} 1$/m);
  });

  test("is unhealthy without METRICS_PORT, because it cannot be queried", async () => {
    expect(await healthcheck({ METRICS_PORT: "" })).toBe(1);
  });
});
