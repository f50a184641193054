import { describe, expect, test } from "vitest";
import { expectError, venuesOf } from "../api/host.ts";
import { type Candidate, named, property, reconcileHost } from "./host.ts";

const host = await reconcileHost();
const tea = { conditions: [named("Quiet Lantern Tea House")] };

describe("a valid query of reconciliation 1.0", () => {
  test.each([
    ["a type, a limit, a language and a direction", { ...tea, type: "venue", limit: 3, lang: "en", dir: "ltr" }],
    ["several values", { conditions: [named(["Quiet Lantern Tea House", { id: "tea", name: "Tea" }, 7, true])] }],
    [
      "all that a condition may have",
      { conditions: [named("Quiet Lantern Tea House", { required: false, matchQuantifier: "any" })] },
    ],
    ["an unknown qualifier", { conditions: [named("Quiet Lantern Tea House", { matchQualifier: "x" })] }],
    [
      "fields of conditions that the schema leaves open",
      { conditions: [named("Quiet Lantern Tea House", { lang: "zh-Hant" })] },
    ],
  ])("is answered: %s", async (_what, query) => {
    const [result] = await host.match10(query);
    expect(result?.candidates[0]?.id).toBe(host.ids.tea);
  });

  test("requires no name", async () => {
    const [result] = await host.match10({ conditions: [property("phone", "+358 9 555 0142")] });
    expect(result?.candidates[0]?.id).toBe(host.ids.tea);
  });
});

describe("an invalid query of reconciliation 1.0", () => {
  test.each([
    ["a text", "Tea", "queries[1] must be an object"],
    ["nothing", {}, "queries[1].conditions must be a list"],
    ["no conditions", { conditions: [] }, "queries[1].conditions must have a condition"],
    ["a condition that is a text", { conditions: ["Tea"] }, "queries[1].conditions[0] must be an object"],
    ["no matchType", { conditions: [{ propertyValue: "Tea" }] }, "queries[1].conditions[0].matchType must be name, id"],
    ["no propertyValue", { conditions: [{ matchType: "name" }] }, "queries[1].conditions[0].propertyValue must be"],
    ["a value of null", { conditions: [named(null)] }, "queries[1].conditions[0].propertyValue must be"],
    ["a list in a list", { conditions: [named([["Tea"]])] }, "queries[1].conditions[0].propertyValue must be"],
    [
      "an entity without id",
      { conditions: [named({ name: "Tea" })] },
      "queries[1].conditions[0].propertyValue must be",
    ],
    [
      "no propertyId",
      { conditions: [named("Tea"), { matchType: "property", propertyValue: "x" }] },
      "queries[1].conditions[1].propertyId must be",
    ],
    [
      "an unknown quantifier",
      { conditions: [named("Tea", { matchQuantifier: "some" })] },
      "queries[1].conditions[0].matchQuantifier must be any, all or none",
    ],
    ["several types", { ...tea, type: ["a", "b"] }, "queries[1].type must be the id of one type"],
    ["a limit in words", { ...tea, limit: "3" }, "queries[1].limit must be a whole number"],
    ["a limit of 0", { ...tea, limit: 0 }, "queries[1].limit must be a whole number"],
    ["an invalid direction", { ...tea, dir: "up" }, "queries[1].dir must be ltr"],
    ["a field of version 0.2", { ...tea, query: "Tea" }, "queries[1] must be an object with conditions and"],
    [
      "more values than are worth comparing (C28)",
      { conditions: [named("Tea"), property("address", Array(50).fill("x"))] },
      "queries[1] may have at most 50 values",
    ],
  ])("is rejected, with place and advice: %s", async (_what, query, message) => {
    const answer = await host.post10("/match", { queries: [tea, query] });
    expectError(answer, 400, "param_error");
    expect(answer.body.meta.errorDetail).toContain(message);
    expect(answer.body.meta.errorDetail).toMatch(/\w\.$/);
  });
});

describe("ids in a query of reconciliation 1.0", () => {
  const id = (propertyValue: unknown, more = {}) => ({ matchType: "id", propertyValue, ...more });

  test("match their venues, whatever else the query contains", async () => {
    const [byId, withName] = await host.match10(
      { conditions: [id(host.ids.tea)] },
      { conditions: [named("Grand Juniper Hotel"), id({ id: host.ids.tea, name: "Tea" })] },
    );
    expect(byId?.candidates).toEqual([expect.objectContaining({ id: host.ids.tea, score: 100, match: true })]);
    expect(withName?.candidates.map((each) => [each.id, each.match])).toEqual([
      [host.ids.tea, true],
      [host.ids.hotel, false],
    ]);
  });

  test("of several venues match none", async () => {
    const [several] = await host.match10({ conditions: [id([host.ids.tea, host.ids.hotel])] });
    expect(several?.candidates.map(({ id, match }) => [id, match]).toSorted()).toEqual(
      [host.ids.tea, host.ids.hotel].toSorted().map((each) => [each, false]),
    );
  });

  test.each(["ffffffffffffffffffffffff", "nobody", "", 7, true])("of no venue find nothing: %j", async (none) => {
    expect(await host.match10({ conditions: [id(none)] })).toEqual([{ candidates: [] }]);
  });

  test("can be required or excluded", async () => {
    const [only, others] = await host.match10(
      { conditions: [named("Zebra Burger"), id(host.ids.chainTwo, { required: true })] },
      { conditions: [named("Zebra Burger"), id(host.ids.chainTwo, { required: true, matchQuantifier: "none" })] },
    );
    expect(only?.candidates.map((each) => each.id)).toEqual([host.ids.chainTwo]);
    expect(others?.candidates.map((each) => each.id).toSorted()).toEqual(
      [host.ids.chainOne, host.ids.chainThree].toSorted(),
    );
  });

  test("must also meet the required conditions", async () => {
    const conditions = [id(host.ids.tea), property("city", "Southwick", { required: true })];
    expect(await host.match10({ conditions })).toEqual([{ candidates: [] }]);
  });
});
const query = (name: string | undefined, properties: Record<string, unknown> = {}, more = {}) =>
  host.candidates({
    ...(name !== undefined && { query: name }),
    properties: Object.entries(properties).map(([pid, v]) => ({ pid, v })),
    ...more,
  });
const feature = (candidate: Candidate | undefined, id: string) =>
  candidate?.features.find((each) => each.id === id)?.value;

describe("a reconciliation query with a position", () => {
  test("gets the scores of intent=match in percent, with its evidence as features", async () => {
    const listing = { ll: "60.1003,24.9", phone: "09 555 0142" };
    const [candidate] = await query("The QUIET LANTERN Tea-House", listing);
    const [venue] = venuesOf(
      await host.userless("/v2/venues/search", { intent: "match", name: "The QUIET LANTERN Tea-House", ...listing }),
    );
    expect(candidate).toMatchObject({ id: venue?.id, score: Math.round(1000 * (venue?.score ?? 0)) / 10, match: true });
    const evidence = venue?.evidence?.map(({ comparison, weight }) => ({ id: comparison, value: weight }));
    expect(candidate?.features).toEqual([...(evidence ?? []), { id: "metres", value: 33 }]);
  });

  test.each([
    ["text", { ll: "60.1,24.9" }],
    ["text with blanks", { ll: " 60.1 , 24.9 " }],
    ["a list, whose first usable value counts", { ll: ["n/a", null, "60.1,24.9", "60.5,24.9"] }],
    ["an object", { ll: { lat: 60.1, lng: 24.9 } }],
    ["an object with long names", { ll: { latitude: "60.1", longitude: "24.9" } }],
    ["an entity", { ll: { id: "60.1,24.9", name: "60.1,24.9" } }],
    ["two columns", { lat: 60.1, lng: "24.9" }],
  ])("accepts the position as %s", async (_what, properties) => {
    const [first] = await query("Quiet Lantern", properties);
    expect([first?.id, feature(first, "metres")]).toEqual([host.ids.tea, 0]);
  });

  test.each([
    { ll: "somewhere" },
    { ll: "95,24" },
    { ll: true },
    { ll: {} },
    { lat: 60.1 },
    { lat: "north", lng: "24.9" },
  ])("ignores an invalid position: %j", async (properties) => {
    const [first] = await query("Quiet Lantern Tea House", properties);
    expect([first?.id, first?.match, feature(first, "metres")]).toEqual([host.ids.tea, false, undefined]);
  });

  test("takes several phones for several numbers", async () => {
    const phones = ["n/a", "0571-82360875", "09 555 0142"];
    const [first] = await query("Quiet Lantern", { phone: phones });
    expect([first?.id, feature(first, "phone")]).toEqual([host.ids.tea, expect.toSatisfy((weight) => weight > 0)]);
  });

  test("ignores unusable and unknown properties", async () => {
    const clues = { phone: "none", zip: "???", twitter: "two words", colour: "red", address: { id: "x" } };
    const [first] = await query("Quiet Lantern Tea House", { ll: "60.1,24.9", ...clues });
    expect([first?.id, first?.match]).toEqual([host.ids.tea, true]);
  });

  test("but no name gets no match", async () => {
    const [first] = await query(undefined, { ll: "60.1,24.9" });
    expect([first?.id, first?.match, feature(first, "noName")]).toEqual([host.ids.tea, false, -3]);
  });
});

describe("a reconciliation query without a position", () => {
  test("is never matched by name alone, however rare the name", async () => {
    const [first, second] = await query("Grand Juniper Hotel", { address: "1 Some Street" });
    expect([first?.id, first?.match, second]).toEqual([host.ids.hotel, false, undefined]);
    expect(first?.score).toBeLessThan(90);
    expect(feature(first, "noPosition")).toBe(-4);
  });

  test("splits the probability among the shops of a chain, and distinguishes them by address", async () => {
    const chain = await query("Zebra Burger");
    expect(chain).toHaveLength(3);
    for (const shop of chain) expect(shop.score).toBeLessThan(34);
    expect(feature(chain[0], "rivals")).toBeLessThan(-1);
    const [first, second] = await query("Zebra Burger", { address: "9 Oak Rd." });
    expect(first?.id).toBe(host.ids.chainTwo);
    expect(first?.score).toBeGreaterThan(1.5 * (second?.score ?? 100));
  });

  test("is matched when name and telephone number agree", async () => {
    const [first] = await query("Grand Juniper Hotel", { phone: "09-555 0199" });
    expect(first).toMatchObject({ id: host.ids.hotel, match: true });
  });

  test("is not matched by the telephone number of another venue", async () => {
    const candidates = await query("Quiet Lantern Tea House", { phone: "09-555 0199" });
    expect(candidates.map(({ match }) => match)).toEqual(candidates.map(() => false));
    expect(candidates.map(({ id }) => id)).toEqual([host.ids.tea]);
  });

  test("finds a venue by telephone number alone, without a match", async () => {
    const [first] = await query(undefined, { phone: "09-555 0199" });
    expect([first?.id, first?.match]).toEqual([host.ids.hotel, false]);
    expect(first?.score).toBeGreaterThan(50);
  });

  test("searches the town that it names, with a higher score there", async () => {
    const inTown = await query("Zebra Burger", { city: "northwick" });
    expect(inTown.map(({ id }) => id).toSorted()).toEqual([host.ids.chainOne, host.ids.chainTwo].toSorted());
    expect(feature(inTown[0], "noPosition")).toBe(-3);
    const [only] = await query("Zebra Burger", { city: "Southwick" });
    expect([only?.id, only?.match]).toEqual([host.ids.chainThree, false]);
    expect(only?.score).toBeGreaterThan(80);
    expect(await query("Grand Juniper Hotel", { city: "Southwick" })).toEqual([]);
  });

  test("searches around the postal code first, and in the town when the code is unknown", async () => {
    const [inDistrict] = await query("Quiet Lantern Tea House", { zip: "00150", city: "Southwick" });
    expect([inDistrict?.id, feature(inDistrict, "noPosition")]).toEqual([host.ids.tea, -2]);
    const [inTown] = await query("Quiet Lantern Tea House", { zip: "99999", city: "Northwick" });
    expect([inTown?.id, feature(inTown, "noPosition")]).toEqual([host.ids.tea, -3]);
  });

  test("searches everywhere when its place is unknown", async () => {
    const [first] = await query("Grand Juniper Hotel", { city: "Atlantis", state: "Nowhere", country: "Xx" });
    expect([first?.id, feature(first, "noPosition")]).toEqual([host.ids.hotel, -4]);
  });

  test("finds nothing for words of no venue", async () => {
    expect(await query(undefined, { city: "Northwick", colour: "red" })).toEqual([]);
  });
});

describe("a reconciliation query with an id as name", () => {
  test("gets its venue as a match", async () => {
    const [first, ...others] = await query(host.ids.tea);
    expect(first).toMatchObject({ id: host.ids.tea, score: 100, match: true });
    expect(others.map(({ match }) => match)).toEqual(others.map(() => false));
  });

  test("gets no match for an imported id that may also be a name", async () => {
    await host.deps.pool.query("UPDATE directory.venue SET id = '1984' WHERE id = $1", [host.ids.chainThree]);
    const [first] = await query("1984");
    expect(first).toMatchObject({ id: "1984", score: 100, match: false });
    await host.deps.pool.query("UPDATE directory.venue SET id = $1 WHERE id = '1984'", [host.ids.chainThree]);
  });
});

test.each([
  [undefined, 3],
  [1, 1],
  ["2", 2],
  [1000, 3],
])("a reconciliation limit of %s returns %i candidates", async (limit, count) => {
  expect(await query("Zebra Burger", {}, { limit })).toHaveLength(count);
});
