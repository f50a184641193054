import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logIn } from "../../bench/support/member.ts";
import { launchBrowser } from "../support/browser.ts";
import { makeFile, newName } from "./file.ts";
import { startLoad } from "./load.ts";
import { startCluster } from "./site.ts";
import { startWalks } from "./walks.ts";

const ROWS = Number(process.env.CLUSTER_ROWS ?? 30_000);
/** Of these, places that the directory does not have. */
const NEW = ROWS / 10;

const cluster = await startCluster();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test(`${ROWS} listings are matched and added while each process restarts twice and the primary fails over`, async () => {
  const { webUrl: appUrl, authUrl, apiUrl, standby, demo } = cluster;
  const admin = await standby.admin();
  const member = await logIn({ appUrl, authUrl }, demo.handle, demo.password);
  const id = await member.upload("cluster.csv", await makeFile(admin, { rows: ROWS, added: NEW }));
  const begun = performance.now();
  const load = startLoad([`${appUrl}/`, `${apiUrl}/reconcile/0.2/suggest/entity?prefix=coffee`, `${authUrl}/login`]);
  const walks = startWalks(browser, cluster);
  const columns = { "column-0": "id", "column-1": "name", "column-2": "lat", "column-3": "lng" };
  await member.press(`/harmonizations/${id}/columns`, { action: "start", ...columns });

  const codes = await restart(1);
  const reads = await readShare();
  const pendingAtFailover = (await countListings(admin, id)).pending;
  const lostAt = performance.now();
  walks.markCurrent();
  await load.markInFlight(cluster.failOver);
  const failoverMs = Math.round(performance.now() - lostAt);
  codes.push(...(await restart(2)));
  await untilReady(admin, id);
  await member.press(`/harmonizations/${id}/add`, { categoryId: await anyCategory(admin) });
  codes.push(...(await restart(1)), ...(await restart(2)));
  await untilReady(admin, id);

  const [sent, walked] = [await load.stop(), await walks.stop()];
  const seconds = Math.round((performance.now() - begun) / 1000);
  const failed = sent.filter(({ problem }) => problem !== undefined);
  const result = await verdict(admin, id);
  await admin.end();
  const figures = {
    requests: sent.length,
    failedRequests: failed.length,
    inFlightAtFailover: sent.filter(({ wasInFlight }) => wasInFlight).length,
    ...{ failoverMs, pendingAtFailover, ...walked, ...reads, ...result, seconds },
  };
  console.log(JSON.stringify(figures, undefined, 1));
  expect(
    failed.filter(({ wasInFlight }) => !wasInFlight),
    cluster.output(),
  ).toEqual([]);
  expect({ codes: new Set(codes), brokenElsewhere: walked.brokenElsewhere }).toEqual({
    ...{ codes: new Set([0]), brokenElsewhere: [] },
  });
  expect(result).toEqual({ rows: ROWS, pending: 0, failed: 0, lost: 0, doubled: 0 });
});

/** The first or the second process of each part. Returns their exit codes. */
async function restart(number: 1 | 2): Promise<(string | number | null)[]> {
  const programs = cluster.programs.filter((program) => program.number === number);
  const codes = await Promise.all(programs.map((program) => program.stop("SIGTERM")));
  await Promise.all(programs.map((program) => program.start()));
  await after(1500); // until the proxy has seen them
  return codes;
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
  return { readsBeforeFailover: all, servedByReplica: `${Math.round((1000 * replica) / all) / 10} %` };
}

async function untilReady(admin: pg.Client, id: string): Promise<void> {
  const text = "SELECT FROM app.harmonization WHERE id = $1 AND state = 'ready'";
  while ((await admin.query(text, [id])).rowCount === 0) await after(200);
}

async function anyCategory(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query(
    "SELECT id FROM directory.category WHERE parent_id IS NOT NULL ORDER BY id LIMIT 1",
  );
  return rows[0].id;
}

async function countListings(admin: pg.Client, id: string) {
  const { rows } = await admin.query<{ rows: number; pending: number; failed: number }>(
    `SELECT count(*)::int AS rows, count(*) FILTER (WHERE status = 'pending')::int AS pending,
            count(*) FILTER (WHERE status = 'failed')::int AS failed FROM app.listing WHERE harmonization_id = $1`,
    [id],
  );
  return rows[0] ?? { rows: 0, pending: 0, failed: 0 };
}

/** Lost: a place that was not added, or a listing decided as a venue that the directory does not have. */
async function verdict(admin: pg.Client, id: string) {
  const names = Array.from({ length: NEW }, (_, at) => newName(at));
  const { rows: made } = await admin.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM directory.venue WHERE name = ANY($1) GROUP BY name",
    [names],
  );
  const { rowCount: dangling } = await admin.query(
    `SELECT FROM app.listing l WHERE harmonization_id = $1 AND coalesce(venue_id, best_id) IS NOT NULL
        AND NOT EXISTS (SELECT FROM directory.venue v WHERE v.id = coalesce(l.venue_id, l.best_id))`,
    [id],
  );
  return {
    ...(await countListings(admin, id)),
    lost: NEW - made.length + (dangling ?? 0),
    doubled: made.filter(({ count }) => count > 1).length,
  };
}
