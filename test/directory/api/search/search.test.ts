import { describe, expect, test } from "vitest";
import { venueSearchResponse } from "../../../../src/contract/resources.ts";
import { distanceBetween } from "../../../../src/matching/distance.ts";
import { API_URL, apiHost, categoryId, DOWNTOWN, venuesOf } from "../host.ts";

const host = await apiHost({ sample: true });
const search = (fields: Record<string, string | number>) => host.userless("/v2/venues/search", fields);
const namesOf = async (fields: Record<string, string | number>) =>
  venuesOf(await search(fields)).map(({ name }) => name);

describe("a plain search by ll", () => {
  test("returns the 30 nearest venues by default, nearest first", async () => {
    const answer = await search({ ll: DOWNTOWN });
    const venues = venuesOf(answer);
    expect(answer.status).toBe(200);
    expect(venues).toHaveLength(30);
    const distances = venues.map(({ location }) => Number(location?.distance));
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
  });

  test("returns the same as a full scan of the table", async () => {
    const { rows } = await host.deps.pool.query<{ id: string; lat: number; lng: number }>(
      "SELECT id, lat, lng FROM directory.venue",
    );
    for (const ll of ["41.8240,-71.4128", "41.4901,-71.3128", "41.1720,-71.5580", "42.0100,-71.8000"]) {
      const [lat = 0, lng = 0] = ll.split(",").map(Number);
      const all = rows.map((row) => distanceBetween({ lat, lng }, row)).sort((a, b) => a - b);
      const found = venuesOf(await search({ ll, limit: 50 })).map((venue) => venue.location?.distance);
      expect(found).toEqual(all.slice(0, 50).map(Math.round));
    }
  });

  test.each([
    ["41.82,-71.41", 5],
    ["41.82,-71.41", 50],
  ])("at %s returns at most %i venues", async (ll, limit) => {
    expect(venuesOf(await search({ ll, limit }))).toHaveLength(limit);
  });

  test("returns the same for the parameters and intent of older clients", async () => {
    const found = await namesOf({ ll: DOWNTOWN });
    const more = { llAcc: "10.5", alt: "0", altAcc: "100", m: "swarm", locale: "de" };
    expect(await namesOf({ ll: DOWNTOWN, ...more })).toEqual(found);
    expect(await namesOf({ ll: DOWNTOWN, intent: "specials" })).toEqual(found);
    expect((await search({ ll: DOWNTOWN, intent: "other" })).body.meta.code).toBe(400);
  });

  test.each(["0", "51", "-1", "1.5", "ten", "1e1", "٣"])("rejects limit %s", async (limit) => {
    const answer = await search({ ll: DOWNTOWN, limit });
    expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
    expect(answer.body.meta.errorDetail).toBe("limit must be a whole number from 1 to 50.");
  });

  test.each(["90,180", "-90,-180", "-0,0", "0,-180", "89.9999,-0.0001"])(
    "works at the edge position %s",
    async (ll) => {
      const { status, body } = await search({ ll, limit: 3 });
      expect([status, body.response]).toEqual([200, { venues: [], confident: false, nothingWithin: 100_000 }]);
    },
  );
});

describe("a compact venue", () => {
  test("has the shape of the contract, with every field clients index into", async () => {
    const answer = await search({ ll: DOWNTOWN, query: "starbucks" });
    const { venues } = venueSearchResponse.parse(answer.body.response);
    const [venue] = venues;
    expect(venue).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: expect.stringMatching(/^Starbucks/),
      contact: {},
      location: { cc: "US", country: "United States", state: "RI", labeledLatLngs: [{ label: "display" }] },
      categories: [{ primary: true, icon: { prefix: `${API_URL}/icons/coffee_`, suffix: ".svg" } }],
      verified: false,
      stats: { checkinsCount: 0, usersCount: 0, tipCount: 0 },
      hereNow: { count: 0 },
      referralId: expect.stringMatching(/^v-\d{10}$/),
    });
    expect(venue?.location?.formattedAddress?.at(-1)).toBe("United States");
    expect(venue?.location?.distance).toBeTypeOf("number");
  });

  test("has no distance in a call without ll", async () => {
    const venues = venuesOf(await search({ intent: "browse", sw: "41.81,-71.42", ne: "41.83,-71.40" }));
    expect(venues.length).toBeGreaterThan(10);
    expect(venues.filter(({ location }) => location && "distance" in location)).toEqual([]);
  });
});

describe("a search by category", () => {
  test("includes subcategories", async () => {
    const venues = venuesOf(await search({ ll: DOWNTOWN, categoryId: categoryId("Food"), limit: 50 }));
    const kinds = new Set(venues.map(({ categories }) => categories?.[0]?.name));
    expect(venues).toHaveLength(50);
    expect(kinds.size).toBeGreaterThan(5);
  });

  test("accepts a comma-separated list", async () => {
    const wanted = ["Museum", "Library"];
    const venues = venuesOf(await search({ ll: DOWNTOWN, categoryId: wanted.map(categoryId).join(","), limit: 50 }));
    const kinds = new Set(venues.map(({ categories }) => categories?.[0]?.name));
    expect(kinds).toContain("Library");
    expect([...kinds].every((kind) => /museum|library/i.test(kind ?? ""))).toBe(true);
  });

  test("combines with a query", async () => {
    const names = await namesOf({ ll: DOWNTOWN, query: "brown", categoryId: categoryId("Learning") });
    expect(names[0]).toMatch(/brown/i);
  });

  test("rejects an unknown category", async () => {
    const answer = await search({ ll: DOWNTOWN, categoryId: "ffffffffffffffffffffffff" });
    expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
  });
});

describe("intent=browse", () => {
  test("returns only venues inside the circle", async () => {
    const venues = venuesOf(await search({ intent: "browse", ll: DOWNTOWN, radius: 150, limit: 50 }));
    expect(venues.length).toBeGreaterThan(5);
    for (const { location } of venues) expect(location?.distance).toBeLessThanOrEqual(150);
  });

  test("returns only venues inside the bounding box, with a query too", async () => {
    const venues = venuesOf(await search({ intent: "browse", sw: "41.48,-71.33", ne: "41.50,-71.30", query: "inn" }));
    expect(venues.length).toBeGreaterThan(5);
    for (const { location } of venues) {
      expect(location?.lat).toSatisfy((lat: number) => lat >= 41.48 && lat <= 41.5);
      expect(location?.lng).toSatisfy((lng: number) => lng >= -71.33 && lng <= -71.3);
    }
  });

  test.each([
    [{ ll: DOWNTOWN }],
    [{ sw: "41,-72" }],
    [{ sw: "42,-72", ne: "41,-71" }],
    [{ sw: "41,-73", ne: "43,-71" }],
  ])("rejects %o", async (region) => {
    expect((await search({ intent: "browse", ...region })).status).toBe(400);
  });

  test("rejects a circle together with a bounding box", async () => {
    const box = { sw: "41.48,-71.33", ne: "41.50,-71.30" };
    for (const circle of [{ ll: DOWNTOWN, radius: 150 }, { ll: DOWNTOWN }, { radius: 150 }]) {
      const answer = await search({ intent: "browse", ...box, ...circle } as Record<string, string | number>);
      expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
      expect(answer.body.meta.errorDetail).toContain("either ll and radius, or sw and ne");
    }
  });

  test("accepts a bounding box across the 180th meridian", async () => {
    expect((await search({ intent: "browse", sw: "-17,179.9", ne: "-16.9,-179.9" })).status).toBe(200);
  });
});

describe("intent=global", () => {
  test("finds a venue by name at any distance", async () => {
    expect((await namesOf({ intent: "global", query: "newport creamery" }))[0]).toMatch(/^newport creamery/i);
  });

  test("requires a query", async () => {
    expect((await search({ intent: "global", ll: DOWNTOWN })).status).toBe(400);
  });
});

describe("a text search near a point", () => {
  const QUERIES: [query: string, expected: RegExp, ll?: string][] = [
    ["coffee", /coffee|caf|starbucks|dunkin|donut|java|bean/i],
    ["dunkin", /^dunkin/i],
    ["dunkin donuts", /^dunkin/i],
    ["dunkindonuts", /^dunkin/i],
    ["Dunkin' Donuts", /^dunkin/i],
    ["duncan donuts", /^dun[kc]/i],
    ["starbucks", /^starbucks/i],
    ["starbuks", /^starbucks/i],
    ["strabucks", /^starbucks/i],
    ["STARBUCKS COFFEE", /^starbucks/i],
    ["starb", /^starb/i],
    ["starbucks thayer st", /^starbucks/i],
    ["starbucks thayer street", /^starbucks/i],
    ["mcdonalds", /^mc ?donald/i],
    ["mc donalds", /^mc ?donald/i],
    ["McDonald’s", /^mc ?donald/i],
    ["mcdonlads", /^mc ?donald/i],
    ["burger king", /^burger king/i],
    ["subway", /^subway/i],
    ["wendys", /^wendy/i],
    ["cvs", /^cvs/i],
    ["stop & shop", /^(super )?stop (&|and) shop/i],
    ["stop and shop", /^(super )?stop (&|and) shop/i],
    ["brown university", /^brown univ/i],
    ["providence public library", /^providence public library/i],
    ["rhode island school of design", /^(rhode island school of design|risd)/i],
    ["whole foods", /^whole foods/i],
    ["wal mart", /^wal-?mart/i],
    ["home depot", /home depot/i],
    ["papa ginos", /^papa gino/i],
    ["newport creamery", /^newport creamery/i],
    ["holiday inn", /^holiday inn/i],
    ["marriott", /marriott/i],
  ];

  test.each(QUERIES)("finds %s", async (query, expected, ll = DOWNTOWN) => {
    const [first] = await namesOf({ ll, query, limit: 10 });
    expect(first).toMatch(expected);
  });

  test("finds the branch on the named street", async () => {
    const [venue] = venuesOf(await search({ ll: DOWNTOWN, query: "starbucks thayer st" }));
    expect(venue).toMatchObject({
      name: expect.stringMatching(/starbucks/i),
      location: { address: expect.stringMatching(/thayer/i) },
    });
  });

  test("finds venues of a category under any name", async () => {
    const venues = venuesOf(await search({ ll: DOWNTOWN, query: "pizza", limit: 50 }));
    expect(venues.length).toBe(50);
    expect(venues.some(({ name, categories }) => !/pizz/i.test(name) && categories?.[0]?.name === "Pizza Place")).toBe(
      true,
    );
  });

  test("finds the same through the parameter name", async () => {
    expect(await namesOf({ ll: DOWNTOWN, name: "dunkin" })).toEqual(await namesOf({ ll: DOWNTOWN, query: "dunkin" }));
  });

  test("finds a venue 40 km away when none is nearer", async () => {
    expect((await namesOf({ ll: DOWNTOWN, query: "block island ferry" })).join()).toMatch(/block island/i);
  });

  test("finds nothing for words of no venue", async () => {
    expect(await namesOf({ ll: DOWNTOWN, query: "xqzvwkj" })).toEqual([]);
  });

  test("returns only venues within the radius", async () => {
    const venues = venuesOf(await search({ ll: DOWNTOWN, query: "coffee", radius: 700 }));
    expect(venues.length).toBeGreaterThan(3);
    for (const { location } of venues) expect(location?.distance).toBeLessThanOrEqual(700);
  });

  test.each(["%", "_", "\\", "'", "$1", "{{7*7}}", "'; DROP TABLE directory.venue;--", "()", "🍕", "e\u0301"])(
    "searches for %s literally",
    async (query) => {
      expect((await search({ ll: DOWNTOWN, query })).status).toBe(200);
    },
  );
});
