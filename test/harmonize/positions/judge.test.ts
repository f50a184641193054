import { describe, expect, it, test } from "vitest";
import { repairPosition } from "../../../src/harmonize/query/repairs.ts";
import type { Repair } from "../../../src/harmonize/run/positions.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { judge, RHODE_ISLAND, type Row, rowsIn, SPOILS, shift, spoil, townsAround, without } from "./world.ts";

/** Counts spoilt rows that the repair moves to within a kilometre of their position. */
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
    "F30: with all positions spoilt (%s) raises a question and can be repaired by its towns",
    async (slip) => {
      const spoilt = spoil(rows, slip);
      const found = await judge(spoilt, { towns });
      expect(found).toMatchObject({ verdict: "wrong", wrong: 300, rows: 300 });
      expect(repaired(rows, spoilt, found)).toBe(300);
      expect(found.calls).toMatchObject({ near: 9, named: 0, matched: 0 });
    },
  );

  it.each(Object.keys(SPOILS))(
    "with all positions spoilt (%s) and no towns is judged by the directory's venues",
    async (slip) => {
      const spoilt = spoil(without(rows), slip);
      const found = await judge(spoilt, { venues: rows.filter((_, index) => index % 3 > 0) });
      expect(found).toMatchObject({ verdict: "wrong" });
      expect(repaired(rows, spoilt, found)).toBe(300);
      expect(found.calls.matched).toBeLessThanOrEqual(320);
    },
  );

  it("F30: with 60 % of its rows swapped is repaired row by row", async () => {
    const spoilt = spoil(rows, "swapped", (index) => index % 5 < 3);
    for (const found of [await judge(spoilt, { towns }), await judge(without(spoilt), { venues: rows })]) {
      expect(found).toMatchObject({ verdict: "wrong", slip: "swapped", repair: { isWhole: false } });
      expect(repaired(rows, spoilt, found)).toBe(300);
    }
  });

  it("F30: shifted by half a degree raises a question, and is repaired if the directory has its venues", async () => {
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

  it("F30: with right positions raises no question, with towns or without, whatever the directory has nearby", async () => {
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

test.each([1, 2, 3, 6, 10])(
  "a small file of %i rows, all swapped, raises a question if it names its towns",
  async (count) => {
    const towns = townsAround(RHODE_ISLAND);
    const rows = rowsIn(towns, count);
    const found = await judge(spoil(rows, "swapped"), { towns });
    expect(found).toMatchObject({ verdict: "wrong", slip: "swapped", wrong: count });
    expect(repaired(rows, spoil(rows, "swapped"), found)).toBe(count);
  },
);

test("a worldwide list without signs is repaired row by row", async () => {
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

test("latitudes beyond the poles count as swapped without other evidence, and all rows on one point raise a question", async () => {
  const rows = without(rowsIn(townsAround({ lat: 37.5, lng: -121 }), 50));
  const found = await judge(spoil(rows, "swapped"), {});
  expect(found).toMatchObject({ verdict: "wrong", by: "positions", slip: "swapped" });
  expect(repaired(rows, spoil(rows, "swapped"), found)).toBe(50);
  const point = rows.map((row) => ({ ...row, lat: 37.5, lng: -121 }));
  expect(await judge(point, {})).toMatchObject({ verdict: "wrong", slip: "one point" });
  expect(await judge(point.slice(0, 12), {})).toMatchObject({ verdict: "unknown" });
});

test("a repair of partly swapped rows changes only those that it moves near the others", () => {
  const repair: Repair = { kind: "slips", slips: ["swapped"], isWhole: false, around: [{ lat: 41.8, lng: -71.4 }] };
  const put = (lat: number, lng: number) => repairPosition(repair, { lat, lng })?.ll;
  expect(put(-71.41, 41.82)).toEqual({ lat: 41.82, lng: -71.41 });
  expect(put(41.82, -71.41)).toBeUndefined();
  expect(put(12, 34)).toBeUndefined();
});
