import { describe, expect, test } from "vitest";
import { NO_NEIGHBOURS } from "../../src/matching/common-words.ts";
import { type ComparisonName, compare } from "../../src/matching/compare.ts";
import { compareAll } from "../../src/matching/match.ts";
import { prepare, type Spot } from "../../src/matching/prepare.ts";
import { at } from "./places.ts";

/** Compares two records, as if no word were common. */
const compared = (left: Spot, right: Spot) => compare(prepare(left), prepare(right), NO_NEIGHBOURS);

const names = (left: string, right: string) => compared({ name: left }, { name: right });

describe("the comparison of names", () => {
  test.each<[string, string, ComparisonName, number, number]>([
    ["Beauty Works", "thebeautyworks", "contained", 0.9, 1],
    ["Summerhall", "Summerhall Cafe", "contained", 1, 1],
    ["Summerhall", "Summerhall Cafe", "shared", 0.6, 0.8],
    ["Guild Mortgage - Jacqueline Burkett", "Guild Mortgage - Taylor Winkler", "contained", 0.3, 0.6],
    ["Main St Cafe", "Main Street Cafe", "trigrams", 1, 1],
    ["St. Mary's", "Saint Mary's", "shared", 1, 1],
    ["RBS Leith", "Royal Bank of Scotland", "acronym", 1, 1],
    ["Pool @ Riverside Club", "Riverside Club", "onlyOneAt", 1, 1],
    ["Gate 3", "Gate 14", "otherDesignation", 1, 1],
    ["Gate 3", "Gate", "extraNumber", 1, 1],
    ["CVS Pharmacy 1234", "CVS Pharmacy", "extraNumber", 0, 0],
    ["Mercy Hospital 1234", "Mercy Hospital", "extraNumber", 1, 1],
    ["14 Business Park", "Business Park", "extraNumber", 0, 0],
    ["Highland Building", "Highland Building Ballroom", "extraBeside", 1, 1],
    ["Family Grecer", "Family Grocer", "likeWord", 0.5, 0.5],
    ["Cardiology Department", "Radiology Department", "likeWord", 0, 0],
    ["Terminal A", "Terminal B", "otherDesignation", 1, 1],
    ["Terminal A Parking", "Terminal B Parking", "otherDesignation", 1, 1],
    ["Room 101", "Room 102", "otherDesignation", 1, 1],
    ["Room 101", "Room 101a", "otherDesignation", 1, 1],
    ["Gate A12", "Gate B12", "otherDesignation", 1, 1],
    ["2nd Street Cafe", "Third Street Cafe", "otherDesignation", 1, 1],
    ["Hall II", "Hall III", "otherDesignation", 1, 1],
    ["The North Tower", "South Tower", "otherDesignation", 1, 1],
    ["N Tower", "North Tower", "otherDesignation", 0, 0],
    ["Platform 1", "Platform One", "otherDesignation", 0, 0],
    ["Building I", "Building 1", "otherDesignation", 0, 0],
    ["Terminal A", "Terminal 2", "otherDesignation", 0, 0],
    ["Terminal A", "Terminal", "otherDesignation", 0, 0],
    ["Terminal A", "Hangar B", "otherDesignation", 0, 0],
    ["Terminal A", "A Terminal", "otherDesignation", 0, 0],
    ["Pan y Vino", "Pan e Vino", "otherDesignation", 0, 0],
    ["Lot 39879", "Lot 39889", "otherDesignation", 0, 0],
    ["希尔顿酒店", "希尔顿大酒店", "original", 0.5, 0.9],
    ["金山神社", "金山神社バス停", "shared", 0, 0.9],
    ["希尔顿酒店", "Xi Er Dun Hotel", "trigrams", 1, 1],
  ])("for %s and %s: %s is between %d and %d", (left, right, comparison, least, most) => {
    expect(names(left, right)[comparison]).toBeGreaterThanOrEqual(least);
    expect(names(left, right)[comparison]).toBeLessThanOrEqual(most);
  });

  test("leaves out the original script if one name is in Latin letters", () => {
    expect(names("Москва", "Moskva").original).toBeUndefined();
  });
});

describe("the comparison of kinds of place", () => {
  test.each<[string, string, ComparisonName[]]>([
    ["Blue Door", "Blue Door Restaurant", ["extraTrade"]],
    ["Walmart", "Walmart Pharmacy", ["extraDepartment"]],
    ["M&T Bank", "M&T Bank ATM", ["sameKind", "extraBelonging"]],
    ["Kennedy Plaza", "Kennedy Plaza Bus Stop", ["sameKind", "extraStop"]],
    ["Blue Door Cafe", "Blue Door Car Park", ["otherKind"]],
    ["Blue Door Cafe", "Blue Door Coffee Shop", ["sameKind"]],
    ["Кафе Пушкин", "Ресторан Пушкин", ["otherKind"]],
    ["樽野谷", "樽野谷バス停", ["extraStop"]],
    ["金门酒店", "金门停车场", ["otherKind"]],
    ["โรงแรมสยาม", "Siam Hotel", ["sameKind"]],
    ["Blue Door", "Blue Door Annie", []],
  ])("for %s and %s: %j", (left, right, expected) => {
    const kinds = [
      "sameKind",
      "otherKind",
      "extraTrade",
      "extraDepartment",
      "extraBelonging",
      "extraStop",
      "extraKind",
    ] as const;
    const compared = names(left, right);
    expect(kinds.filter((kind) => compared[kind] === 1)).toEqual(expected);
  });
});

test("a street with two letters swapped is the same, and another is not", () => {
  const street = (address: string) => compared({ name: "X", address }, { name: "X", address: "464 Broad St" }).street;
  expect(street("464 Braod St")).toBeGreaterThan(0.6);
  expect(street("464 Grove St")).toBeLessThan(0.6);
});

describe("the comparison of a name that contains its street", () => {
  test("has less weight", () => {
    const [bar, street] = ["Thistle Street Bar", "Thistle Street"];
    const { telling = 0 } = compared({ name: bar, address: "39 Thistle Street" }, { name: street });
    expect(telling).toBeLessThan(names(bar, street).telling / 2);
  });
});

describe("the comparison of websites", () => {
  test.each<[string, string, number | undefined, number | undefined]>([
    ["https://www.example.com/", "http://example.com", 0, undefined],
    ["https://www.example.com/?utm_source=x", "EXAMPLE.com/#top", 0, undefined],
    ["https://example.com/stores/12", "https://example.com", 0, undefined],
    ["https://example.com/stores/12/?a=b", "www.example.com/stores/12", 0, 0],
    ["https://example.com/stores/12", "https://example.com/stores/13", 0, 1],
    ["https://example.com/stores/12", "https://example.org/stores/12", 1, undefined],
    ["https://facebook.com/blue", "https://facebook.com/red", undefined, undefined],
  ])("for %s and %s: different site %j, different page %j", (left, right, otherWebsite, otherPage) => {
    const found = compared({ name: "A", url: left }, { name: "A", url: right });
    expect({ otherWebsite: found.otherWebsite, otherPage: found.otherPage }).toEqual({ otherWebsite, otherPage });
  });
});

describe("the comparison with rivals", () => {
  /** Returns `rival` of each candidate, for a listing at 0 m. */
  const rivals = (name: string, ...candidates: ReturnType<typeof at>[]) =>
    compareAll(prepare(at(name)), candidates).map(({ comparisons }) => comparisons.rival ?? Number.NaN);

  test("is neutral for a venue alone or among dissimilar venues", () => {
    expect(rivals("Blue Door", at("Blue Door", 10))).toEqual([-4]);
    expect(rivals("Blue Door", at("Blue Door", 10), at("Blue Moon", 300))[0]).toBe(-4);
  });

  test("favours the nearer of two branches", () => {
    const [near = 0, far = 0] = rivals("Starbucks", at("Starbucks", 50), at("Starbucks", 600));
    expect(near).toBeLessThan(0);
    expect(far).toBeGreaterThan(0);
  });

  test("is equal for two equally near branches", () => {
    expect(rivals("Starbucks", at("Starbucks", 50), at("Starbucks", -50))).toEqual([
      expect.closeTo(0),
      expect.closeTo(0),
    ]);
  });

  test("ignores duplicates of the same venue", () => {
    expect(rivals("Blue Door", at("Blue Door", 10), at("Blue Door", 15))).toEqual([-4, -4]);
  });
});

test.each([
  ["address", { street: 1 }],
  ["city", { otherTown: 0 }],
  ["zip", { otherZip: 0 }],
  ["phone", { samePhone: 1 }],
  ["twitter", { sameTwitter: 1 }],
  ["url", { otherWebsite: 0 }],
] as const)("of a venue's fields only those that the listing has are compared: %s", (said, compared) => {
  const full: Spot = {
    ...{ name: "Café Zoë #12", lat: 41.8, lng: -71.4, address: "12 Main St", city: "Providence", zip: "02906" },
    ...{ phone: "401 555 0100", twitter: "@zoe", url: "http://zoe.example/menu" },
  };
  const { name, lat, lng, [said]: value } = full;
  const listing = prepare({ name, lat, lng, [said]: value });
  const { street, otherTown, otherZip, samePhone, sameTwitter, otherWebsite } = compare(
    listing,
    prepare(full),
    NO_NEIGHBOURS,
  );
  expect({ street, otherTown, otherZip, samePhone, sameTwitter, otherWebsite }).toEqual(compared);
});

test.each([
  ["122 Hastings St E", "CA", 0],
  ["108 - 122 E Hastings Street", "CA", 0],
  ["Unit 108, 122 Hastings St E", "CA", 0],
  ["115 Hastings St E", "CA", 1],
  ["108 Hastings St E", "CA", undefined],
  ["115 Hastings St E", "US", 0],
  ["108 Hastings St E", "AU", 0],
])(
  "108-122 Hastings St E beside %s in %s is a unit and its house only where the country writes so",
  (address, cc, other) => {
    const where = {
      name: "Joe's Pizza",
      city: "Vancouver",
      ...{ CA: { zip: "V6A 1P9" }, US: { state: "WA" }, AU: { state: "NSW" } }[cc],
    };
    const found = compared({ ...where, address: "108-122 Hastings St E" }, { ...where, address });
    expect(found.otherHouseNumber).toBe(other);
  },
);
