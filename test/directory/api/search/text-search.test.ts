import { describe, expect, test } from "vitest";
import { apiHost, DOWNTOWN, venuesOf } from "../host.ts";

const host = await apiHost({ sample: true });
const search = (fields: Record<string, string | number>) => host.userless("/v2/venues/search", fields);
const namesOf = async (fields: Record<string, string | number>) =>
  venuesOf(await search(fields)).map(({ name }) => name);

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
