import { expect, onTestFinished, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { analyzeListings } from "../../../src/harmonize/run/analyze.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { backOff, holdUp, pauseForAuth } from "../../../src/harmonize/run/hold-up.ts";
import { startDatabaseProxy } from "../../support/outages/database-proxy.ts";
import { startHarmonizer } from "../harmonizer.ts";

const { deps, url, begin, listings, row } = await startHarmonizer();
const setRun = (id: string, data: object) => deps.prisma.harmonization.update({ where: { id }, data });
const slowDown = new DirectoryError("rate_limited", undefined, { retryAfter: 3600 });

test("F08: a missing response does not shorten the wait that a directory asked for", async () => {
  const h = await begin(1);
  const retryAt = new Date(Date.now() + 3_600_000);
  await setRun(h.id, { retryAt });
  await backOff(deps, h);
  expect((await row(h.id)).retryAt).toEqual(retryAt);
});

test("F08: a rate limit does not count as silence, and concurrent runs keep their task", async () => {
  const [matching, adding] = [await begin(1, { owned: true }), await begin(1)];
  const { accountId } = matching;
  await setRun(matching.id, { task: { silentSince: "2026-01-01T00:00:00Z" } });
  await setRun(adding.id, { accountId, state: "adding", task: { kind: "add", accountId } });
  await holdUp(deps, matching, { token: "t" }, slowDown);
  expect((await row(matching.id)).task).toBeNull();
  expect(await row(adding.id)).toMatchObject({ task: { kind: "add" }, retryAt: expect.any(Date) });
});

test("a delayed worker does not pause a finished run", async () => {
  const h = await begin(1);
  await setRun(h.id, { state: "ready" });
  await pauseForAuth(deps, h);
  expect((await row(h.id)).pausedFor).toBeNull();
});

test("F04: a slow database gets fewer rows per statement", async () => {
  const { id } = await begin(20);
  const h = await loadHarmonization(deps, id);
  const counts: number[] = [];
  const query = async (...args: Parameters<typeof deps.pool.query>) => {
    const { text = "", values = [] } = args[0] as unknown as { text?: string; values?: unknown[] };
    const written = text.includes("WITH left_over AS") && values.find((value) => `${value}`.startsWith("[{"));
    const rows = written ? JSON.parse(`${written}`).length : 0;
    if (rows > 5) throw Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
    if (rows > 0) counts.push(rows);
    return deps.pool.query(...args);
  };
  const busy: Harmonizer = { ...deps, pool: { query } as unknown as Harmonizer["pool"] };
  if (h) await matchPending(busy, h, { portion: 0, signal: new AbortController().signal });
  expect(counts).toEqual([5, 5, 5, 5]);
  expect((await listings(id)).every(({ status }) => status === "asked")).toBe(true);
});

test("F12: updating statistics does not block at a database that does not respond", async () => {
  const proxy = await startDatabaseProxy(url);
  onTestFinished(proxy.close);
  proxy.freeze();
  await expect(analyzeListings(proxy.url)).rejects.toThrow(/timeout/);
});
