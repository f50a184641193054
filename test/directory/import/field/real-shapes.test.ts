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
  [
    "import-overture.geojson",
    [
      {
        ...NOTHING,
        id: "08f1-a",
        name: "Orrin Bakery",
        lat: 47.4,
        lng: -68.4,
        address: "5 Orrin St",
        city: "Orrin",
        state: "ME",
        zip: "04097",
        cc: "US",
        phone: "+12075550102",
        url: "https://orrin.example/",
        category_id: categoryId("Bakery"),
      },
    ],
    { confidence: 1 },
  ],
  [
    "alltheplaces.geojson",
    [
      {
        ...NOTHING,
        name: "Alder Café",
        lat: 47.5,
        lng: -68.5,
        address: "12 Alder Street",
        city: "Alder",
        state: "ME",
        zip: "04091",
        cc: "US",
        phone: "+1 207-555-0191",
        url: "https://alder.example/12",
        category_id: categoryId("Café"),
      },
      {
        ...NOTHING,
        name: "Alder Fuel",
        lat: 47.51,
        lng: -68.51,
        address: "14 Alder Street",
        city: "Alder",
        zip: "04091",
        cc: "US",
        category_id: categoryId("Gas Station"),
      },
    ],
    { ref: 2, "@spider": 2, "brand:wikidata": 2, opening_hours: 1 },
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
