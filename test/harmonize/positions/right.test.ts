import { describe, expect, it } from "vitest";
import type { LatLng } from "../../../src/contract/parameters.ts";
import { judge, RHODE_ISLAND, rowsIn, shift, spoil, townsAround, without } from "./world.ts";

describe("correct positions raise no question:", () => {
  const towns = townsAround(RHODE_ISLAND);
  /** Towns of the same names in a different arrangement. */
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

  it("with post towns, suburbs and neighbouring towns instead of their own", async () => {
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

  it("F30: even if the directory confuses their towns with others of the same name", async () => {
    const rows = rowsIn(towns, 120);
    const elsewhere = homonyms({ lat: 44, lng: -93 });
    expect(await judge(rows, { towns: elsewhere })).toMatchObject({ verdict: "elsewhere" });
    expect(await judge(rows, { towns: elsewhere, venues: rows })).toMatchObject({ verdict: "fine" });
    const half = towns.map((town, index) => (index % 2 ? (elsewhere[index] as typeof town) : town));
    expect(await judge(rows, { towns: half })).not.toMatchObject({ verdict: "wrong" });
  });

  it("in a country without venues in the directory, whose towns have names that it knows elsewhere", async () => {
    const rows = rowsIn(townsAround({ lat: 52, lng: -1.5 }), 100);
    expect(await judge(rows, { towns, venues: rowsIn(towns, 300, { seed: 3 }) })).not.toMatchObject({
      verdict: "wrong",
    });
    const named = rows.map((row) => ({ ...row, country: "GB" }));
    expect(await judge(named, { towns, cc: "US" })).toMatchObject({ verdict: "unknown" });
  });

  it("on the other side of the earth from the only branches of a chain that the directory has", async () => {
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

  it("off by a metre or two in one direction, and by up to half a kilometre", async () => {
    const rows = rowsIn(towns, 200);
    expect(await judge(shift(rows, 0.004, 0.002), { towns, venues: rows })).toMatchObject({ verdict: "fine" });
  });

  it("although a few rows are wrong", async () => {
    const rows = rowsIn(towns, 200);
    expect(
      await judge(
        spoil(rows, "swapped", (index) => index < 8),
        { towns },
      ),
    ).toMatchObject({ verdict: "fine" });
  });
});
