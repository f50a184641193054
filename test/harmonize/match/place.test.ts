import { expect, test } from "vitest";
import { placeOf } from "../../../src/harmonize/match/place.ts";

const [WIDTH, HEIGHT] = [360 / 2 ** 20, 180 / 2 ** 20];

test("the curve of places goes through neighbouring cells only, and through each cell once", () => {
  const cells = [];
  for (let x = 0; x < 64; x++)
    for (let y = 0; y < 64; y++)
      cells.push({ x, y, place: placeOf({ lat: 45 + (y + 0.5) * HEIGHT, lng: 90 + (x + 0.5) * WIDTH }) });
  cells.sort((a, b) => a.place - b.place);
  expect(new Set(cells.map(({ place }) => place)).size).toBe(64 * 64);
  for (const [at, cell] of cells.slice(1).entries()) {
    const before = cells[at] ?? cell;
    expect(Math.abs(cell.x - before.x) + Math.abs(cell.y - before.y)).toBe(1);
    expect(cell.place - before.place).toBe(1);
  }
});

test("every position on earth has a place that a number and a bigint can hold", () => {
  for (const lat of [-90, 0, 90])
    for (const lng of [-180, 0, 180]) {
      const place = placeOf({ lat, lng });
      expect(Number.isInteger(place)).toBe(true);
      expect([place >= 0, place < 2 ** 40]).toEqual([true, true]);
    }
});
