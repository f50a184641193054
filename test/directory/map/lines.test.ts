import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundsOf, MAP_LEVELS } from "../../../src/contract/map.ts";
import type { LatLng } from "../../../src/contract/parameters.ts";
import { createCrossings, houseAddress } from "../../../src/directory/map/gather-streets.ts";
import {
  clipRing,
  decodeLine,
  encodeLine,
  type House,
  linesThrough,
  metresOf,
} from "../../../src/directory/map/lines.ts";
import { cellRange, cellsOf } from "../../../src/directory/map/tiles.ts";

const METRE = 1 / 111_195;

/** Houses on both sides of a street to the north, 20 metres apart. */
const houses = (from: number, to: number): House[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    number: from + index,
    lat: (from + index) * 20 * METRE,
    lng: (index % 2 === 0 ? 8 : -8) * METRE,
  }));

describe("where streets meet", () => {
  const at = (x: number, y: number) => ({ lat: y * METRE, lng: x * METRE });
  const inMetres = (line: LatLng[]) => line.map(({ lat, lng }) => [Math.round(lng / METRE), Math.round(lat / METRE)]);
  const across = [at(-100, 300), at(100, 300)];

  it("a street goes on to the next one that it points at within 80 metres, at both ends, and no further", () => {
    const [up, far] = [
      [at(0, 0), at(0, 240)],
      [at(50, 0), at(50, 200)],
    ];
    const crossings = createCrossings([across, up, far]);
    expect(inMetres(crossings.continued(up))).toEqual([
      [0, 0],
      [0, 240],
      [0, 300],
    ]);
    expect(inMetres(crossings.continued([...up].reverse()))).toEqual([
      [0, 300],
      [0, 240],
      [0, 0],
    ]);
    expect(crossings.continued(far)).toEqual(far);
    expect(crossings.continued(across)).toEqual(across);
  });

  it("a venue within 120 metres of a line is at a street", () => {
    const { isAt } = createCrossings([across]);
    expect([at(0, 190), at(0, 170), at(0, 415), at(300, 300)].map(isAt)).toEqual([true, false, true, false]);
  });
});

describe("the line through the houses of a street", () => {
  it("the line of a street runs between its two sides, in the order of the numbers", () => {
    const [line = [], ...others] = linesThrough(houses(1, 40).reverse());
    expect([line.length, others]).toEqual([2, []]);
    expect(Math.round(metresOf(line))).toBe(780);
  });

  it("the line of a street ends at a gap of more than 400 metres and begins again after it", () => {
    expect(linesThrough([...houses(1, 10), ...houses(31, 40)]).map((line) => Math.round(metresOf(line)))).toEqual([
      181, 181,
    ]);
    expect(linesThrough([...houses(1, 10), ...houses(28, 40)])).toHaveLength(1);
  });

  it("the line of a street leaves out a house whose position is elsewhere", () => {
    const stray = houses(1, 20).map((house) => (house.number === 9 ? { ...house, lng: 200 * METRE } : house));
    expect(
      linesThrough(stray)
        .flat()
        .every(({ lng }) => Math.abs(lng) < 10 * METRE),
    ).toBe(true);
  });

  it("the line of a street needs at least three numbers and 60 metres", () => {
    expect(linesThrough([])).toEqual([]);
    expect(linesThrough([...houses(1, 2), ...houses(1, 2)])).toEqual([]);
    expect(linesThrough(houses(1, 3))).toEqual([]);
    expect(linesThrough(houses(1, 5))).toHaveLength(1);
  });
});

it.each([
  ["11 Dorrance St", "Dorrance St", 11],
  ["75-77 Dorrance Street, Suite 5", "Dorrance Street", 75],
  ["100 Westminster St Ste 200", "Westminster St", 100],
  ["Hauptstraße 17a", "Hauptstraße", 17],
  ["P.O. Box 12", undefined, undefined],
  ["Main St", undefined, undefined],
])("the address %s is on the street %s", (address, name, number) => {
  const found = houseAddress(address);
  expect([found?.name, found?.number]).toEqual([name, number]);
});

it("spellings of a street are one street", () => {
  const streets = ["11 Dorrance St", "12 dorrance street", "13 Dorrance St."].map((each) => houseAddress(each)?.street);
  expect(new Set(streets).size).toBe(1);
});

const points = fc.array(
  fc.record({
    lat: fc.double({ min: -84, max: 84, noNaN: true }),
    lng: fc.double({ min: -180, max: 179.9, noNaN: true }),
  }),
);

it("an encoded line preserves its points to within a metre", () => {
  expect(
    encodeLine([
      { lat: 38.5, lng: -120.2 },
      { lat: 40.7, lng: -120.95 },
    ]),
  ).toBe("_p~iF~ps|U_ulLnnqC");
  fc.assert(
    fc.property(points, (line) => {
      const decoded = decodeLine(encodeLine(line));
      expect(decoded).toHaveLength(line.length);
      for (const [index, { lat, lng }] of decoded.entries()) {
        expect(Math.abs(lat - (line[index]?.lat ?? 0))).toBeLessThan(1.1e-5);
        expect(Math.abs(lng - (line[index]?.lng ?? 0))).toBeLessThan(1.1e-5);
      }
    }),
  );
});

// On the border of two tiles the rounding of doubles would decide.
const rounded = points.map((line) => line.map(({ lat, lng }) => ({ lat: onGrid(lat), lng: onGrid(lng) })));
const onGrid = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

it("a point is in the finest tile with its number, and in every coarser tile around it", () => {
  fc.assert(
    fc.property(rounded, fc.constantFrom(...MAP_LEVELS), (line, z) => {
      for (const { lat, lng } of line) {
        const [cell = 0] = cellsOf([{ lat, lng }]);
        const x = Math.floor(((lng + 180) / 360) * 2 ** z);
        const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z);
        const { first, last } = cellRange({ z, x, y });
        expect(cell >= first && cell <= last).toBe(true);
      }
    }),
    { numRuns: 20 },
  );
});

it("a ring is cut at the bounds, and one outside them is left out", () => {
  const square = [
    [0, 0],
    [0, 2],
    [2, 2],
    [2, 0],
  ].map(([lat = 0, lng = 0]) => ({ lat, lng }));
  const cut = clipRing(square, { south: 1, west: 1, north: 5, east: 5 });
  expect(cut).toHaveLength(4);
  expect(cut.every(({ lat, lng }) => lat >= 1 && lng >= 1)).toBe(true);
  const { south, north } = boundsOf({ z: 12, x: 1235, y: 1523 });
  expect([south < 41.8236, north > 41.8236]).toEqual([true, true]);
  expect(clipRing(square, { south: 3, west: 3, north: 5, east: 5 })).toEqual([]);
});
