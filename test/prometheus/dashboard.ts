import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { logIn } from "../../bench/support/member.ts";
import { environment, freeAddress, ready, samespot, start, stop } from "../../bench/support/programs.ts";
import { type Scratch, withScratch } from "../../bench/support/scratch.ts";
import { clusterUrl, ensureRunning, stopServer } from "../../src/db/embedded/cluster.ts";
import { createHttpClient } from "../support/http-client.ts";
import { replicate } from "../support/outages/replicate.ts";
import { drawPanels } from "./pictures.ts";

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const PASSWORD = "a password of some length";
/** More than the directory accepts for one handle, so that there are refusals. */
const WRONG_PASSWORDS = 12;
const RATE_INTERVAL = "20s";
const WITHIN_MS = 30_000;
const ROUNDS = 20;

/**
 * Lets Prometheus scrape a Samespot with a little load, and evaluates the expressions of all panels of the dashboard. Throws with
 * the panels that would show nothing.
 * @param pictures a folder for pictures of Prometheus' own graphs of the panels, under twenty rounds of the load
 */
export const testDashboard = (pictures?: string): Promise<void> =>
  withScratch(async (scratch) => {
    const [APP_URL, AUTH_URL, metrics] = [await freeAddress(), await freeAddress(), await freeAddress()];
    const addresses = { APP_URL, AUTH_URL, BASE_URL: await freeAddress(), METRICS_PORT: new URL(metrics).port };
    const replica = await startReplica(scratch);
    const settings = { READ_DATABASE_URL: replica.url, SAMPLE_DATA: "off", LOG_LEVEL: "error" };
    const child = start(["src/main.ts"], { ...environment(scratch), ...addresses, ...settings });
    try {
      await ready(child, `${APP_URL}/readyz`);
      await withPrometheus(scratch, metrics, async (prometheus) => {
        await load(scratch, APP_URL, AUTH_URL);
        const begun = performance.now();
        while ((await emptyPanels(prometheus)).length > 0 && performance.now() - begun < WITHIN_MS) await after(1000);
        assert.deepEqual(await emptyPanels(prometheus), [], "These panels show nothing.");
        if (pictures === undefined) return;
        for (let round = 0; round < ROUNDS; round++) await work(APP_URL, AUTH_URL);
        const shown = expressions().map(({ title, expr }) => ({ title, expr: withZeros(expr) }));
        await drawPanels(prometheus, shown, pictures);
      });
    } finally {
      await stop(child);
      await replica.stop();
    }
  });

async function startReplica({ folder, url }: Scratch) {
  const cluster = await replicate(path.join(folder, "database"), path.join(folder, "replica"));
  const { port } = await ensureRunning(cluster);
  return { url: clusterUrl(cluster, port, new URL(url).pathname.slice(1)), stop: () => stopServer(cluster) };
}

async function withPrometheus(
  { folder }: Scratch,
  metrics: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const url = await freeAddress();
  const file = path.join(folder, "prometheus.yml");
  const target = {
    job_name: "samespot",
    scrape_interval: "1s",
    static_configs: [{ targets: [new URL(metrics).host] }],
  };
  writeFileSync(file, JSON.stringify({ scrape_configs: [target] })); // YAML includes JSON
  const own = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/prometheus`, "--log.level=error"];
  const child = spawn("prometheus", [...own, `--web.listen-address=${new URL(url).host}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    await ready(child, `${url}/-/ready`);
    await work(url);
  } finally {
    child.kill();
    await ended;
  }
}

/** A file of listings, and log-ins that fail. */
async function load(scratch: Scratch, appUrl: string, authUrl: string): Promise<void> {
  await samespot(scratch, ["user", "add", "--handle", "bench", "--password-stdin"], PASSWORD);
  await work(appUrl, authUrl);
}

async function work(appUrl: string, authUrl: string): Promise<void> {
  const member = await logIn({ appUrl, authUrl }, "bench", PASSWORD);
  const id = await member.upload("places.csv", ["id,name,lat,lng\n", "1,Blue Door Cafe,40.71,-74\n"]);
  await member.press(`/harmonizations/${id}/columns`, {
    ...{ action: "start", "column-0": "id", "column-1": "name", "column-2": "lat", "column-3": "lng" },
  });
  const browser = createHttpClient(authUrl);
  for (let tried = 0; tried < WRONG_PASSWORDS; tried++)
    await browser.submit(await browser.get("/login"), "/login", { handle: "nobody", password: "a wrong password" });
}

async function emptyPanels(prometheus: string): Promise<string[]> {
  const all = expressions();
  assert(all.length > 10);
  const counts = await Promise.all(all.map(async ({ expr }) => countSeries(prometheus, expr)));
  return all.filter((_, at) => counts[at] === 0).map(({ title }) => title);
}

function expressions(): { title: string; expr: string }[] {
  const { panels }: { panels: Panel[] } = JSON.parse(readFileSync("deploy/grafana/samespot.json", "utf8"));
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replaceAll("$__rate_interval", RATE_INTERVAL) })),
  );
}

/** Also what a panel leaves out while it is 0. */
const withZeros = (expr: string): string => expr.replace(/ > 0$/, "");

async function countSeries(prometheus: string, expr: string): Promise<number> {
  const query = withZeros(expr);
  const answer = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query })}`);
  const { status, error, data } = (await answer.json()) as {
    status: string;
    error?: string;
    data: { result: unknown[] };
  };
  assert.equal(status, "success", `${expr}: ${error}`);
  return data.result.length;
}
