import { describe, expect, test } from "vitest";
import { expectError } from "../api/host.ts";
import { named, property, reconcileHost } from "./host.ts";

/*
 * Queries of 1.0-draft, as its published schema has them (reconciliation-api/specs, 1.0-draft/schemas/
 * reconciliation-query-batch.json of 2026-07-15). The repository names no licence, so the schema is restated here by example.
 */

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
