import { describe, expect, test } from "vitest";
import { DirectoryError, type DirectoryErrorKind } from "../../../src/directory-client/calls/errors.ts";
import { addOnce } from "../../../src/harmonize/add/once.ts";
import { listingRecord } from "../../../src/harmonize/add/record.ts";
import { undo } from "../../../src/harmonize/review/undo.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { withPoints } from "../points.ts";
import { startAdder, venueOf } from "./directory.ts";

const adder = await startAdder();
const { directory, deps } = adder;

const wishOf = (name: string, seen: string[] = []) => ({
  ...{ auth: { token: "ada" }, accountId: adder.accountId, venue: venueOf(name), seen, how: "person" as const },
});
const recordOf = ({ id }: Harmonization, number = 1, db = deps) => listingRecord(db, { id, number });
const add = (h: Harmonization, seen?: string[]) => addOnce(deps, recordOf(h), wishOf("Blue Door", seen));
const first = async (h: Harmonization) => (await adder.listings(h))[0];

describe("a person's add", () => {
  test("is stored as a step that can be undone", async () => {
    const h = await adder.begin(["Blue Door"]);
    expect(await add(h)).toEqual({ kind: "added", venueId: "new-0", venueName: "Blue Door" });
    expect(await first(h)).toMatchObject({
      ...{ decision: "added", venueId: "new-0", venueName: "Blue Door", decidedHow: "person", adding: null },
      ...{ decidedBy: adder.accountId, why: { code: "added" } },
    });
    expect(await undo(deps, h, adder.person)).toMatchObject({ number: 1, restored: 1 });
    expect(await first(h)).toMatchObject({ decision: null, venueId: null });
    expect(directory.venues).toHaveLength(1);
  });

  test("of a listing already added under another name returns that venue", async () => {
    const h = await adder.begin(["Blue Door"]);
    await add(h);
    const again = await addOnce(deps, recordOf(h), wishOf("Green Door", ["new-0"]));
    expect(again).toEqual({ kind: "added", venueId: "new-0", venueName: "Blue Door", wasAdded: true });
    expect(directory.venues).toHaveLength(1);
  });

  test("stops at similar venues unless the person has seen them", async () => {
    const h = await adder.begin(["Blue Door"]);
    directory.venues.push({ id: "x", name: "Blue Window", location: { lat: 41.821, lng: -71.41 } });
    expect(await add(h)).toMatchObject({ kind: "alike", venues: [{ id: "x" }] });
    expect([directory.adds.length, (await first(h))?.adding]).toEqual([0, null]);
    expect(await add(h, ["x"])).toMatchObject({ kind: "added" });
  });

  test("is sent with ignoreDuplicatesKey if the person has seen all duplicates", async () => {
    const h = await adder.begin(["Blue Door"]);
    directory.venues.push({ id: "x", name: "Blue Door", location: { lat: 41.821, lng: -71.41 } });
    directory.findsDuplicates = true;
    expect(await add(h, ["x"])).toMatchObject({ kind: "added" });
    expect(directory.adds.map(({ forced }) => forced)).toEqual([undefined, "force"]);
  });

  test("returns the duplicates and the key if the person has not seen them", async () => {
    const h = await adder.begin(["Blue Door"]);
    const candidates = [{ id: "other", name: "Blue Gate" }];
    directory.fates = [new DirectoryError("duplicate", undefined, { duplicates: { candidates, key: "k" } })];
    expect(await add(h)).toEqual({ kind: "alike", venues: candidates, confident: false, ignoreDuplicatesKey: "k" });
    expect((await first(h))?.adding).toBeNull();
  });

  const SURE: DirectoryErrorKind[] = ["rejected", "refused_token", "refused_client", "rate_limited", "not_found"];
  test.each(SURE)("that fails as %s leaves no add under way", async (kind) => {
    const h = await adder.begin(["Blue Door"]);
    directory.fates = [new DirectoryError(kind)];
    await expect(add(h)).rejects.toMatchObject({ kind });
    expect(await first(h)).toMatchObject({ adding: null, decision: null });
    expect(await add(h)).toMatchObject({ kind: "added" });
  });

  test("of a decided listing is rejected", async () => {
    const h = await adder.begin(["Blue Door"]);
    await adder.database.prisma.listing.updateMany({ data: { decision: "matched", venueName: "Elsewhere" } });
    await expect(add(h)).rejects.toMatchObject({ status: 409, message: expect.stringContaining("Elsewhere") });
    await expect(addOnce(deps, recordOf(h, 2), wishOf("Blue Door"))).rejects.toMatchObject({ status: 404 });
    expect(directory.adds).toEqual([]);
  });
});

test("F27: an add repeated after restoring a backup has the same key and adds no second venue", async () => {
  const h = await adder.begin(["Blue Door"]);
  await add(h);
  await adder.database.prisma.listing.updateMany({ data: { decision: null, venueId: null } });
  expect(await add(h, ["new-0"])).toEqual({ kind: "added", venueId: "new-0", venueName: "Blue Door" });
  expect(directory.venues).toHaveLength(1);
});

test("sixteen concurrent adds of one listing add one venue, and all return it", async () => {
  const h = await adder.begin(["Blue Door"]);
  directory.slow = 300;
  const all = await Promise.all(Array.from({ length: 16 }, () => add(h)));
  expect(new Set(all.map((added) => added.kind === "added" && added.venueId))).toEqual(new Set(["new-0"]));
  expect([directory.venues.length, directory.adds.length]).toEqual([1, 1]);
});

describe("after a lost response, a directory that honours keys", () => {
  test.each(["lost after", "lost before"] as const)(
    "F03: is sent the same add again (%s it took effect)",
    async (fate) => {
      const h = await adder.begin(["Blue Door"]);
      directory.fates = [fate];
      expect(await add(h)).toMatchObject({ kind: "unclear", isGivenUp: false });
      expect((await first(h))?.adding).toMatchObject({ how: "person", venue: { name: "Blue Door" } });
      await adder.age(20);
      expect(await add(h)).toMatchObject({ kind: "added", venueId: "new-0" });
      expect(new Set(directory.adds.map(({ key }) => key)).size).toBe(1);
      expect(directory.venues).toHaveLength(1);
      expect(await first(h)).toMatchObject({ decision: "added", adding: null });
    },
  );

  test("gets the add with the token of the user who began it", async () => {
    const h = await adder.begin(["Blue Door"]);
    directory.fates = ["lost after"];
    await add(h);
    await adder.age(20);
    const wish = { ...wishOf("Blue Door"), auth: { token: "bob" }, accountId: adder.accountId };
    expect(await addOnce(deps, recordOf(h), wish)).toMatchObject({ kind: "added" });
    expect(directory.adds.map(({ token }) => token)).toEqual(["ada", "ada"]);
  });

  test("gets a limited number of repeats if it never responds", async () => {
    const h = await adder.begin(["Blue Door"]);
    directory.fates = Array(16).fill("lost before");
    for (let time = 0; time < 15; time++) {
      await add(h);
      await adder.age(100);
    }
    expect(directory.adds.length).toBe(13 + 1); // 1, again 12 times, and then a new one after it was given up
  });
});

describe("after a lost response, a directory without keys", () => {
  async function lose(fate: "lost after" | "lost before") {
    const h = await adder.begin(["Blue Door"]);
    directory.honoursKeys = false;
    directory.fates = [fate];
    await add(h);
    await adder.age(30);
    return h;
  }

  test("F03: is searched, and the added venue is found by name and place", async () => {
    const h = await lose("lost after");
    expect(await add(h)).toMatchObject({ kind: "added", venueId: "new-0" });
    expect([directory.adds.length, directory.venues.length]).toEqual([1, 1]);
  });

  test("never gets the add again, and the listing goes to review", async () => {
    const h = await lose("lost before");
    expect(await add(h)).toMatchObject({ kind: "unclear", isGivenUp: false });
    await adder.age(70);
    expect(await add(h)).toMatchObject({ kind: "unclear", isGivenUp: true });
    expect(directory.adds).toHaveLength(1);
    expect(await first(h)).toMatchObject({ decision: null, adding: null, problem: { code: "add_unknown" } });
    expect(await add(h)).toMatchObject({ kind: "added" });
    expect(await first(h)).toMatchObject({ decision: "added", problem: null });
  });

  test("does not count a venue that existed before as added", async () => {
    const h = await adder.begin(["Blue Door"]);
    directory.honoursKeys = false;
    directory.venues.push({ id: "x", name: "Blue Door", location: { lat: 41.821, lng: -71.41 } });
    directory.fates = ["lost before"];
    await add(h, ["x"]);
    await adder.age(70);
    expect(await add(h, ["x"])).toMatchObject({ kind: "unclear", isGivenUp: true });
    expect(await first(h)).toMatchObject({ bestId: "x", decision: null });
  });
});

const STEPS = ["add: before claim", "add: claimed", "add: answered", "add: committed"];
describe.each([true, false])("adding once at a directory that honours keys: %s", (honoursKeys) => {
  test.each(STEPS)("F01: an add killed at “%s” is completed by the next attempt", async (point) => {
    const h = await adder.begin(["Blue Door"]);
    directory.honoursKeys = honoursKeys;
    const die = (name: string) => {
      if (name === point) throw new Error("killed");
    };
    const mortal = withPoints(deps, die);
    await expect(addOnce(mortal, recordOf(h, 1, mortal), wishOf("Blue Door"))).rejects.toThrow("killed");
    await adder.age(70);
    await add(h);
    if (!honoursKeys && point === "add: claimed") await add(h); // it was given up, and they add it
    expect(directory.venues).toHaveLength(1);
    expect(await first(h)).toMatchObject({ decision: "added", venueId: "new-0", adding: null });
  });
});
