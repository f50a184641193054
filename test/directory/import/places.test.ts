import { describe, expect, test } from "vitest";
import { listOf } from "../../../src/directory/import/lists.ts";
import { categoryId } from "../api/host.ts";
import { importing } from "./importing.ts";

const { write, run, venues } = await importing();

/** Columns of the Foursquare Open Source Places release. */
const COLUMNS =
  "fsq_place_id,name,latitude,longitude,address,locality,region,postcode,admin_region,post_town,po_box,country,date_created,date_refreshed,date_closed,tel,website,email,facebook_id,instagram,twitter,fsq_category_ids,fsq_category_labels,placemaker_url,unresolved_flags,geom,bbox".split(
    ",",
  );
const LABEL = "Dining and Drinking > Cafe, Coffee, and Tea House > Coffee Shop";
const BLUE_ROOM = {
  fsq_place_id: "4b58e2a8f964a520ae2d28e3",
  name: "Blue Room",
  latitude: 41.8,
  longitude: -71.4,
  address: "1 Main St",
  locality: "Providence",
  region: "RI",
  postcode: "02903",
  country: "us",
  date_created: "2010-01-21",
  date_refreshed: "2025-11-02",
  tel: "(401) 555-0100",
  website: "blueroom.example",
  email: "mail@blueroom.example",
  facebook_id: 1234567890,
  instagram: "blueroom",
  twitter: "blueroom",
  placemaker_url: "https://places.example/review/4b58e2a8f964a520ae2d28e3",
  geom: "POINT (-71.4 41.8)",
  bbox: { xmin: -71.4, ymin: 41.8, xmax: -71.4, ymax: 41.8 },
};
type Place = Record<string, unknown>;

function csv(...places: Place[]): string {
  const cell = (value: unknown) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const line = (place: Place) => COLUMNS.map((name) => cell(place[name])).join(",");
  return `${[COLUMNS.join(","), ...places.map(line)].join("\n")}\n`;
}
const ndjson = (...places: Place[]) => places.map((place) => `${JSON.stringify(place)}\n`).join("");

describe("an import of Foursquare OS Places", () => {
  const lists = { fsq_category_ids: ["4bf58dd8d48988d1e0931735"], fsq_category_labels: [LABEL] };
  const texts = { fsq_category_ids: "[4bf58dd8d48988d1e0931735]", fsq_category_labels: `[${LABEL}]` };
  test.each([
    ["CSV", "places.csv", csv({ ...BLUE_ROOM, ...texts })],
    ["NDJSON", "places.ndjson", ndjson({ ...BLUE_ROOM, ...lists, date_closed: null, unresolved_flags: [] })],
  ])("recognizes the columns in %s", async (_, name, content) => {
    const result = await run(write(name, content), { keepIds: true });
    expect(result).toMatchObject({ imported: 1, refused: 0, closed: 0, flagged: 0, leftOut: {} });
    expect(await venues()).toMatchObject([
      {
        id: BLUE_ROOM.fsq_place_id,
        name: "Blue Room",
        lat: 41.8,
        lng: -71.4,
        address: "1 Main St",
        city: "Providence",
        state: "RI",
        zip: "02903",
        cc: "US",
        phone: "(401) 555-0100",
        url: "http://blueroom.example",
        twitter: "blueroom",
        category_id: categoryId("Coffee Shop"),
      },
    ]);
  });

  test("reads a post town and an administrative region where locality and region are missing", async () => {
    const place = { ...BLUE_ROOM, admin_region: "Scotland", post_town: "Leith" };
    const file = write("towns.ndjson", ndjson(place, { ...place, fsq_place_id: "2", locality: null, region: "" }));
    await run(file, { keepIds: true });
    expect((await venues()).map(({ city, state }) => `${city}, ${state}`).sort()).toEqual([
      "Leith, Scotland",
      "Providence, RI",
    ]);
  });

  test("skips closed and flagged places, and counts them separately", async () => {
    const other = (index: number, more: Place) => ({ ...BLUE_ROOM, fsq_place_id: String(index), ...more });
    const places = [
      other(1, { date_closed: "2019-05-01" }),
      other(2, { date_closed: "NaT" }),
      other(3, { unresolved_flags: "['duplicate', 'closed']" }),
      other(4, { unresolved_flags: "[]" }),
      other(5, { unresolved_flags: "{geocode}" }),
      other(6, { name: null }),
    ];
    const seen: unknown[] = [];
    const result = await run(write("flags.csv", csv(...places)), {
      keepIds: true,
      onProblem: (each) => seen.push(each),
    });
    expect(result).toMatchObject({ imported: 3, refused: 1, closed: 1, flagged: 1 });
    expect(result.problems).toEqual([{ line: 7, problem: "name is missing" }]);
    expect(seen).toEqual([
      { line: 2, counts: "line", problem: "has been closed since 2019-05-01" },
      { line: 4, counts: "line", problem: "is flagged duplicate, closed" },
      { line: 7, counts: "line", problem: "name is missing" },
    ]);
    expect((await venues()).map(({ id }) => id).sort()).toEqual(["2", "4", "5"]);
  });
});

test.each<[string, unknown]>([
  ["the path whose known name is deepest", ["Food", LABEL, "Retail > Bookstore"]],
  ["the nearest known name above an unknown one", "Dining and Drinking > Coffee Shop > Coffee Shop for Cats"],
  ["an id of ours, regardless of the labels", `["4bf58dd8d48988d1e0931735","${categoryId("Coffee Shop")}"]`],
])("the category of an imported place is %s", async (_, category) => {
  await run(write("category.ndjson", ndjson({ ...BLUE_ROOM, fsq_category_labels: category })));
  expect(await venues()).toMatchObject([{ category_id: categoryId("Coffee Shop") }]);
});

test.each([
  ["[4bf5, 4bf6]", ["4bf5", "4bf6"]],
  ["['a','b']", ["a", "b"]],
  ["['a' 'b'\n \"c's\"]", ["a", "b", "c's"]],
  ['["a \\"b\\"","c, d"]', ['a "b"', "c, d"]],
  ['{a,"b c",d}', ["a", "b c", "d"]],
  [`[${LABEL}, Retail > Men's Store, Event]`, [LABEL, "Retail > Men's Store", "Event"]],
  [`['${LABEL}', Retail]`, [LABEL, "Retail"]],
  ["[]", []],
  ["", []],
  [" Cafe, Bar ", ["Cafe, Bar"]],
  [null, []],
  [
    ["a", null, 7, { b: 1 }],
    ["a", "7"],
  ],
])("an import reads the list %s as intended", (text, list) => {
  expect(listOf(text)).toEqual(list);
});

test.each(["name,lon,lat", "Name,Long,Latitude", "name,x,y", "name,longitude,lat,x,y"])(
  "an import finds the position by the header %s",
  async (header) => {
    expect(await run(write("point.csv", `${header}\nKiosk,-71.4,41.8\n`))).toMatchObject({ imported: 1 });
    const object = { name: "Stall", x: 1, y: 2, lon: -71.4, lat: 41.8 };
    expect(await run(write("point.ndjson", ndjson(object)))).toMatchObject({ imported: 1 });
    const point = { lat: 41.8, lng: -71.4 };
    expect(await venues()).toMatchObject([point, point]);
  },
);
