import { expect, test } from "vitest";
import { conflictsOf, searchConflicts, wantConflicts } from "../../src/harmonize/conflict-search.ts";
import { FEW, findConflicts } from "../../src/harmonize/conflicts.ts";
import { shiftOf } from "../../src/harmonize/conflicts-shift.ts";
import { showConflicts } from "../../src/harmonize/conflicts-shown.ts";
import type { Queue } from "../../src/harmonize/queue.ts";
import { testDatabase } from "../support/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "./rows.ts";

const { database, url } = await testDatabase();
const DIRECTORY = "https://api.example";
let people = 0;
const newAccount = () => makeAccount(database, `Person ${people++}`, DIRECTORY);

const make = async (listings: MadeListing[], more: object = {}, accountId?: string) =>
  makeHarmonization(database, accountId ?? (await newAccount()), listings, { directory: DIRECTORY, ...more });
const sent: object[] = [];
const queue = { send: async (tasks: object) => void sent.push(tasks) } as unknown as Queue;
const deps = { ...database, queue, databaseUrl: url, directoryUrl: DIRECTORY };
const { signal } = new AbortController();

/** As its owner sees them. A worker, who looks for those of a large file, must find the same. */
const conflicts = async (listings: MadeListing[], more?: object, accountId?: string) => {
  const h = await make(listings, more, accountId);
  const findings = await findConflicts(deps, h);
  await wantConflicts(deps, h);
  await searchConflicts(deps, h, { signal });
  const { findings: byWorker } = await database.prisma.conflictSearch.findUniqueOrThrow({
    where: { harmonizationId: h.id },
  });
  expect(byWorker).toEqual(JSON.parse(JSON.stringify(findings)));
  return showConflicts(deps, h, { id: h.accountId ?? "", isAdmin: false }, findings);
};

/** Matched by the cut with this venue. */
const on = (venue: string, more: MadeListing["more"] = {}): MadeListing => ({
  name: `Shop at ${venue}`,
  candidates: [makeCandidate(venue, 0.95)],
  more: { isClear: true, ...more },
});
const at = (lat: number, lng: number, name = `At ${lat}, ${lng}`): MadeListing => ({
  name,
  more: { query: { name, ll: { lat, lng } } },
});
const town = Array.from({ length: 12 }, (_, each) => at(41.8 + each / 100, -71.4 - each / 100));

test("a file in which all fits together has no conflicts", async () => {
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

test("several listings on one venue are found, by the cut or by a person, and not those that only may be it", async () => {
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

test("the largest groups come first, fifty of them and of each the first eight, and all are counted", async () => {
  const pairs = Array.from({ length: 120 }, (_, each) => on(`v${each % 60}`));
  const { sameVenue } = await conflicts([...pairs, ...Array.from({ length: 10 }, () => on("v7"))]);
  expect([sameVenue.total, sameVenue.shown.length]).toEqual([60, 50]);
  expect(sameVenue.shown[0]).toMatchObject({ venueId: "v7", count: 12 });
  expect(sameVenue.shown[0]?.listings).toHaveLength(8);
});

test("an own id that stands in the file twice is found, whatever came of its rows", async () => {
  const { sameId } = await conflicts([
    on("a", { ownId: "7" }),
    on("b", { ownId: "7" }),
    on("c"),
    { name: "x", more: { ownId: null } },
  ]);
  expect(sameId).toMatchObject({ total: 1, shown: [{ ownId: "7", count: 2 }] });
  expect(sameId.shown[0]?.listings.map(({ venueId }) => venueId)).toEqual(["a", "b"]);
});

test("an id on another venue than in an earlier file of the owner is found; files of others and with other ids are not", async () => {
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

test("an id that stands in both files twice is found only where it has no venue in common", async () => {
  const account = await newAccount();
  const same = Array.from({ length: 4 }, (_, each) => on(`v${each}`));
  const twice = (id: string, venues: [string, string]) => venues.map((venue) => on(venue, { ownId: id }));
  await make([...same, ...twice("7", ["a", "b"]), ...twice("8", ["c", "d"])], { name: "before.csv" }, account);
  const now = [...same, ...twice("7", ["a", "b"]), ...twice("8", ["e", "f"])];
  const { otherVenue } = await conflicts(now, {}, account);
  expect([otherVenue.total, otherVenue.shown.map(({ listing }) => listing.number)]).toEqual([1, [7]]);
});

test("latitude and longitude that changed places or a sign are found by where the other listings are", async () => {
  const slips = [at(-71.45, 41.85), at(41.85, 71.45), at(-41.85, -71.45), at(71.45, 41.85)];
  const { misplaced } = await conflicts([...town, ...town, ...slips]);
  expect(misplaced.shown.map(({ listing, slip, wouldBe }) => [listing.number, slip, wouldBe.lat, wouldBe.lng])).toEqual(
    [
      [25, "swapped", 41.85, -71.45],
      [26, "lng sign", 41.85, -71.45],
      [27, "lat sign", 41.85, -71.45],
      [28, "swapped", 41.85, -71.45],
    ],
  );
});

test("a lonely listing is left alone where it is matched, or where no slip brings it to the others", async () => {
  const matched = { ...on("a"), more: { ...at(41.85, 71.45).more, isClear: true } };
  const { misplaced } = await conflicts([...town, matched, at(48.85, 2.35)]);
  expect(misplaced.total).toBe(0);
});

test("five listings on exactly one point are found, four are not", async () => {
  const crowd = (count: number, lat: number) =>
    Array.from({ length: count }, (_, each) => at(lat, -71.4, `Shop ${each}`));
  const { samePoint } = await conflicts([...crowd(5, 41.82), ...crowd(4, 41.9), ...town]);
  expect(samePoint).toMatchObject({ total: 1, shown: [{ lat: 41.82, lng: -71.4, count: 5 }] });
});

/** As many matches as asked, each listing so many degrees beside its venue. */
const beside = (count: number, north: (each: number) => number, east: (each: number) => number): MadeListing[] =>
  Array.from({ length: count }, (_, each) => {
    const venue = { ...makeCandidate(`s${each}`, 0.9), lat: 41.8, lng: -71.4 };
    const ll = { lat: 41.8 + north(each), lng: -71.4 + east(each) };
    return { name: "Shop", candidates: [venue], more: { isClear: true, query: { name: "Shop", ll } } };
  });

test("a whole file beside its venues is found with how far and where to", async () => {
  const { shift } = await conflicts(
    beside(
      30,
      (each) => 0.002 + (each % 3) / 10_000,
      () => 0.0027,
    ),
  );
  expect(shift).toMatchObject({ direction: "north-east", matches: 30 });
  expect(shift?.metres).toBeGreaterThan(300);
  expect(shift?.metres).toBeLessThan(350);
});

test("scattered positions, small shifts and too few matches are no shift", async () => {
  const scattered = beside(
    40,
    (each) => Math.sin(each) / 300,
    (each) => Math.cos(each) / 300,
  );
  const uneven = (each: number) => (each % 9) / 1000 - 0.001; // nearly all to the north, some far, some hardly
  expect((await conflicts(beside(45, uneven, () => 0))).shift).toBeUndefined();
  expect((await conflicts(scattered)).shift).toBeUndefined();
  expect(
    (
      await conflicts(
        beside(
          40,
          () => 0.0005,
          () => 0,
        ),
      )
    ).shift,
  ).toBeUndefined();
  expect(
    (
      await conflicts(
        beside(
          19,
          () => 0.01,
          () => 0,
        ),
      )
    ).shift,
  ).toBeUndefined();
});

test("the direction of a shift is right all around", () => {
  const direction = (north: number, east: number) =>
    shiftOf(Array.from({ length: 20 }, () => ({ at: { lat: 0, lng: 0 }, north, east })))?.direction;
  const around = [
    direction(1, 0),
    direction(0, 1),
    direction(-1, 0),
    direction(0, -1),
    direction(-1, -1),
    direction(1, -1),
  ];
  expect(around).toEqual(["north", "east", "south", "west", "south-west", "north-west"]);
});

test("F32: the conflicts of a large file are looked for by a worker, once, and again when a cut was moved", async () => {
  const h = { ...(await make([on("a"), on("a")])), listingCount: FEW + 1 };
  sent.length = 0;
  expect(await conflictsOf(deps, h)).toEqual({ findings: undefined, foundAt: undefined, done: 0 });
  await conflictsOf(deps, h);
  expect(sent).toEqual([{ kind: "conflicts", harmonizationId: h.id }]);
  await searchConflicts(deps, h, { signal });
  const { findings, foundAt, done } = await conflictsOf(deps, h);
  expect([findings?.sameVenue.total, foundAt instanceof Date, done]).toEqual([1, true, undefined]);
  expect(sent).toHaveLength(1);
  const moved = await conflictsOf(deps, { ...h, acceptFrom: 0.99 });
  expect([moved.findings?.sameVenue.total, moved.done], "what was found before stays").toEqual([1, 0]);
  expect(sent).toHaveLength(2);
});

test("a search that nobody wants any more finds nothing, and one that is cut short is begun again", async () => {
  const h = { ...(await make([on("a"), on("a")])), listingCount: FEW + 1 };
  await searchConflicts(deps, h, { signal });
  expect(await database.prisma.conflictSearch.count({ where: { harmonizationId: h.id } })).toBe(0);
  await wantConflicts(deps, h);
  const cut = searchConflicts(deps, h, { signal: AbortSignal.abort() });
  await expect(cut).rejects.toThrow();
  expect((await conflictsOf(deps, h)).done).toBe(0);
  await searchConflicts(deps, h, { signal });
  expect((await conflictsOf(deps, h)).findings?.sameVenue.total).toBe(1);
});

test("W08: what differs from a file that a person may not see is not told them", async () => {
  const account = await newAccount();
  const same = Array.from({ length: 4 }, (_, each) => on(`v${each}`));
  await make([...same, on("old")], { name: "last month.csv" }, account);
  const h = await make([...same, on("new")], { isShared: true }, account);
  const found = await findConflicts(deps, h);
  const other = await showConflicts(deps, h, { id: await newAccount(), isAdmin: false }, found);
  const own = await showConflicts(deps, h, { id: account, isAdmin: false }, found);
  expect([own.otherVenue.total, other.otherVenue]).toEqual([1, { total: 0, shown: [] }]);
});
