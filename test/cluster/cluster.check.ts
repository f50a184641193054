import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { walk } from "../flows/walk.ts";
import { launchBrowser, openPage } from "../support/browser.ts";
import { makeFile, member, NEW, newName } from "./file.ts";
import { startLoad } from "./load.ts";
import { startCluster } from "./site.ts";

const ROWS = Number(process.env.CLUSTER_ROWS ?? 30_000);
const RESTARTS = 2;
/** Until each process has looked for the new primary. */
const FAILOVER_MS = 10_000;

const cluster = await startCluster();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test(`${ROWS} listings are matched and added while each process restarts and the primary fails over`, async () => {
  const { webUrl, authUrl, apiUrl, standby, demo } = cluster;
  const admin = await standby.admin();
  const person = await member(webUrl, authUrl, demo);
  const id = await person.upload(await makeFile(admin, ROWS));
  const load = startLoad([`${webUrl}/`, `${apiUrl}/reconcile/0.2/suggest/entity?prefix=coffee`, `${authUrl}/login`]);
  const walks = startWalks();
  const columns = { "column-0": "id", "column-1": "name", "column-2": "lat", "column-3": "lng" };
  await person.press(`/harmonizations/${id}/columns`, { action: "start", ...columns });

  const codes = await restartAll();
  const read = await readShare();
  const [inFlight, failedOver] = [load.inFlight(), performance.now()];
  await cluster.failOver();
  await untilMatched(admin, id);
  await person.press(`/harmonizations/${id}/add`, { categoryId: await anyCategory(admin) });
  for (let times = 1; times < RESTARTS; times++) codes.push(...(await restartAll()));
  await untilReady(admin, id);

  const [{ sent, failed }, walked] = [await load.stop(), await walks.stop()];
  const result = await verdict(admin, id);
  await admin.end();
  const isMeanwhile = ({ at }: { at: number }) => at > failedOver - 2000 && at < failedOver + FAILOVER_MS;
  const others = failed.filter((each) => !isMeanwhile(each)).map(({ what }) => what);
  const report = {
    sent,
    failedAtFailover: failed.length - others.length,
    inFlight,
    others,
    ...walked,
    ...read,
    ...result,
  };
  console.log(JSON.stringify(report, undefined, 1));
  expect({ codes: new Set(codes), others }, cluster.output()).toEqual({ codes: new Set([0]), others: [] });
  expect(result).toEqual({ rows: ROWS, pending: 0, failed: 0, notAdded: 0, doubled: 0 });
});

async function restartAll(): Promise<(string | number | null)[]> {
  const codes: (string | number | null)[] = [];
  for (const program of cluster.programs) {
    codes.push(await program.stop("SIGTERM"));
    await program.start();
    await after(1500); // until the proxy has seen it
  }
  return codes;
}

/** Walks one after the other, until the returned function is called. */
function startWalks() {
  let [walks, broken, isOver] = [0, 0, false];
  const reasons: string[] = [];
  const walkOn = async () => {
    while (!isOver) {
      const page = await openPage(browser, {});
      const look = async () => {};
      await walk({ page, site: cluster, account: cluster.demo, look }).then(
        () => walks++,
        (error: Error) => {
          broken++;
          reasons.push(error.message.slice(0, 300));
        },
      );
      await page.context().close();
    }
  };
  const walking = walkOn();
  return {
    async stop() {
      isOver = true;
      await walking;
      return { walks, broken, reasons };
    },
  };
}

/** Of the statements that may be read from the replica. */
async function readShare() {
  let [all, replica] = [0, 0];
  for (const { part, metrics } of cluster.programs) {
    if (part !== "directory") continue;
    const text = await (await fetch(`${metrics}/metrics`)).text();
    for (const [, labels = "", value] of text.matchAll(/^samespot_replica_reads_total\{(.*)\} (\d+)$/gm)) {
      all += Number(value);
      if (!labels.includes('"none"') && labels.includes('"answered"')) replica += Number(value);
    }
  }
  return { reads: all, servedByReplica: `${Math.round((100 * replica) / all)} %` };
}

const stateOf = async (admin: pg.Client, id: string) =>
  (await admin.query("SELECT state::text FROM app.harmonization WHERE id = $1", [id])).rows[0]?.state;

async function untilMatched(admin: pg.Client, id: string): Promise<void> {
  while ((await stateOf(admin, id)) !== "ready") await after(200);
}

const untilReady = untilMatched;

async function anyCategory(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query(
    "SELECT id FROM directory.category WHERE parent_id IS NOT NULL ORDER BY id LIMIT 1",
  );
  return rows[0].id;
}

async function verdict(admin: pg.Client, id: string) {
  const { rows } = await admin.query(
    `SELECT count(*)::int AS rows, count(*) FILTER (WHERE status = 'pending')::int AS pending,
            count(*) FILTER (WHERE status = 'failed')::int AS failed FROM app.listing WHERE harmonization_id = $1`,
    [id],
  );
  const names = Array.from({ length: NEW }, (_, at) => newName(at));
  const { rows: made } = await admin.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM directory.venue WHERE name = ANY($1) GROUP BY name",
    [names],
  );
  return { ...rows[0], notAdded: NEW - made.length, doubled: made.filter(({ count }) => count > 1).length };
}
