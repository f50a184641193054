import { describe, expect, it, test } from "vitest";
import type { LatLng } from "../../src/contract/parameters.ts";
import { repairPosition } from "../../src/harmonize/positions/repairs.ts";
import { distanceBetween } from "../../src/matching/distance.ts";
import { judge, type Row, rowsIn, townsAround, wrap } from "./positions-world.ts";

const RHODE_ISLAND = { lat: 41.7, lng: -71.5 };
const SPOILS: Record<string, (row: LatLng) => LatLng> = {
  swapped: ({ lat, lng }) => ({ lat: lng, lng: lat }),
  "lng sign": ({ lat, lng }) => ({ lat, lng: -lng }),
  "lat sign": ({ lat, lng }) => ({ lat: -lat, lng }),
  "both signs": ({ lat, lng }) => ({ lat: -lat, lng: -lng }),
  "swapped, lng sign": ({ lat, lng }) => ({ lat: -lng, lng: lat }),
};
const spoil = (rows: Row[], slip: string, isSpoilt = (_index: number) => true) =>
  rows.map((row, index) => (isSpoilt(index) ? { ...row, ...SPOILS[slip]?.(row) } : row));
const shift = (rows: Row[], north: number, east: number) =>
  rows.map((row) => ({ ...row, lat: row.lat + north, lng: wrap(row.lng + east) }));
const without = (rows: Row[]) => rows.map((row) => ({ ...row, town: "" }));

/** How many of the spoilt rows the repair brings back to where they were, within a kilometre. */
function repaired(rows: Row[], spoilt: Row[], { repair }: Awaited<ReturnType<typeof judge>>): number {
  return spoilt.filter((is, index) => {
    const ll = (repair && repairPosition(repair, is)?.ll) ?? is;
    return distanceBetween(rows[index] as Row, ll) < 1000;
  }).length;
}

describe.each([
  ["Rhode Island", RHODE_ISLAND],
  ["California", { lat: 37.5, lng: -121 }],
  ["Chile", { lat: -33.4, lng: -70.6 }],
  ["Japan", { lat: 35.6, lng: 139.6 }],
  ["New Zealand", { lat: -36.8, lng: 174.7 }],
])("a file of %s", (_name, center) => {
  const towns = townsAround(center);
  const rows = rowsIn(towns, 300);

  it.each(Object.keys(SPOILS))(
    "F30: whose positions are all spoilt (%s) is asked about and can be put right by its towns",
    async (slip) => {
      const spoilt = spoil(rows, slip);
      const found = await judge(spoilt, { towns });
      expect(found).toMatchObject({ verdict: "wrong", wrong: 300, rows: 300 });
      expect(repaired(rows, spoilt, found)).toBe(300);
      expect(found.calls).toMatchObject({ near: 9, named: 0, matched: 0 });
    },
  );

  it.each(Object.keys(SPOILS))("without towns (%s) is told by the venues of the directory", async (slip) => {
    const spoilt = spoil(without(rows), slip);
    const found = await judge(spoilt, { venues: rows.filter((_, index) => index % 3 > 0) });
    expect(found).toMatchObject({ verdict: "wrong" });
    expect(repaired(rows, spoilt, found)).toBe(300);
    expect(found.calls.matched).toBeLessThanOrEqual(320);
  });

  it("F30: of which 60 % are swapped is put right row by row", async () => {
    const spoilt = spoil(rows, "swapped", (index) => index % 5 < 3);
    for (const found of [await judge(spoilt, { towns }), await judge(without(spoilt), { venues: rows })]) {
      expect(found).toMatchObject({ verdict: "wrong", slip: "swapped", repair: { isWhole: false } });
      expect(repaired(rows, spoilt, found)).toBe(300);
    }
  });

  it("F30: that is shifted by half a degree is asked about, and put right where the directory has its venues", async () => {
    for (const [north, east] of [
      [0.5, 0],
      [0, 0.5],
      [-0.5, 0.5],
      [1, 0],
      [0, -1],
    ] as const) {
      const spoilt = shift(rows, north, east);
      const found = await judge(spoilt, { towns, venues: rows.filter((_, index) => index % 2) });
      expect(found).toMatchObject({ verdict: "wrong", slip: "shifted", repair: { kind: "shift" } });
      expect(repaired(rows, spoilt, found)).toBe(300);
      expect(await judge(spoilt, { towns })).toMatchObject({ verdict: "wrong", slip: "shifted" });
      const townless = await judge(without(spoilt), { venues: rows.filter((_, index) => index % 2) });
      expect(repaired(rows, spoilt, townless)).toBe(300);
    }
  });

  it("F30: with right positions is not asked about, with towns or without, whatever the directory has of it", async () => {
    for (const known of [
      { towns },
      { venues: rows },
      { towns, venues: rows.slice(0, 20) },
      { towns, venues: rows },
      {},
    ])
      for (const each of [rows, without(rows)])
        expect(await judge(each, known)).not.toMatchObject({ verdict: "wrong" });
  });
});

describe("positions that are right are not asked about", () => {
  const towns = townsAround(RHODE_ISLAND);
  /** Towns of the same names, but not beside each other in the same way. */
  const homonyms = (center: LatLng) =>
    townsAround(center).map((town, index) => ({ ...town, name: `Town ${(index * 4) % 9}` }));

  it.each([
    ["at the equator", { lat: 0.1, lng: 32.5 }],
    ["at the prime meridian", { lat: 51.5, lng: 0.05 }],
    ["where both meet", { lat: 0.05, lng: 0.05 }],
    ["at the 180th meridian", { lat: -17, lng: 179.95 }],
    ["where latitude and longitude are alike", { lat: 41, lng: 41.2 }],
    ["in the far north", { lat: 78.2, lng: 15.6 }],
  ])("%s", async (_where, center) => {
    const there = townsAround(center);
    const rows = rowsIn(there, 60);
    expect(await judge(rows, { towns: there, venues: rows })).toMatchObject({ verdict: "fine" });
    expect(await judge(without(rows), { venues: rows })).toMatchObject({ verdict: "fine" });
  });

  it("with post towns, suburbs and neighbouring towns in place of their own", async () => {
    const rows = rowsIn(towns, 200, { within: 0.35 });
    expect(await judge(rows, { towns, venues: rows })).toMatchObject({ verdict: "fine" });
    const posted = rowsIn(towns, 200).map((row) => ({ ...row, town: "Town 4" }));
    expect(await judge(posted, { towns })).toMatchObject({ verdict: "fine" });
  });

  it("in one village whose post town lies 25 km away", async () => {
    const village = rowsIn([{ name: "Village", lat: 41.9, lng: -71.3 }], 80, { within: 0.01 });
    expect(
      await judge(
        village.map((row) => ({ ...row, town: "Town 4" })),
        { towns },
      ),
    ).toMatchObject({ verdict: "fine" });
  });

  it("in the country, a hundred kilometres from the towns they name", async () => {
    expect(
      await judge(rowsIn(townsAround(RHODE_ISLAND, 9, 2), 90, { within: 1 }), {
        towns: townsAround(RHODE_ISLAND, 9, 2),
      }),
    ).toMatchObject({ verdict: "fine" });
  });

  it("F30: where the directory takes their towns for others of the same names", async () => {
    const rows = rowsIn(towns, 120);
    const elsewhere = homonyms({ lat: 44, lng: -93 });
    expect(await judge(rows, { towns: elsewhere })).toMatchObject({ verdict: "elsewhere" });
    expect(await judge(rows, { towns: elsewhere, venues: rows })).toMatchObject({ verdict: "fine" });
    const half = towns.map((town, index) => (index % 2 ? (elsewhere[index] as typeof town) : town));
    expect(await judge(rows, { towns: half })).not.toMatchObject({ verdict: "wrong" });
  });

  it("in a country of which the directory has nothing, although towns there are called as those it knows", async () => {
    const rows = rowsIn(townsAround({ lat: 52, lng: -1.5 }), 100);
    expect(await judge(rows, { towns, venues: rowsIn(towns, 300, { seed: 3 }) })).not.toMatchObject({
      verdict: "wrong",
    });
    const named = rows.map((row) => ({ ...row, country: "GB" }));
    expect(await judge(named, { towns, cc: "US" })).toMatchObject({ verdict: "unknown" });
  });

  it("on the other side of the earth from a chain's branches that the directory has", async () => {
    const rows = without(rowsIn(townsAround({ lat: -41.7, lng: -71.5 }), 60)).map((row, index) => ({
      ...row,
      name: `Chain ${index % 6}`,
    }));
    const venues = rowsIn(towns, 300, { seed: 3 }).map((row, index) => ({ ...row, name: `Chain ${index % 6}` }));
    expect(await judge(rows, { venues })).not.toMatchObject({ verdict: "wrong" });
  });

  it.each([1, 2, 3, 5, 10])("of %i rows", async (count) => {
    const rows = rowsIn(towns, count);
    expect(await judge(rows, { towns, venues: rows })).not.toMatchObject({ verdict: "wrong" });
    expect(await judge(without(rows), { venues: rows })).not.toMatchObject({ verdict: "wrong" });
    expect(await judge(rows, { towns: homonyms({ lat: 44, lng: -93 }) })).not.toMatchObject({ verdict: "wrong" });
  });

  it("all in one square, or in one town", async () => {
    const rows = rowsIn(towns.slice(0, 1), 200, { within: 0.0005 });
    for (const each of [rows, without(rows)]) {
      expect(await judge(each, { towns, venues: rows })).toMatchObject({ verdict: "fine" });
      expect(await judge(each, {})).toMatchObject({ verdict: "unknown" });
    }
  });

  it("a metre or two off in one direction, and up to half a kilometre", async () => {
    const rows = rowsIn(towns, 200);
    expect(await judge(shift(rows, 0.004, 0.002), { towns, venues: rows })).toMatchObject({ verdict: "fine" });
  });

  it("but for a few rows", async () => {
    const rows = rowsIn(towns, 200);
    expect(
      await judge(
        spoil(rows, "swapped", (index) => index < 8),
        { towns },
      ),
    ).toMatchObject({ verdict: "fine" });
  });
});

test.each([1, 2, 3, 6, 10])(
  "a small file of %i rows, all swapped, is asked about where it names its towns",
  async (count) => {
    const towns = townsAround(RHODE_ISLAND);
    const rows = rowsIn(towns, count);
    const found = await judge(spoil(rows, "swapped"), { towns });
    expect(found).toMatchObject({ verdict: "wrong", slip: "swapped", wrong: count });
    expect(repaired(rows, spoil(rows, "swapped"), found)).toBe(count);
  },
);

test("a list of the whole world without signs is put right row by row", async () => {
  const towns = [
    [-33.4, -70.6],
    [37.5, -121],
    [-36.8, 174.7],
    [48.8, 2.3],
    [41.7, -71.5],
  ].map(([lat = 0, lng = 0], index) => ({
    ...{ name: `City ${index}`, lat, lng },
  }));
  const rows = rowsIn(towns, 100);
  const spoilt = rows.map((row) => ({ ...row, lat: Math.abs(row.lat), lng: Math.abs(row.lng) }));
  const found = await judge(spoilt, { towns });
  expect(found).toMatchObject({ verdict: "wrong", repair: { isWhole: false } });
  expect(repaired(rows, spoilt, found)).toBe(100);
});

test("latitudes beyond the poles are swapped even where nothing else tells, and all rows on one point are asked about", async () => {
  const rows = without(rowsIn(townsAround({ lat: 37.5, lng: -121 }), 50));
  const found = await judge(spoil(rows, "swapped"), {});
  expect(found).toMatchObject({ verdict: "wrong", by: "positions", slip: "swapped" });
  expect(repaired(rows, spoil(rows, "swapped"), found)).toBe(50);
  const point = rows.map((row) => ({ ...row, lat: 37.5, lng: -121 }));
  expect(await judge(point, {})).toMatchObject({ verdict: "wrong", slip: "one point" });
  expect(await judge(point.slice(0, 12), {})).toMatchObject({ verdict: "unknown" });
});
