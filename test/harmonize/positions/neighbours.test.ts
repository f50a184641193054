import { describe, expect, test } from "vitest";
import type { LatLng } from "../../../src/contract/parameters.ts";
import type { DirectoryClient } from "../../../src/directory-client/client.ts";
import { isOnEarth } from "../../../src/files/row/position.ts";
import { type Cell, neighboursOf } from "../../../src/harmonize/positions/neighbours.ts";
import { createPositionCheck } from "../../../src/harmonize/positions/place-check.ts";
import type { Positions } from "../../../src/harmonize/run/positions.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { rowsIn, townsAround } from "./world.ts";

interface Row extends LatLng {
  town?: string;
  country?: string;
}

/** A town in each quarter of the globe, one beside the 180th meridian, and one beside the equator. */
const CENTRES = {
  Providence: { lat: 41.7, lng: -71.5 },
  Stuttgart: { lat: 48.8, lng: 9.2 },
  Santiago: { lat: -33.4, lng: -70.6 },
  Sydney: { lat: -33.9, lng: 151.2 },
  Suva: { lat: -18.1, lng: 178.9 },
  Nairobi: { lat: -1.5, lng: 36.8 },
};

const SPOILS: Record<string, (was: LatLng) => LatLng> = {
  swapped: ({ lat, lng }) => ({ lat: lng, lng: lat }),
  "without the sign of the longitude": ({ lat, lng }) => ({ lat, lng: -lng }),
  "without the sign of the latitude": ({ lat, lng }) => ({ lat: -lat, lng }),
  "without both signs": ({ lat, lng }) => ({ lat: -lat, lng: -lng }),
  "swapped, without a sign": ({ lat, lng }) => ({ lat: -lng, lng: lat }),
  "a tenth of the latitude": ({ lat, lng }) => ({ lat: lat / 10, lng }),
  "a tenth of the longitude": ({ lat, lng }) => ({ lat, lng: lng / 10 }),
  "a tenth of both": ({ lat, lng }) => ({ lat: lat / 10, lng: lng / 10 }),
  "ten times the latitude": ({ lat, lng }) => ({ lat: lat * 10, lng }),
  "ten times the longitude": ({ lat, lng }) => ({ lat, lng: lng * 10 }),
};

const FAMILIES = Object.entries(CENTRES).flatMap(([name, centre]) =>
  Object.entries(SPOILS).flatMap(([spoil, put]) => {
    const away = distanceBetween(centre, put(centre));
    // A row that is not on Earth fails when it is read; one that moved hardly is still on land beside the others.
    return isOnEarth(put(centre)) && away > 450_000 ? [{ name, spoil, put, centre }] : [];
  }),
);

const cellsOf = (rows: Row[]): Cell[] =>
  rows.map(({ lat, lng, country = null }) => ({
    ...{ lat: Math.floor(lat * 10), lng: Math.floor(lng * 10) },
    ...{ country, listings: 1 },
  }));

/** Returns the rows of a file that are held back, at a directory that knows these towns. */
async function heldBack(rows: Row[], towns: Record<string, LatLng> = {}, positions: Positions | null = null) {
  const directory = {
    async searchVenues(_auth: unknown, { near }: { near: string }) {
      const center = towns[near.split(",")[0] ?? ""];
      return { venues: [], geocode: center && { feature: { cc: "", geometry: { center } } } };
    },
  } as unknown as DirectoryClient;
  const asking = { directory, auth: { token: "t" } };
  const check = createPositionCheck(
    asking,
    { header: ["city", "country"], columns: { city: 0, country: 1 }, positions, repairs: [] },
    neighboursOf(cellsOf(rows)),
  );
  const held = [];
  for (const row of rows) {
    const doubt = await check([row.town ?? "", row.country ?? ""], { lat: row.lat, lng: row.lng });
    if (doubt) held.push({ row, doubt });
  }
  return held;
}

/** Sixty rows around a place, of which the last six are spoilt. */
function fileAround(centre: LatLng, put: (was: LatLng) => LatLng, more: Partial<Row> = {}) {
  const right: Row[] = rowsIn(townsAround(centre), 66).map(({ lat, lng }) => ({ lat, lng, ...more }));
  const was = right.slice(60);
  return { was, rows: [...right.slice(0, 60), ...was.map((row) => ({ ...row, ...put(row) }))] };
}

describe("F81: of a file with some rows spoilt, exactly these are held back, each with the position that it had", () => {
  const WAYS: Record<string, (name: string, centre: LatLng) => [Partial<Row>, Record<string, LatLng>]> = {
    "the directory knows their town": (name, centre) => [{ town: name }, { [name]: centre }],
    "it does not": (name) => [{ town: name, country: "XX" }, {}],
    "they name none": () => [{}, {}],
  };
  for (const [way, of] of Object.entries(WAYS))
    test(`and ${way}`, async () => {
      expect(FAMILIES.length).toBeGreaterThan(35);
      for (const { name, spoil, put, centre } of FAMILIES) {
        const [more, towns] = of(name, centre);
        const { was, rows } = fileAround(centre, put, more);
        const held = await heldBack(rows, towns);
        expect(
          held.map(({ row }) => rows.indexOf(row)),
          `${name}, ${spoil}`,
        ).toEqual([60, 61, 62, 63, 64, 65]);
        for (const [at, { doubt }] of held.entries())
          expect(
            distanceBetween(doubt.wouldBe ?? { lat: 0, lng: 0 }, was[at] as Row),
            `${name}, ${spoil}`,
          ).toBeLessThan(1);
      }
    });

  test("and the file has other rows all over the world", async () => {
    for (const { name, spoil, put, centre } of FAMILIES) {
      const { rows } = fileAround(centre, put);
      const others = Array.from({ length: 40 }, (_, at) => ({ lat: 70 - at * 3.1, lng: -170 + ((at * 137) % 340) }));
      const held = await heldBack([...rows, ...others]);
      const numbers = held.map(({ row }) => rows.indexOf(row as (typeof rows)[0])).filter((at) => at >= 0);
      expect(numbers, `${name}, ${spoil}`).toEqual([60, 61, 62, 63, 64, 65]);
    }
  });
});

describe("F81: a row that truly lies elsewhere is not held back", () => {
  /** Where a slip would have taken each row: some on land. */
  const elsewhere = FAMILIES.map(({ name, put, centre }) => ({ name, centre, there: put(centre) }));

  test("if its own town says that it is there", async () => {
    for (const { centre, there } of elsewhere) {
      const right = rowsIn(townsAround(centre), 60).map(({ lat, lng }) => ({ lat, lng, town: "Here" }));
      const branch = { lat: there.lat + 0.1, lng: there.lng, town: "There" };
      expect(await heldBack([...right, branch], { Here: centre, There: there })).toEqual([]);
    }
  });

  test("if its own country is not that of the others, though the directory does not know its town", async () => {
    for (const { centre, there } of elsewhere) {
      const right = rowsIn(townsAround(centre), 60).map(({ lat, lng }) => ({ lat, lng, country: "US" }));
      expect(await heldBack([...right, { ...there, town: "There", country: "KZ" }])).toEqual([]);
    }
  });

  test("if no slip would bring it to the others: islands, Null Island's neighbours, a branch abroad", async () => {
    const islands = [
      { lat: 0, lng: 0.001 },
      { lat: 0.34, lng: 6.73 },
      { lat: -0.5, lng: -0.5 },
      { lat: 64.15, lng: -21.94 },
      { lat: -51.7, lng: -57.85 },
      { lat: 21.31, lng: -157.86 },
      { lat: -0.9, lng: -89.6 },
      { lat: 35.68, lng: 139.69 },
    ];
    for (const centre of Object.values(CENTRES)) {
      const right = rowsIn(townsAround(centre), 60).map(({ lat, lng }) => ({ lat, lng }));
      expect(await heldBack([...right, ...islands])).toEqual([]);
    }
  });

  test("if its town is on the other side of a meridian, or of the equator, than the most, in the same country", async () => {
    const COUNTRIES: Record<string, Record<string, LatLng>> = {
      ES: {
        Madrid: { lat: 40.42, lng: -3.7 },
        ...{ Barcelona: { lat: 41.39, lng: 2.17 }, Zaragoza: { lat: 41.65, lng: -0.88 } },
        ...{ Lleida: { lat: 41.62, lng: 0.62 }, Palma: { lat: 39.57, lng: 2.65 } },
      },
      GB: {
        London: { lat: 51.51, lng: -0.13 },
        ...{ Barking: { lat: 51.54, lng: 0.08 }, Ipswich: { lat: 52.06, lng: 1.16 } },
      },
      FR: {
        Caen: { lat: 49.18, lng: -0.37 },
        ...{ "Le Havre": { lat: 49.49, lng: 0.11 }, Paris: { lat: 48.86, lng: 2.35 } },
        ...{ Bordeaux: { lat: 44.84, lng: -0.58 }, Toulouse: { lat: 43.6, lng: 1.44 } },
      },
      GH: { Accra: { lat: 5.6, lng: -0.19 }, Tema: { lat: 5.67, lng: 0.01 }, Aflao: { lat: 6.12, lng: 1.19 } },
      EC: {
        Quito: { lat: -0.18, lng: -78.47 },
        Ibarra: { lat: 0.35, lng: -78.12 },
        Tulcan: { lat: 0.81, lng: -77.72 },
      },
      KE: { Nairobi: { lat: -1.29, lng: 36.82 }, Eldoret: { lat: 0.52, lng: 35.27 }, Meru: { lat: 0.05, lng: 37.65 } },
    };
    const townOf = (centre: LatLng, count: number, country: string) =>
      rowsIn([{ name: "", ...centre }], count).map(({ lat, lng }) => ({ lat, lng, country }));
    for (const [country, towns] of Object.entries(COUNTRIES))
      for (const [most, there] of Object.entries(towns))
        for (const [few, here] of Object.entries(towns))
          for (const [count, times] of [1, 3, 10].flatMap((count) =>
            [5, 7, 30].map((times) => [count, times] as const),
          ))
            if (few !== most)
              expect(
                await heldBack([...townOf(there, count * times, country), ...townOf(here, count, country)]),
                `${count} in ${few}, ${times} times as many in ${most}`,
              ).toEqual([]);
  });

  // What is given up for that: rows of a town that slipped together are found by their own town, and not by the others.
  test("nor is a group within reach of the others, unless its own town says so", async () => {
    const centre = { lat: 40.42, lng: -3.7 };
    const right: Row[] = rowsIn([{ name: "", ...centre }], 150).map(({ lat, lng }) => ({ lat, lng, town: "Madrid" }));
    const rows = right.map((row, at) => (at < 10 ? { ...row, lng: -row.lng } : row));
    expect(await heldBack(rows)).toEqual([]);
    expect((await heldBack(rows, { Madrid: centre })).map(({ row }) => rows.indexOf(row))).toEqual([
      ...Array(10).keys(),
    ]);
    const alone = right.map((row, at) => (at < 3 ? { ...row, lng: -row.lng } : row));
    expect((await heldBack(alone)).map(({ row }) => alone.indexOf(row))).toEqual([0, 1, 2]);
    const far = right.map((row, at) => (at < 10 ? { ...row, lat: row.lng, lng: row.lat } : row));
    expect((await heldBack(far)).map(({ row }) => far.indexOf(row))).toEqual([...Array(10).keys()]);
  });

  test("if there are as many on both sides", async () => {
    const { rows } = fileAround(CENTRES.Providence, ({ lat, lng }) => ({ lat, lng: -lng }));
    const branches = rowsIn(townsAround({ lat: 41.7, lng: 71.5 }), 20).map(({ lat, lng }) => ({ lat, lng }));
    expect(await heldBack([...rows.slice(0, 60), ...branches])).toEqual([]);
  });
});

test("F81: rows on both sides of the 180th meridian, or of the border of two cells, are neighbours", async () => {
  const around = (lat: number, lng: number) => [
    { lat: lat + 0.01, lng },
    { lat: lat - 0.01, lng },
  ];
  const right = [...around(-17, 179.9), ...around(-17, -179.9), ...around(-18, 179.9), ...around(-18, -179.9)];
  expect(await heldBack(right)).toEqual([]);
  const held = await heldBack([...right, { lat: 17.001, lng: 179.9 }]);
  expect(held.map(({ doubt }) => doubt.wouldBe)).toEqual([{ lat: -17.001, lng: 179.9 }]);
});

test("F81: a town counts more than the other rows, and its own slip is suggested", async () => {
  const right = rowsIn(townsAround(CENTRES.Providence), 60).map(({ lat, lng }) => ({ lat, lng, town: "Here" }));
  const stray = { lat: -33.4, lng: 70.6, town: "Santiago" };
  const [held] = await heldBack([...right, stray], { Here: CENTRES.Providence, Santiago: CENTRES.Santiago });
  expect(held?.doubt).toEqual({
    ...{ code: "implausible_position", ll: { lat: -33.4, lng: 70.6 }, km: expect.any(Number), place: "Santiago" },
    ...{ slip: "lng sign", wouldBe: { lat: -33.4, lng: -70.6 } },
  });
});

test("F81: where the directory's towns are not to be trusted, the other rows count alone", async () => {
  const { rows } = fileAround(CENTRES.Providence, ({ lat, lng }) => ({ lat: lng, lng: lat }), { town: "Here" });
  const elsewhere: Positions = { verdict: "elsewhere", rows: 60, wrong: 60 };
  const held = await heldBack(rows, { Here: CENTRES.Sydney }, elsewhere);
  expect(held.map(({ doubt }) => doubt.code)).toEqual(Array(6).fill("mistyped_position"));
  expect(await heldBack(rows, {}, { ...elsewhere, verdict: "wrong", answer: "right" })).toEqual([]);
});
