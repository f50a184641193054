import { beforeEach, describe, expect, test, vi } from "vitest";
import { DirectoryError } from "../../src/directory-client/calls/errors.ts";
import { addListings, startAdding } from "../../src/harmonize/add/add-listings.ts";
import { annotateListings, startAnnotating } from "../../src/harmonize/annotate/annotate-listings.ts";
import { cancelHarmonization, type Harmonization } from "../../src/harmonize/run/harmonizations.ts";
import { CAFE, startAdder } from "./add/directory.ts";
import { withPoints } from "./points.ts";

const adder = await startAdder();
const { directory, deps, database } = adder;
const { pool, prisma } = database;

const { signal } = new AbortController();
const NAMES = ["Ay", "Bee", "Cee", "Dee", "Eff", "Gee"];
const LATER = "UPDATE app.harmonization SET retry_at = now() + interval '1 hour' WHERE id = $1";
/** Creates a run whose owner is rate-limited, replacing earlier ones. */
async function makeWaiting() {
  const other = await adder.begin(["Other"], { state: "matching" });
  await pool.query(LATER, [other.id]);
  return other;
}
type OnPoint = Parameters<typeof withPoints>[1];
const once = (point: string, act: () => unknown): OnPoint => {
  let isFirst = true;
  return async (name) => {
    if (name !== point || !isFirst) return;
    isFirst = false;
    await act();
  };
};

beforeEach(() => prisma.harmonization.deleteMany());

describe.each([
  {
    kind: "adding",
    point: "add: committed",
    start: (h: Harmonization) => startAdding(deps, h, adder.person, { categoryId: CAFE }),
    run: (h: Harmonization, onPoint: OnPoint = () => {}) => addListings(withPoints(deps, onPoint), h, { signal }),
    done: () => directory.adds.length,
  },
  {
    kind: "annotating",
    point: "annotate: before",
    start: async (h: Harmonization) => {
      await pool.query("UPDATE app.listing SET decision = 'matched', venue_id = 'v' || number, decided_at = now()");
      return startAnnotating(deps, h, adder.person);
    },
    run: (h: Harmonization, onPoint: OnPoint = () => {}) => annotateListings(withPoints(deps, onPoint), h, { signal }),
    done: () => directory.annotations.length,
  },
])("a task that is $kind", ({ kind, point, start, run, done }) => {
  test("F23: yields to others after 20 seconds, and resumes where it stopped", async () => {
    const h = await adder.begin(NAMES, { positions: { verdict: "fine", rows: NAMES.length, wrong: 0 } });
    await start(h);
    const turn = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(turn.signal);
    await run(
      h,
      once(point, () => turn.abort()),
    );
    expect(timeout).toHaveBeenCalledExactlyOnceWith(20_000);
    timeout.mockRestore();
    expect(done()).toBeLessThan(6);
    expect(await adder.row(h)).toMatchObject({ state: kind, pausedFor: null, retryAt: null });
    await run(h);
    expect([done(), (await adder.row(h)).state]).toEqual([6, "ready"]);
  });

  test("F08: stops when another run of its owner is rate-limited", async () => {
    const h = await adder.begin(NAMES);
    await start(h);
    await run(
      h,
      once(point, () => pool.query(LATER, [h.id])),
    );
    expect(done()).toBeLessThan(6);
    expect((await adder.row(h)).state).toBe(kind);
    await pool.query("UPDATE app.harmonization SET retry_at = NULL WHERE id = $1", [h.id]);
    await run(h);
    expect([done(), (await adder.row(h)).state]).toEqual([6, "ready"]);
  });

  test("F08: waits if started while its owner is rate-limited", async () => {
    const other = await makeWaiting();
    const h = await adder.begin(NAMES);
    await start(h);
    expect((await adder.row(h)).retryAt).toEqual((await adder.row(other)).retryAt);
    await run(h);
    expect(done()).toBe(0);
  });

  test("F08: holds up the other runs of its owner when it is rate-limited", async () => {
    const other = await adder.begin(["Other"], { state: "matching" });
    const h = await adder.begin(NAMES);
    directory.fates = [new DirectoryError("rate_limited", undefined, { retryAfter: 100 })];
    await start(h);
    await run(h);
    for (const each of [h, other]) expect(Number((await adder.row(each)).retryAt) - Date.now()).toBeGreaterThan(90_000);
  });

  test("F08: keeps the wait of its rate-limited owner, whatever else it waits for", async () => {
    const h = await adder.begin(NAMES);
    await start(h);
    const waits = { ...deps, authFor: async () => void (await pool.query(LATER, [h.id])) };
    await (kind === "adding" ? addListings : annotateListings)(waits, h, { signal });
    expect(await adder.row(h)).toMatchObject({ pausedFor: "connection", retryAt: expect.any(Date) });
  });

  test("leaves no wait behind after its cancellation", async () => {
    const h = await adder.begin(NAMES);
    await start(h);
    const cancels = { ...deps, authFor: async () => void (await cancelHarmonization(deps, h.id)) };
    await (kind === "adding" ? addListings : annotateListings)(cancels, h, { signal });
    expect(await adder.row(h)).toMatchObject({ state: "ready", pausedFor: null, retryAt: null });
  });
});
