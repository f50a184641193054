import path from "node:path";
import { expect, test } from "vitest";
import { categoryId } from "../../api/host.ts";
import { importing } from "../importing.ts";

const { run, venues } = await importing();

const file = (name: string) => path.join(import.meta.dirname, "files", name);
const NO_ADDRESS = { address: null, cross_street: null, city: null, state: null, zip: null, cc: null };
const NOTHING = { ...NO_ADDRESS, phone: null, twitter: null, url: null, description: null, category_id: null };

test.each<[name: string, venues: Record<string, unknown>[], unused: Record<string, number>]>([
  [
    "import-osm.geojson",
    [
      {
        ...NOTHING,
        name: "Osmond Café",
        address: "7 Osmond Street",
        city: "Osmond",
        zip: "04095",
        phone: "+12075550104",
        category_id: categoryId("Café"),
      },
    ],
    {},
  ],
  ["import-semi.csv", [{ ...NOTHING, name: "Semmel Bakery", lat: 47.7001, lng: -68.7001, city: "Semmel" }], {}],
  [
    "import-yelp.json",
    [
      {
        ...NOTHING,
        name: "Yelpin Grill",
        lat: 48,
        lng: -69,
        address: "8 Grill Rd",
        city: "Yelpin",
        state: "ME",
        zip: "04094",
        category_id: categoryId("Food"),
      },
    ],
    {},
  ],
])("%s comes in field by field", async (name, expected, unused) => {
  const result = await run(file(name));
  expect({ problems: result.problems, leftOut: result.leftOut, unused: result.unused }).toEqual({
    problems: [],
    leftOut: {},
    unused,
  });
  const found = await venues();
  expect(
    found.map((venue, at) => Object.fromEntries(Object.keys(expected[at] ?? {}).map((key) => [key, venue[key]]))),
  ).toEqual(expected);
});
