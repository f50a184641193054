import { beforeEach, describe, expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { countQueue } from "../../../src/harmonize/review/order.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { withPoints } from "../points.ts";
import { CAFE, SHOP, startAdder } from "./directory.ts";

const adder = await startAdder();
const { directory, deps, database } = adder;
const { prisma, pool } = database;

const signal = new AbortController().signal;
const start = (h: Harmonization, categoryId?: string) => startAdding(deps, h, adder.person, { categoryId });
const run = (h: Harmonization, onPoint: Parameters<typeof withPoints>[1] = () => {}) =>
  addListings(withPoints(deps, onPoint), h, { signal });
const decisions = async (h: Harmonization) => (await adder.listings(h)).map(({ decision }) => decision);
const goOn = () => pool.query("UPDATE app.harmonization SET retry_at = NULL, paused_for = NULL");
const sameSpot = { lat: 41.8, lng: -71.4 };
const together = () => pool.query("UPDATE app.listing SET query = query || $1", [{ ll: sameSpot }]);

describe.each([0, 100])("at a directory that takes %s at once,", (lines) => {
  beforeEach(() => adder.takes(lines));

  test("adding covers listings without a match, in file order, with the category of their column or the default one", async () => {
    const h = await adder.begin(["Ay", "Bee", "Cee", "Dee", "Eff", "Put Off"], {
      columns: { id: 0, name: 1, category: 4 },
    });
    await pool.query("UPDATE app.listing SET cells[5] = 'shop' WHERE number = 2");
    await pool.query("UPDATE app.listing SET decision = 'matched', venue_id = 'x' WHERE number = 3");
    await pool.query("UPDATE app.listing SET query = query - 'll' WHERE number = 4");
    await pool.query("UPDATE app.listing SET decision = 'rejected' WHERE number = 5");
    await pool.query("UPDATE app.listing SET skipped_at = now() WHERE number = 6");
    expect(await start(h, CAFE)).toBe(true);
    expect(await start(h, CAFE)).toBe(false);
    expect(adder.sent.at(-1)).toEqual({ kind: "add", harmonizationId: h.id });
    await run(h);
    expect(directory.adds.map(({ name }) => name)).toEqual(["Ay", "Bee", "Eff"]);
    expect(await decisions(h)).toEqual(["added", "added", "matched", null, "added", null]);
    expect((await adder.listings(h))[0]).toMatchObject({
      decidedHow: "many",
      decidedBy: adder.accountId,
      adding: null,
    });
    const { state, task } = await adder.row(h);
    expect([state, task]).toMatchObject(["ready", { report: { added: 3, matched: 0, review: 0, left: 0, failed: 0 } }]);
    expect(await prisma.decisionStep.count({ where: { harmonizationId: h.id } })).toBe(0);
  });

  test("F70: adding skips a listing without a category, adds the others, and counts what it skipped apart from failures", async () => {
    const h = await adder.begin(["Ay Café", "Bee", "Cee Café"]);
    directory.fates = [new DirectoryError("rejected", "No such street.")];
    await start(h);
    await run(h);
    expect(await decisions(h)).toEqual([null, null, "added"]);
    expect((await adder.listings(h))[1]?.problem).toMatchObject({ code: "no_category" });
    expect((await adder.row(h)).task).toMatchObject({ report: { added: 1, left: 1, failed: 1 } });
  });

  test("adding records why a listing was rejected, continues, and retries it in the next task", async () => {
    const h = await adder.begin(["Ay", "Bee"], { columns: { category: 4 } });
    await start(h);
    await run(h);
    expect((await adder.listings(h))[0]?.problem).toMatchObject({ code: "no_category", value: "1 Main Street" });
    expect((await adder.row(h)).task).toMatchObject({ report: { added: 0, left: 2, failed: 0 } });
    directory.fates = [new DirectoryError("rejected", "No such street.")];
    await start(h, SHOP);
    await run(h);
    expect((await adder.listings(h))[0]?.problem).toMatchObject({ code: "rejected", said: "No such street." });
    expect((await adder.row(h)).task).toMatchObject({ report: { added: 1, failed: 1 } });
  });

  test("adding sends the category that a person chose, else the one guessed, else the one for all", async () => {
    const h = await adder.begin(["Ay Café", "Bee", "Cee"]);
    await pool.query("UPDATE app.listing SET category_id = $1 WHERE number = 2", [CAFE]);
    await start(h, SHOP);
    await run(h);
    expect(directory.adds.map(({ category }) => category)).toEqual([CAFE, CAFE, SHOP]);
  });

  describe("a venue similar to a listing", () => {
    test("is matched if this file added it, so that two equal rows make one venue", async () => {
      const h = await adder.begin(["Blue Door", "Blue Door"]);
      await together();
      await start(h, CAFE);
      await run(h);
      expect(await decisions(h)).toEqual(["added", "matched"]);
      expect((await adder.listings(h)).map(({ venueId }) => venueId)).toEqual(["new-0", "new-0"]);
      expect(directory.adds).toHaveLength(1);
      expect((await adder.row(h)).task).toMatchObject({ report: { added: 1, matched: 1 } });
    });

    test.each([
      [true, "matched", { matched: 1 }],
      [false, null, { review: 1 }],
    ])("goes to review unless the directory is confident (confident: %s)", async (confident, decision, report) => {
      const h = await adder.begin(["Blue Door"]);
      await together();
      directory.venues.push({ id: "x", name: "Blue Door", location: sameSpot });
      directory.confident = confident;
      await start(h, CAFE);
      await run(h);
      expect((await adder.listings(h))[0]).toMatchObject({
        decision,
        bestId: "x",
        candidates: [{ id: "x", score: 0.9 }],
      });
      expect((await adder.row(h)).task).toMatchObject({ report });
      expect(directory.adds).toEqual([]);
    });

    test.each([
      ["it existed before", [null], { review: 1 }],
      ["this file added it", ["added", null], { added: 1, review: 1 }],
    ])("goes to review even if its score is below the cut (%s)", async (where, decided, report) => {
      const before = { id: "x", name: "Blue Door", location: sameSpot };
      const h = await adder.begin(where === "it existed before" ? ["Blue Dor"] : ["Blue Door", "Blue Dor"]);
      await together();
      if (where === "it existed before") directory.venues.push(before);
      await pool.query("UPDATE app.harmonization SET review_from = 0.4"); // it is 0.3
      await start(h, CAFE);
      await run(h);
      expect(await countQueue(deps, h, { show: "review" })).toMatchObject({ left: 1 });
      expect(await decisions(h)).toEqual(decided);
      expect((await adder.row(h)).task).toMatchObject({ report });
    });

    test("S116: goes to review with the venue of which it is a misspelling, unless it has another phone, and beside others it is added", async () => {
      const h = await adder.begin(["Plzaa Grille", "Bluebird Books", "Quahog Seafood"]);
      const location = { lat: sameSpot.lat + 0.0015, lng: sameSpot.lng };
      await together();
      directory.venues.push({ id: "x", name: "Plaza Grille", location });
      const evidence = [{ comparison: "phone", weight: -1.2, text: "different phone" }];
      directory.venues.push({ id: "y", name: "Bleubird Books", location, evidence });
      await start(h, CAFE);
      await run(h);
      expect(directory.adds.map(({ name }) => name)).toEqual(["Bluebird Books", "Quahog Seafood"]);
      expect((await adder.listings(h))[0]).toMatchObject({ decision: null, bestId: "x", candidates: [{ id: "x" }] });
      expect(await countQueue(deps, h, { show: "review" })).toMatchObject({ left: 1 });
    });

    test("does not prevent the add after a person rejected it", async () => {
      const h = await adder.begin(["Blue Door"]);
      await together();
      directory.venues.push({ id: "x", name: "Blue Door", location: sameSpot });
      directory.findsDuplicates = true;
      await prisma.listing.updateMany({ data: { decision: "rejected", candidates: [{ id: "x" }] } });
      await start(h, CAFE);
      await run(h);
      expect([await decisions(h), directory.venues.length]).toEqual([["added"], 2]);
    });
  });

  describe("an adding task waits", () => {
    test("until the owner connects again, and resumes where it stopped", async () => {
      const h = await adder.begin(["Ay", "Bee", "Cee"]);
      directory.fates = ["ok", new DirectoryError("refused_token")];
      await start(h, CAFE);
      await run(h);
      expect(await adder.row(h)).toMatchObject({ state: "adding", pausedFor: "connection" });
      expect([adder.tokens.size, await decisions(h)]).toEqual([0, ["added", null, null]]);
      adder.tokens.set(adder.accountId, "ada");
      await goOn();
      await run(h);
      expect([await decisions(h), directory.venues.length]).toEqual([["added", "added", "added"], 3]);
    });

    test.each([
      [
        "as long as a rate-limiting directory asks",
        new DirectoryError("rate_limited", undefined, { retryAfter: 120 }),
        110,
        121,
      ],
      ["a few seconds for a directory that does not respond", new DirectoryError("unreachable"), 5, 20],
    ])("%s", async (_how, error, least, most) => {
      const h = await adder.begin(["Ay"]);
      directory.search = () => {
        throw error;
      };
      const { askCategories } = deps.directory;
      deps.directory.askCategories = () => Promise.reject(error);
      await start(h, CAFE);
      await run(h);
      deps.directory.askCategories = askCategories;
      const wait = (Number((await adder.row(h)).retryAt) - Date.now()) / 1000;
      expect([wait > least, wait < most]).toEqual([true, true]);
      directory.search = undefined;
      await run(h); // too early
      expect(directory.adds).toEqual([]);
      await goOn();
      await run(h);
      expect(await decisions(h)).toEqual(["added"]);
    });

    test("while it is paused, and ends when it is cancelled", async () => {
      const size = lines ? 2 : 1; // rows added together
      adder.takes(lines && size);
      const names = ["Ay", "Bee", "Cee", "Dee", "Eff", "Gee"].slice(0, 3 * size);
      const until = (count: number) => names.map((_, at) => (at < count ? "added" : null));
      const h = await adder.begin(names);
      await start(h, CAFE);
      let searches = 0;
      directory.search = () => void searches++;
      const pause = () => pool.query("UPDATE app.harmonization SET paused_for = 'person' WHERE id = $1", [h.id]);
      await run(h, async (name) => void (name === "add: committed" && (await pause())));
      expect([await decisions(h), (await adder.row(h)).state]).toEqual([until(size), "adding"]);
      expect(searches).toBe(1);
      await goOn();
      const end = () => pool.query("UPDATE app.harmonization SET state = 'ready' WHERE id = $1", [h.id]);
      await run(h, async (name) => void (name === "add: committed" && (await end())));
      expect([await decisions(h), (await adder.row(h)).task]).toMatchObject([until(2 * size), { kind: "add" }]);
      expect((await adder.row(h)).task).not.toHaveProperty("report");
    });
  });

  const die = (point: string) => (name: string) => {
    if (name === point) throw new Error("killed");
  };

  const STEPS = ["add: before claim", "add: claimed", "add: answered", "add: committed"];
  describe.each([true, false])("adding at a directory that honours keys: %s", (honoursKeys) => {
    test.each(STEPS)("F01: a run killed at “%s” is resumed and adds each listing once", async (point) => {
      const h = await adder.begin(["Blue Door", "Blue Door", "Cee"]);
      await together();
      directory.honoursKeys = honoursKeys;
      await start(h, CAFE);
      const ends: string[] = [];
      for (let round = 0; round < 3; round++) {
        await run(h, die(point)).catch(({ message }) => ends.push(message));
        await adder.age(70);
      }
      expect(ends[0], "it was killed").toBe("killed");
      await run(h);
      await goOn();
      await run(h);
      expect((await adder.row(h)).state).toBe("ready");
      const sent = directory.adds.map(({ key }) => key);
      if (!honoursKeys) expect(new Set(sent).size).toBe(sent.length);
      const outcomes = (await adder.listings(h)).map(
        ({ decision, problem }) => decision ?? (problem as { code: string }).code,
      );
      // Claimed and killed before it was sent: without keys nobody knows that, and a person looks.
      const lost = !honoursKeys && point === "add: claimed";
      expect(outcomes).toEqual(lost ? ["add_unknown", "add_unknown", "add_unknown"] : ["added", "matched", "added"]);
      expect(new Set(directory.venues.map(({ name }) => name)).size).toBe(directory.venues.length);
    });
  });

  test("F02: a delayed worker adds nothing once another has taken over the task", async () => {
    const h = await adder.begin(["Ay", "Bee"]);
    await start(h, CAFE);
    const [asleep, wake] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sleepBeforeClaim = (name: string) => {
      if (name !== "add: before claim") return undefined;
      asleep.resolve();
      return wake.promise;
    };
    const late = run(h, sleepBeforeClaim);
    await asleep.promise;
    await run(h, die("add: before claim")).catch(() => undefined);
    wake.resolve();
    await late;
    expect([directory.adds, await decisions(h)]).toEqual([[], [null, null]]);
    await run(h);
    expect(directory.adds.map(({ name }) => name)).toEqual(["Ay", "Bee"]);
    expect(await decisions(h)).toEqual(["added", "added"]);
  });

  test("F03: adding sends many together, and finishes those without an answer", async () => {
    const names = ["Ay", "Bee", "Cee", "Dee", "Eff"];
    const h = await adder.begin(names);
    directory.fates = ["ok", "lost after", "lost before"];
    await start(h, CAFE);
    for (let round = 0; round < 4; round++) {
      await run(h);
      await goOn();
    }
    expect(directory.together[0]).toBe(lines ? 5 : undefined);
    expect(await decisions(h)).toEqual(names.map(() => "added"));
    expect(directory.venues.map(({ name }) => name).toSorted()).toEqual(names);
    expect((await adder.row(h)).task).toMatchObject({ report: { added: 5, failed: 0 } });
  });

  test("adding many together fails only the rows that the directory rejects", async () => {
    const h = await adder.begin(["Ay", "Bee", "Cee"]);
    directory.fates = ["ok", new DirectoryError("rejected", "No such street.")];
    await start(h, CAFE);
    await run(h);
    expect(await decisions(h)).toEqual(["added", null, "added"]);
    expect((await adder.listings(h))[1]).toMatchObject({ adding: null, problem: { said: "No such street." } });
    expect((await adder.row(h)).task).toMatchObject({ report: { added: 2, failed: 1 } });
  });
});
