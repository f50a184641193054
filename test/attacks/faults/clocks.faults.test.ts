import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import { lockListing } from "../../../src/harmonize/review/locks.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { foundBy, startHarmonizer } from "../../harmonize/harmonizer.ts";
import { startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const harmonizer = await startHarmonizer();
const { deps, asked, begin } = harmonizer;
const worker = await harmonizer.startWorker();
afterAll(() => worker.stop());
afterEach(() => void vi.useRealTimers());

const HOUR = 3_600_000;
const SKEWS = [HOUR, -HOUR, 24 * HOUR, -24 * HOUR];

/** Shifts the clock of this process but not the database's. */
function skew(milliseconds: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

const settingsOf = async (browser: Awaited<ReturnType<typeof web.logIn>>) => (await browser.get("/settings")).status;

describe.each(SKEWS)("a process clock that is off by %i ms", (off) => {
  it("F15: starts, completes and keeps log-ins as usual", async () => {
    const browser = web.newBrowser();
    skew(off);
    const callback = await web.beginLogin(browser);
    skew(-off);
    expect((await browser.get(callback)).status).toBe(303);
    expect(await settingsOf(browser)).toBe(200);
    skew(off);
    expect(await settingsOf(browser)).toBe(200);
  });

  it("F15: accepts nothing that has expired by the database's clock", async () => {
    const { pool } = web.database;
    skew(off);
    const [late, member] = [web.newBrowser(), await web.logIn()];
    const callback = await web.beginLogin(late);
    await pool.query("UPDATE app.login_attempt SET expires_at = now() - interval '1 second' WHERE used_at IS NULL");
    expect((await late.get(callback)).status).toBe(400);
    await pool.query("UPDATE app.session SET expires_at = now() - interval '1 second'");
    expect(await settingsOf(member)).toBe(303);
  });

  it("F15: changes neither the wait a directory asked for nor a reviewer's time", async () => {
    const { id } = await begin(3);
    const wait = (time: string) =>
      deps.pool.query(`UPDATE app.harmonization SET retry_at = now() + interval '${time}' WHERE id = $1`, [id]);
    await wait("10 minutes");
    skew(off);
    asked.length = 0;
    const match = async () => {
      const h = await loadHarmonization(deps, id);
      if (h) await matchPending(deps, h, { portion: 0, signal: new AbortController().signal });
    };
    await match();
    expect(asked).toEqual([]);
    await wait("-1 second");
    await match();
    await expect.poll(() => asked.length).toBe(3);

    const [ann, bob] = [crypto.randomUUID(), crypto.randomUUID()].map((each) => ({ id: each, isAdmin: false }));
    if (!ann || !bob) throw new Error("Nobody reviews.");
    await deps.prisma.account.createMany({
      data: [ann, bob].map(({ id }) => ({ id, directory: deps.directoryUrl, externalId: id })),
    });
    expect(await lockListing(deps, { h: { id }, person: ann, number: 1 })).toBe(true);
    expect(await lockListing(deps, { h: { id }, person: bob, number: 1 })).toBe(false);
    await deps.pool.query("UPDATE app.listing SET locked_until = now() - interval '1 second'");
    expect(await lockListing(deps, { h: { id }, person: bob, number: 1 })).toBe(true);
  });
});

it("F15: workers neither stall nor repeat a call when their clock changes", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  harmonizer.state.answer = async (query) => {
    await answered;
    return { found: foundBy(query) };
  };
  asked.length = 0;
  for (const name of ["One", "Two"]) await begin(1, { name: () => name }); // as many as are worked on at a time
  await expect.poll(() => asked.length).toBe(2);
  skew(-24 * HOUR);
  answer();
  for (const [rows, off] of [
    [3, 24 * HOUR],
    [4, 0],
  ] as const) {
    const { id } = await begin(rows);
    await expect.poll(async () => (await harmonizer.row(id)).state).toBe("ready");
    skew(off);
  }
  expect(asked).toHaveLength(2 + 3 + 4);
});
