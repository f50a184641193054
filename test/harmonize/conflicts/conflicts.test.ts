import { expect, test } from "vitest";
import { findConflicts } from "../../../src/harmonize/conflicts/conflicts.ts";
import { showConflicts } from "../../../src/harmonize/conflicts/shown.ts";
import { makeCandidate } from "../rows.ts";
import { conflictFiles, on, town } from "./files.ts";

const { deps, newAccount, make, conflicts } = await conflictFiles();

test("a consistent file has no conflicts", async () => {
  const listings = [on("a"), on("b"), ...town];
  expect(await conflicts(listings)).toMatchObject({
    sameVenue: { total: 0, shown: [] },
    sameId: { total: 0 },
    otherVenue: { total: 0 },
    misplaced: { total: 0 },
    samePoint: { total: 0 },
    shift: undefined,
  });
});

test("conflicts include listings matched with one venue, by cut or person, but not listings to review", async () => {
  const byHand = { isClear: false, decision: "matched" as const, venueId: "a", venueName: "Alpha" };
  const doubtful = { name: "Perhaps", candidates: [makeCandidate("a", 0.5)] };
  const { sameVenue } = await conflicts([
    on("a"),
    on("z", byHand),
    on("b"),
    doubtful,
    on("a", { decision: "rejected" }),
  ]);
  expect(sameVenue.total).toBe(1);
  expect(sameVenue.shown[0]).toMatchObject({ venueId: "a", venueName: "Venue a", count: 2 });
  expect(sameVenue.shown[0]?.listings.map(({ number, ownId }) => [number, ownId])).toEqual([
    [1, "own-1"],
    [2, "own-2"],
  ]);
});

test("conflicts show the fifty largest groups with eight listings each, and count all", async () => {
  const pairs = Array.from({ length: 120 }, (_, each) => on(`v${each % 60}`));
  const { sameVenue } = await conflicts([...pairs, ...Array.from({ length: 10 }, () => on("v7"))]);
  expect([sameVenue.total, sameVenue.shown.length]).toEqual([60, 50]);
  expect(sameVenue.shown[0]).toMatchObject({ venueId: "v7", count: 12 });
  expect(sameVenue.shown[0]?.listings).toHaveLength(8);
});

test("conflicts include an own id that occurs twice, whatever the outcome of its rows", async () => {
  const { sameId } = await conflicts([
    on("a", { ownId: "7" }),
    on("b", { ownId: "7" }),
    on("c"),
    { name: "x", more: { ownId: null } },
  ]);
  expect(sameId).toMatchObject({ total: 1, shown: [{ ownId: "7", count: 2 }] });
  expect(sameId.shown[0]?.listings.map(({ venueId }) => venueId)).toEqual(["a", "b"]);
});

test("conflicts include an id with another venue in an earlier file of the owner, but not in files of others or with other ids", async () => {
  const account = await newAccount();
  const same = Array.from({ length: 4 }, (_, each) => on(`v${each}`));
  await make([...same, on("old")], { name: "last month.csv" }, account);
  await make(same.toReversed().concat(on("x")), { name: "other ids.csv" }, account);
  await make([...same, on("theirs")], { name: "theirs.csv" });
  const { otherVenue } = await conflicts([...same, on("new")], {}, account);
  expect(otherVenue.total).toBe(1);
  expect(otherVenue.shown[0]).toMatchObject({
    listing: { number: 5, venueId: "new" },
    other: { name: "last month.csv", listing: { number: 5, venueId: "old" } },
  });
});

test("an id that occurs twice in both files is a conflict only if no venue is shared", async () => {
  const account = await newAccount();
  const same = Array.from({ length: 4 }, (_, each) => on(`v${each}`));
  const twice = (id: string, venues: [string, string]) => venues.map((venue) => on(venue, { ownId: id }));
  await make([...same, ...twice("7", ["a", "b"]), ...twice("8", ["c", "d"])], { name: "before.csv" }, account);
  const now = [...same, ...twice("7", ["a", "b"]), ...twice("8", ["e", "f"])];
  const { otherVenue } = await conflicts(now, {}, account);
  expect([otherVenue.total, otherVenue.shown.map(({ listing }) => listing.number)]).toEqual([1, [7]]);
});

test("W08: conflicts with a file that the person may not see are not shown", async () => {
  const account = await newAccount();
  const same = Array.from({ length: 4 }, (_, each) => on(`v${each}`));
  await make([...same, on("old")], { name: "last month.csv" }, account);
  const h = await make([...same, on("new")], { isShared: true }, account);
  const found = await findConflicts(deps, h);
  const other = await showConflicts(deps, h, { id: await newAccount(), isAdmin: false }, found);
  const own = await showConflicts(deps, h, { id: account, isAdmin: false }, found);
  expect([own.otherVenue.total, other.otherVenue]).toEqual([1, { total: 0, shown: [] }]);
});
