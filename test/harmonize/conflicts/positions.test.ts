import { expect, test } from "vitest";
import { shiftOf } from "../../../src/harmonize/conflicts/shift.ts";
import { type MadeListing, makeCandidate } from "../rows.ts";
import { at, conflictFiles, town } from "./files.ts";

const { conflicts } = await conflictFiles();

test("swapped coordinates and lost signs are detected by the positions of the other listings", async () => {
  const slips = [at(-71.45, 41.85), at(41.85, 71.45), at(-41.85, -71.45), at(71.45, 41.85)];
  const { misplaced } = await conflicts([...town, ...town, ...slips]);
  expect(misplaced.shown.map(({ listing, slip, wouldBe }) => [listing.number, slip, wouldBe.lat, wouldBe.lng])).toEqual(
    [
      [25, "swapped", 41.85, -71.45],
      [26, "lng sign", 41.85, -71.45],
      [27, "lat sign", 41.85, -71.45],
      [28, "swapped, lng sign", 41.85, -71.45],
    ],
  );
});

/** A match of a listing in Kazakhstan with a venue. */
const matchedWith = (lat: number, lng: number): MadeListing => ({
  ...{ name: "Shop", candidates: [{ ...makeCandidate("a", 0.99), lat, lng }] },
  more: { ...at(41.85, 71.45).more, isClear: true },
});

test("an outlier is no conflict if it is matched there or no slip explains it", async () => {
  const { misplaced } = await conflicts([...town, matchedWith(41.85, 71.45), at(48.85, 2.35)]);
  expect(misplaced.total).toBe(0);
});

test("an outlier is a conflict if it is matched by other fields, with a venue that is where the slip would put it", async () => {
  const { misplaced } = await conflicts([...town, matchedWith(41.85, -71.45)]);
  expect(misplaced.shown.map(({ listing, slip }) => [listing.number, slip])).toEqual([[13, "lng sign"]]);
});

test("five listings on one point are a conflict, and four are not", async () => {
  const crowd = (count: number, lat: number) =>
    Array.from({ length: count }, (_, each) => at(lat, -71.4, `Shop ${each}`));
  const { samePoint } = await conflicts([...crowd(5, 41.82), ...crowd(4, 41.9), ...town]);
  expect(samePoint).toMatchObject({ total: 1, shown: [{ lat: 41.82, lng: -71.4, count: 5 }] });
});

/** Creates matches, each listing shifted from its venue by these degrees. */
const beside = (count: number, north: (each: number) => number, east = (_each: number) => 0): MadeListing[] =>
  Array.from({ length: count }, (_, each) => {
    const venue = { ...makeCandidate(`s${each}`, 0.9), lat: 41.8, lng: -71.4 };
    const ll = { lat: 41.8 + north(each), lng: -71.4 + east(each) };
    return { name: "Shop", candidates: [venue], more: { isClear: true, query: { name: "Shop", ll } } };
  });

test("a file shifted as a whole is detected with distance and direction", async () => {
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

test("C74: venues at the position of their address do not make a file look shifted", async () => {
  const listings = beside(30, () => 0.003).map(({ candidates = [], ...listing }) => ({
    ...listing,
    candidates: candidates.map((venue) => ({ ...venue, isByAddress: true as const })),
  }));
  expect((await conflicts(listings)).shift).toBeUndefined();
});

test("scattered positions, small shifts and too few matches do not count as a shift", async () => {
  const scattered = beside(
    40,
    (each) => Math.sin(each) / 300,
    (each) => Math.cos(each) / 300,
  );
  const uneven = (each: number) => (each % 9) / 1000 - 0.001; // nearly all to the north, some far, some hardly
  expect((await conflicts(beside(45, uneven))).shift).toBeUndefined();
  expect((await conflicts(scattered)).shift).toBeUndefined();
  for (const [count, north] of [
    [40, 0.0005],
    [19, 0.01],
  ] as const) {
    const { shift } = await conflicts(beside(count, () => north));
    expect(shift).toBeUndefined();
  }
});

test("the direction of a shift is named correctly all around the compass", () => {
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
