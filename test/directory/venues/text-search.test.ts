import { describe, expect, test } from "vitest";
import { categoryPath, searchCategories } from "../../../src/directory/categories/tree.ts";
import { formatPoint } from "../../../src/directory/venues/mercator.ts";
import type { VenueRow } from "../../../src/directory/venues/rows.ts";
import { searchEverywhere, searchText } from "../../../src/directory/venues/text/search.ts";
import { squash } from "../../../src/directory/venues/text/words.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { testDatabase } from "../../support/database/database.ts";
import { QUERIES } from "./text-queries.ts";

const { pool } = (await testDatabase({ template: "sample" })).database;
const DOWNTOWN = { lat: 41.824, lng: -71.4128 };
const search = (term: string, more: object = {}) => searchText(pool, { term, center: DOWNTOWN, count: 30, ...more });

/** Queries for which another venue comes first. "Smith-Appleby House" contains the word of "applebys". */
const WRONG = ["applebys", "providence pub", "hotels newport", "providence college"];

describe("a text search", () => {
  test("returns the right answer first, with few exceptions", async () => {
    const wrong: string[] = [];
    for (const { query, first, ll } of Object.values(QUERIES).flat()) {
      const [venue] = await search(query, ll ? { center: pointOf(ll) } : {});
      const isRight = first ? first.test(describeVenue(venue)) : venue === undefined;
      if (!isRight) wrong.push(query);
    }
    expect(wrong).toEqual(WRONG);
    expect(Object.values(QUERIES).flat().length).toBeGreaterThan(100);
  });

  test("for a chain returns its branches by distance, and nothing else", async () => {
    const venues = await search("starbucks");
    expect(venues.filter(({ nameNorm }) => !nameNorm.includes("starbucks"))).toEqual([]);
    const distances = venues.filter(({ name }) => name === "Starbucks Coffee").map(metres);
    expect(distances.length).toBeGreaterThan(10);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  });

  test.each(["gym", "bookstores", "pizza place", "hotels newport"])(
    "for %s returns matching venues only",
    async (query) => {
      const words = query.split(" ");
      const kinds = new Set(searchCategories(words[0] === "hotels" ? "hotel" : query).map(({ id }) => id));
      for (const venue of await search(query)) {
        const isOfKind = categoryPath(venue.categoryId ?? "").some(({ id }) => kinds.has(id));
        const isLodging = categoryPath(venue.categoryId ?? "").some(({ name }) => name === "Lodging");
        const isNamedSo = words.some((word) => venue.nameNorm.includes(word.replace(/s$/, "")));
        expect(isOfKind || isLodging || isNamedSo, describeVenue(venue)).toBe(true);
      }
    },
  );

  test.each([
    "x".repeat(5_000),
    "word ".repeat(500),
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "the of and",
  ])("accepts any text: %#", async (term) => {
    expect(await search(term)).toBeInstanceOf(Array);
    expect(await searchEverywhere(pool, { term, count: 5 })).toBeInstanceOf(Array);
  });

  test("finds a misspelled name, and one by its beginning, in the whole directory", async () => {
    for (const term of ["strabucks", "starbu", "STARBUCKS coffe"]) {
      const [venue] = await searchEverywhere(pool, { term, count: 5 });
      expect(venue?.name).toMatch(/^Starbucks/);
    }
    expect(await searchEverywhere(pool, { term: "xqzvwkj", count: 5 })).toEqual([]);
  });
});

describe("a text search for very frequent words", () => {
  const [far, near] = [pointOf("-40.9,175.0"), pointOf("-40.5,175.6")];

  test("returns the nearest venues by name, category and street", async () => {
    const [category] = searchCategories("bowling alley");
    await addRow("Zorbl", { from: far, to: near, address: "Plimmer Street", categoryId: category?.id ?? null });
    for (const term of ["zorbl", "bowling alley", "zorbl plimmer"])
      for (const radius of [100_000, 2_000]) {
        const venues = await search(term, { center: near, radius });
        expect(venues.length, term).toBe(30);
        expect(Math.max(...venues.map((venue) => distanceBetween(near, venue))), term).toBeLessThan(1_100);
      }
  });

  test("returns none outside the radius, and those inside a bounding box", async () => {
    expect(await search("zorbl", { center: pointOf("-40.9,175.2"), radius: 500 })).toEqual([]);
    const boxes = ["(175.601,-44.2),(175.57,-44.4)"];
    const venues = await search("zorbl", { center: near, boxes });
    expect(venues).toHaveLength(30);
    expect(venues.filter(({ lng }) => lng < 175.57)).toEqual([]);
  });

  test("reads a bounded number of venues", async () => {
    const venues = await searchEverywhere(pool, { term: "zorbl", count: 5000 });
    expect(venues.length).toBeLessThanOrEqual(1_000);
  });
});

test("a name without its spaces is the same in the program and in the index, wherever it stands among the names", async () => {
  const { rows } = await pool.query<{ name_norm: string; found: string[] }>(
    `SELECT name_norm, ARRAY (SELECT lexeme FROM unnest(directory.venue_words('x', 'y|' || name_norm, '', '', '', '', '', '', point))
                               WHERE starts_with(lexeme, '=')) AS found
       FROM directory.venue WHERE name_norm ~ '\\m(and|the)\\M' OR id < '1'`,
  );
  expect(rows.length).toBeGreaterThan(1_000);
  expect(
    rows.filter(
      ({ name_norm, found }) => found.toSorted().join() !== ["=x", "=y", `=${squash(name_norm)}`].sort().join(),
    ),
  ).toEqual([]);
});

test("a text search finds addresses with accents and postal codes of two words", async () => {
  const at = pointOf("46.81,-71.21");
  await addRow("Quux Tabac", {
    from: at,
    to: at,
    count: 1,
    address: "Côte de l’Église",
    city: "Québec",
    zip: "G1R 2J4",
  });
  for (const term of ["quux quebec", "quux québec", "tabac de leglise", "quux g1r"])
    expect(
      (await search(term, { center: at })).map(({ name }) => name),
      term,
    ).toEqual(["Quux Tabac"]);
});

const describeVenue = (venue: VenueRow | undefined): string =>
  venue ? `${venue.name} | ${venue.address}, ${venue.city} | ${categoryPath(venue.categoryId ?? "").at(-1)?.name}` : "";

const metres = (venue: VenueRow): number => distanceBetween(DOWNTOWN, venue);

function pointOf(ll: string) {
  const [lat = 0, lng = 0] = ll.split(",").map(Number);
  return { lat, lng };
}

/** Stores venues of one name in a row on the map, far more than are read for a word, the last ones at the end. */
async function addRow(
  name: string,
  {
    from,
    to,
    count = 3_000,
    ...more
  }: { from: typeof DOWNTOWN; to: typeof DOWNTOWN; count?: number } & Partial<VenueRow>,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, number) => {
    const share = count > 1 ? number / (count - 1) : 0;
    const at = { lat: from.lat + (to.lat - from.lat) * share, lng: from.lng + (to.lng - from.lng) * share };
    return { id: `${name.slice(0, 1)}${number}`, ...at, point: formatPoint(at) };
  });
  await pool.query(
    `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point, address, city, zip, category_id, tile)
     SELECT r.id, $2, lower($2), r.lat, r.lng, r.point, $3, $4, $5, $6, directory.venue_tile(r.point)
       FROM json_to_recordset($1) AS r(id text, lat float, lng float, point point)`,
    [JSON.stringify(rows), name, more.address, more.city, more.zip, more.categoryId],
  );
}
