import { describe, expect, test } from "vitest";
import { houseAddress } from "../../../src/directory/map/gather-streets.ts";
import { type House, positionOnStreet } from "../../../src/directory/venues/search/locate-addresses.ts";
import { degreesOf, distanceBetween } from "../../../src/matching/distance.ts";

/** A house on a street that goes north, with so many metres from its beginning; even numbers on its east side. */
const house = (number: number, metres: number): House => ({
  number,
  lat: 41.8 + degreesOf(metres),
  lng: -71.4 + (number % 2 === 0 ? 0.0003 : 0),
});
const metresTo = (number: number, houses: House[], at: House) => {
  const found = positionOnStreet(number, houses);
  return found && Math.round(distanceBetween(found, at));
};

describe("the position of a house number", () => {
  test("C75: is between its neighbours on its own side, although the other side has nearer numbers", () => {
    const houses = [house(10, 0), house(30, 200), house(21, 400), house(19, 390)];
    expect(metresTo(20, houses, house(20, 100))).toBe(0);
  });

  test("C75: is between both sides if its own is not known", () => {
    const houses = [house(11, 0), house(31, 200)];
    expect(metresTo(21, houses, house(21, 100))).toBe(0);
    expect(metresTo(20, houses, house(20, 90))).toBeLessThan(30);
  });

  test("C75: is unknown beyond the known numbers, except next door", () => {
    const houses = [house(10, 0), house(30, 200)];
    expect(positionOnStreet(60, houses)).toBeUndefined();
    expect(positionOnStreet(2, [house(30, 200)])).toBeUndefined();
    expect(metresTo(36, houses, house(30, 200))).toBe(0);
  });

  test("C75: is unknown within a gap where the street may take another course", () => {
    expect(metresTo(20, [house(10, 0), house(30, 390)], house(20, 195))).toBe(0);
    expect(positionOnStreet(120, [house(10, 0), house(230, 520)])).toBeUndefined();
    expect(positionOnStreet(150, [house(10, 0), house(360, 300)])).toBeUndefined();
  });

  test("one venue in a wrong place does not move a number that several have", () => {
    const houses = [house(10, 0), house(10, 5), house(10, 5000)];
    expect(metresTo(10, houses, house(10, 5))).toBe(0);
    expect(positionOnStreet(10, houses)?.estimated).toBe(false);
  });
});

test.each([
  ["12-14 Main St", 12, "main st"],
  ["12A Main Street", 12, "main st"],
  ["12 1/2 Main St", 12, "main st"],
  ["12½ Main St", 12, "main st"],
  ["12 Main St, Suite 200", 12, "main st"],
  ["12 Main St Unit 4", 12, "main st"],
  ["Unit 4, 12 Main St", 12, "main st"],
  ["12 N Main St", 12, "n main st"],
])("C75: %s is number %i of %s", (address, number, street) => {
  expect(houseAddress(address)).toMatchObject({ number, street });
});

test.each(["Main St", "PO Box 12", "Route 12", "Main Street 12", "Main St & 2nd Ave", ""])(
  "%s has no sure house number",
  (address) => {
    expect(houseAddress(address)).toBeUndefined();
  },
);
