import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LatLng } from "../../../src/contract/parameters.ts";
import type { Columns } from "../../../src/files/columns.ts";
import { guessLayout } from "../../../src/files/guess/guess.ts";
import { fromGeohash, fromPlusCode } from "../../../src/files/row/codes.ts";
import { fromMercator } from "../../../src/files/row/mercator.ts";
import { toQuery } from "../../../src/harmonize/query/to-query.ts";
import { geohashOf, mercatorOf, plusCodeOf } from "./codes.ts";

const point = fc.record({
  lat: fc.double({ min: -85, max: 85, noNaN: true }),
  lng: fc.double({ min: -179.99, max: 179.99, noNaN: true }),
});
/** Not where degrees and metres are near zero, which no list has throughout. */
const awayFromZero = (most: number) =>
  fc
    .tuple(fc.integer({ min: 1e5, max: most * 1e5 }), fc.boolean())
    .map(([size, isNegative]) => (isNegative ? -size : size) / 1e5);
const place = fc.record({ lat: awayFromZero(85), lng: awayFromZero(179) });
const town = fc.array(place, { minLength: 5, maxLength: 12 });
const near = (found: LatLng | undefined, { lat, lng }: LatLng, degrees: number) => {
  expect(Math.abs((found?.lat ?? Number.NaN) - lat)).toBeLessThanOrEqual(degrees);
  expect(Math.abs((found?.lng ?? Number.NaN) - lng)).toBeLessThanOrEqual(degrees);
};
const asked = (cell: string, columns: Columns = { name: 0, ll: 1 }) =>
  toQuery(["Joe", ...cell.split("|")], ["name", "place", "y"], columns).query?.ll;

describe("one column with a position is read as", () => {
  test.each([
    "41.8236, -71.4222",
    "41,8236; -71,4222",
    "41,8236 -71,4222",
    "41,8236, -71,4222",
    "(41.8236 -71.4222)",
    "41.8236/-71.4222",
    "geo:41.8236,-71.4222;u=35",
    "POINT(-71.4222 41.8236)",
    "POINT Z (-71.4222 41.8236 12)",
    "SRID=4326;POINT(-71.4222 41.8236)",
    '{"type":"Point","coordinates":[-71.4222,41.8236]}',
    "0101000000C217265305DB51C0287E8CB96BE94440",
    "0020000001000010e6c051db05532617c24044e96bb98c7e28",
    "41.8236° N, 71.4222° W",
    "41.8236N 71.4222W",
    "N41.8236 W71.4222",
    `41° 49' 24.96" N, 71° 25' 19.92" W`,
    "41°49′24.96″N 71°25′19.92″W",
    "41º 49' 24,96'' N / 71º 25' 19,92'' W",
    "41 49 24.96 N 71 25 19.92 W",
    "41:49:24.96, -71:25:19.92",
    "41d49m24.96sN 71d25m19.92sW",
    "41 deg 49 min 24.96 sec N, 71 deg 25 min 19.92 sec W",
    "N 41° 49.416' W 71° 25.332'",
  ])("the point that it writes: %s", (cell) => near(asked(cell), { lat: 41.8236, lng: -71.4222 }, 1e-7));

  test.each([
    ...["", "Warwick", "brewery", "drm3bt0zu", "87FCRHFH+C4", "41.8236", "41 49, 71", "41° 61' N, 71° W", "10:30"],
    ...[
      "401 555 0100",
      "2024-02-29 10:30",
      "POINT EMPTY",
      "LINESTRING(1 2, 3 4)",
      "1 2 3",
      "00".repeat(32),
      `1${" ".repeat(300)}2`,
    ],
  ])("nothing if it is no position: %j", (cell) => expect(asked(cell)).toBeUndefined());

  test("the point written in degrees, minutes and seconds, whatever the point and the signs", () => {
    const signs = fc.constantFrom(
      ...([
        ["°", "'", '"'],
        ["° ", "′ ", "″ "],
        [" ", " ", " "],
        [":", ":", ""],
        ["d", "m", "s"],
        [" deg ", " min ", " sec "],
      ] as const),
    );
    const half = (value: number, letters: string, [d, m, s]: readonly string[]) => {
      const seconds = Math.round(Math.abs(value) * 36_000) / 10;
      const [degrees, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
      return `${degrees}${d}${minutes}${m}${(seconds % 60).toFixed(1)}${s}${letters[value < 0 ? 1 : 0]}`;
    };
    fc.assert(
      fc.property(place, signs, fc.constantFrom(" ", ", ", "; "), (at, marks, between) =>
        near(asked(half(at.lat, "NS", marks) + between + half(at.lng, "EW", marks)), at, 1 / 60_000),
      ),
    );
  });
});

describe("codes", () => {
  // From the test data of Open Location Code and the description of geohash.
  test.each([
    ["7FG49QCJ+2V", 20.3700625, 2.7821875],
    ["7FG49QCJ+2VX", 20.3701125, 2.782234375],
    ["8fvc2222+22", 47.0000625, 8.0000625],
    ["4VCPPQGP+Q9", -41.2730625, 174.7859375],
  ])("plus code %s is the middle of its cell", (code, lat, lng) => near(fromPlusCode(code), { lat, lng }, 1e-7));

  test.each([
    ["u4pruydqqvj", 57.64911, 10.40744],
    ["EZS42E", 42.603, -5.603],
  ])("geohash %s is the middle of its cell", (code, lat, lng) => near(fromGeohash(code), { lat, lng }, 0.006));

  test("lead back to the point that they were made of", () => {
    fc.assert(
      fc.property(point, fc.integer({ min: 7, max: 10 }), (at, length) => {
        near(fromPlusCode(plusCodeOf(at)), at, 1 / 16_000 + 1e-8);
        near(fromGeohash(geohashOf(at, length)), at, 360 / 2 ** (Math.floor((length * 5) / 2) + 1) + 1e-8);
        near(fromMercator(mercatorOf(at).x, mercatorOf(at).y), at, 1e-7);
      }),
    );
  });

  test.each(["7FG49Q00+", "8FVC2222+", "CWC8+R9", "8FVC2222+2", "8FVA2222+22", "XX222222+22", "8FVC222222"])(
    "plus code %s names no point",
    (code) => expect(fromPlusCode(code)).toBeUndefined(),
  );

  test("in metres are not read if they are degrees, or off the map", () => {
    const columns = { name: 0, x: 1, y: 2 };
    expect([asked("-71.4222|41.8236", columns), asked("-71422200|41823600", columns)]).toEqual([undefined, undefined]);
    near(asked("-7950682,935|5134592,096", columns), { lat: 41.8236, lng: -71.4222 }, 1e-7);
  });
});

function wkbOf({ lat, lng }: LatLng): string {
  const bytes = Buffer.from([1, 1, 0, 0, 32, 0xe6, 0x10, ...Array(18).fill(0)]);
  bytes.writeDoubleLE(lng, 9);
  bytes.writeDoubleLE(lat, 17);
  return bytes.toString("hex");
}

const layout = async (header: string[], rows: string[][]) => {
  const text = [header, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(",")).join("\n");
  return guessLayout(Buffer.from(`${text}\n`), { isWhole: true, encoding: "utf-8", mostColumns: 500 });
};
describe("the guess of columns", () => {
  const names = (points: LatLng[]) => points.map((_, at) => `Joe’s Pizza ${at}`);

  test.each<[string, string[], (at: LatLng) => string[], Columns]>([
    ["a plus code", ["name", "code"], (at) => [plusCodeOf(at)], { name: 0, plusCode: 1 }],
    ["a geohash", ["name", "geo_hash"], (at) => [geohashOf(at, 9)], { name: 0, geohash: 1 }],
    ["WKT", ["name", "geom"], ({ lat, lng }) => [`POINT(${lng.toFixed(6)} ${lat.toFixed(6)})`], { name: 0, ll: 1 }],
    ["hexadecimal WKB", ["name", "the_geom"], (at) => [wkbOf(at)], { name: 0, ll: 1 }],
    ["one column", ["name", "where"], ({ lat, lng }) => [`${lat.toFixed(5)}, ${lng.toFixed(5)}`], { name: 0, ll: 1 }],
    ...["position (lon, lat)", "lnglat", "Longitude and latitude", "Länge/Breite", "coords_xy"].map(
      (called): [string, string[], (at: LatLng) => string[], Columns] => [
        `the longitude first in “${called}”`,
        ["name", called],
        ({ lat, lng }) => [`${lng.toFixed(5)}, ${lat.toFixed(5)}`],
        { name: 0, lngLat: 1 },
      ],
    ),
    [
      "metres that are called so",
      ["name", "x_3857", "y_3857"],
      (at) => [mercatorOf(at).x.toFixed(2), mercatorOf(at).y.toFixed(2)],
      { name: 0, x: 1, y: 2 },
    ],
  ])("finds %s by its content", async (_, header, cells, columns) => {
    await fc.assert(
      fc.asyncProperty(town, async (points) => {
        const rows = points.map((at, index) => [names(points)[index] ?? "", ...cells(at)]);
        const found = await layout(header, rows);
        expect(found.columns).toEqual(columns);
        for (const [index, at] of points.entries())
          near(toQuery(rows[index] ?? [], header, found.columns).query?.ll, at, 1e-4);
      }),
      { numRuns: 30 },
    );
  });

  test("finds metres beyond every national grid, in either order, and no others", async () => {
    const rhodeIsland = ["Joe", "-7950682.9", "5134592.1"];
    const berlin = ["Joe", "389812.4", "5818911.1"];
    expect((await layout(["name", "x", "y"], [rhodeIsland])).columns).toEqual({ name: 0, x: 1, y: 2 });
    expect((await layout(["name", "lat", "lon"], [["Joe", "5134592.1", "-7950682.9"]])).columns).toEqual({
      ...{ name: 0, x: 2, y: 1 },
    });
    expect((await layout(["name", "x", "y"], [berlin])).columns).toEqual({ name: 0 });
  });

  test("takes no prices and ratings for degrees", async () => {
    const rows = [
      ["Joe", "12.50", "4.25"],
      ["Ann", "9.95", "3.75"],
    ];
    expect((await layout(["name", "price", "stars"], rows)).columns).toEqual({ name: 0 });
  });

  const letters = "0123456789bcdefghjkmnpqrstuvwxyz".split("");
  const digits = fc.integer({ min: 0, max: 9 }).map(String);
  const upper = fc.constantFrom(..."ABCEFGHJKLMNPRSTVWXYZ");
  /** Texts of a kind that a list may have in a column of this name. */
  const FAMILIES: [string, fc.Arbitrary<string>][] = [
    ["id", fc.array(fc.constantFrom(...letters), { minLength: 6, maxLength: 12 }).map((all) => all.join(""))],
    ["code", fc.nat(999_999).map((number) => `st${String(number).padStart(6, "0")}`)],
    ["reference", fc.array(fc.constantFrom(...letters), { minLength: 9, maxLength: 9 }).map((all) => all.join(""))],
    ["hash", fc.nat(2 ** 31 - 1).map((number) => number.toString(16).padStart(8, "0"))],
    ["name", fc.constantFrom("brewery", "The Bucket", "Pub 1776", "Cheers", "Jazz Hut", "7 seven", "Zum Bären")],
    ["postcode", fc.tuple(upper, digits, upper, digits, upper, digits).map((all) => all.join(""))],
    ["zip", fc.tuple(upper, upper, digits, digits, upper, upper).map((all) => all.join(""))],
    ["plus", fc.tuple(digits, digits).map(([one, other]) => `18+${one}${other}`)],
    ["opens", fc.tuple(fc.integer({ min: 6, max: 11 }), digits).map(([hour, minute]) => `${hour}:3${minute}`)],
    ["opened", fc.integer({ min: 10, max: 28 }).map((day) => `2024-02-${day}`)],
    ["phone", fc.tuple(digits, digits).map(([one, other]) => `401 555 01${one}${other}`)],
    ["turnover", fc.integer({ min: 200_000, max: 15_000_000 }).map(String)],
  ];

  test.each(FAMILIES)("takes no text that is no position for one: %s", async (header, family) => {
    await fc.assert(
      fc.asyncProperty(fc.array(family, { minLength: 1, maxLength: 12 }), async (values) => {
        const { columns } = await layout(
          ["shop", header, "number"],
          values.map((value, at) => [`Joe ${at}`, value, `${at}`]),
        );
        const { lat, lng, ll, plusCode, geohash, x, y } = columns;
        expect({ lat, lng, ll, plusCode, geohash, x, y }).toEqual({});
      }),
      { numRuns: 60 },
    );
  });
});
