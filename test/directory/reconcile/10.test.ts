import { describe, expect, test } from "vitest";
import {
  extended10,
  manifest10,
  proposedProperties,
  suggestedEntities,
  suggestedProperties,
  suggestedTypes,
} from "../../../src/contract/reconcile.ts";
import { API_URL, categoryId, expectError } from "../api/host.ts";
import { named, property, read, reconcileHost, V10 } from "./host.ts";

const host = await reconcileHost();
const idsFor = async (query: object) => (await host.match10(query))[0]?.candidates.map(({ id }) => id);

describe("reconciliation 1.0", () => {
  test.each(["", "/"])("describes its services, with a template for venue pages (%s)", async (path) => {
    const manifest = read(manifest10, await host.send("GET", `${V10}${path}`));
    expect(manifest.view.url).toBe(`${API_URL}/venues/{{id}}`);
  });

  test("answers queries in order, with named features", async () => {
    const [tea, bad, hotel] = await host.match10(
      { conditions: [named("Quiet Lantern Tea House"), property("ll", "60.1,24.9")], limit: 1 },
      { conditions: [named("x".repeat(201))] },
      { conditions: [named("Grand Juniper Hotel")], limit: 1 },
    );
    expect(tea?.candidates).toEqual([expect.objectContaining({ id: host.ids.tea, match: true })]);
    expect(tea?.candidates[0]?.features).toContainEqual({ id: "metres", name: "Metres apart", value: 0 });
    expect(bad).toEqual({ candidates: [], error: expect.stringMatching(/\w\.$/) });
    expect(hotel?.candidates).toEqual([expect.objectContaining({ id: host.ids.hotel, match: false })]);
  });

  test.each([
    ["a name longer than any", [named("x".repeat(201))]],
    ["an unknown required property", [named("Tea"), property("colour", "red", { required: true })]],
  ])("finds nothing for a query with %s, and gives the reason", async (_what, conditions) => {
    expect(await host.match10({ conditions })).toEqual([{ candidates: [], error: expect.stringMatching(/\w\.$/) }]);
  });

  test.each([
    ["the name of a property", "Latitude", "Longitude"],
    ["the name of a property in another language", "Breite", "Länge"],
    ["the short name of a property", "y", "x"],
  ])("accepts %s in place of its id", async (_what, lat, lng) => {
    const conditions = [named("Quiet Lantern"), property(lat, 60.1), property(lng, 24.9)];
    expect((await idsFor({ conditions }))?.[0]).toBe(host.ids.tea);
  });
});

describe("required conditions of reconciliation 1.0", () => {
  const all = ["chainOne", "chainTwo", "chainThree"] as const;
  const required = { required: true };
  test.each([
    ["a city", [property("city", "northwick", required)], ["chainOne", "chainTwo"]],
    ["any of two cities", [property("city", ["Southwick", "Nowhere"], required)], ["chainThree"]],
    ["all of two cities", [property("city", ["Southwick", "Northwick"], { ...required, matchQuantifier: "all" })], []],
    ["none of a city", [property("city", "Northwick", { ...required, matchQuantifier: "none" })], ["chainThree"]],
    ["an address", [property("address", "9 Oak Rd", required)], ["chainTwo"]],
    [
      "a position",
      [property("ll", "60.2001,24.9", { ...required, matchQuantifier: "none" })],
      ["chainTwo", "chainThree"],
    ],
    ["a latitude", [property("lat", 60.3, required)], ["chainTwo"]],
    ["a phone", [property("phone", "555 0100", required)], []],
    ["a phone of several", [property("phone", "0571-82360875; 04 555 0163", required)], ["chainThree"]],
    ["nothing", [property("city", "Nowhere at all")], all],
  ] as const)("exclude other venues: %s", async (_what, conditions, expected) => {
    const ids = await idsFor({ conditions: [named("Zebra Burger"), ...conditions] });
    expect(ids?.toSorted()).toEqual(expected.map((key) => host.ids[key]).toSorted());
  });

  test("exclude other names", async () => {
    const conditions = [named("Zebra Burger", required), property("ll", "60.1,24.9")];
    expect(await idsFor({ conditions })).toEqual([]);
  });
});

describe("a type in a reconciliation query", () => {
  const scored = async (type: string | undefined, ...conditions: object[]) => {
    const [result] = await host.match10({ conditions: [named("Zebra Burger"), ...conditions], ...(type && { type }) });
    return result?.candidates.map(({ id, score, match, features }) => ({ id, score, match, features })) ?? [];
  };

  test.each(["Burger Place", "Food", undefined])("keeps the scores of venues of %s", async (name) => {
    expect(await scored(name && categoryId(name))).toEqual(await scored(undefined));
  });

  test.each(["venue", "Venue", "no such type", "burger place", "Food"])("may be a name: %s", async (type) => {
    expect(await scored(type)).toEqual(await scored(undefined));
  });

  test.each([
    ["without a position", []],
    ["with one", [property("ll", "60.2,24.9")]],
  ])("lowers venues of other types without excluding any, %s", async (_how, conditions) => {
    const usual = await scored(undefined, ...conditions);
    const lowered = await scored(categoryId("Hotel"), ...conditions);
    expect(lowered.map(({ id }) => id)).toEqual(usual.map(({ id }) => id));
    lowered.forEach((each, index) => {
      expect(each.score).toBeLessThan(usual[index]?.score ?? 0);
      expect(each.features).toContainEqual({ id: "otherType", name: "Other type", value: -1.5 });
    });
  });
});

describe("request bodies of reconciliation 1.0", () => {
  test("get property values row by row", async () => {
    const query = { ids: [host.ids.hotel, "nobody"], properties: [{ id: "phone" }, { id: "city" }] };
    const { meta, rows } = read(extended10, await host.post10("/extend", query));
    expect(meta).toEqual([
      { id: "phone", name: "Telephone" },
      { id: "city", name: "City" },
    ]);
    const empty = { id: "city", values: [] };
    expect(rows).toEqual([
      { id: host.ids.hotel, properties: [{ id: "phone", values: [{ str: "+358 9 555 0199" }] }, empty] },
      { id: "nobody", properties: [{ id: "phone", values: [] }, empty] },
    ]);
  });

  test("may have another content type or none", async () => {
    const payload = JSON.stringify({ queries: [{ conditions: [named("Zebra Burger")] }] });
    for (const headers of [{}, { "content-type": "text/plain" }, { "content-type": "application/json; charset=utf-8" }])
      expect((await host.send("POST", `${V10}/match`, {}, { headers, payload })).status).toBe(200);
  });

  test.each(["/match", "/extend"])("are rejected with advice when unreadable (%s)", async (path) => {
    const payloads = ["", "{", "null", "7", '"text"', "[]", "{}", '{"queries": {}}', '{"queries": "x"}', '{"ids": 7}'];
    for (const payload of payloads) {
      const headers = { "content-type": "application/json" };
      expectError(await host.send("POST", `${V10}${path}`, {}, { headers, payload }), 400, "param_error");
    }
  });

  test("are rejected above 50 queries and above 1 MB", async () => {
    const conditions = [named("Tea")];
    expectError(await host.post10("/match", { queries: Array(51).fill({ conditions }) }), 413, "param_error");
    expectError(await host.post10("/match", { queries: ["x".repeat(1_100_000)] }), 413, "param_error");
  });

  test("are required: a GET returns 405", async () => {
    const answer = await host.send("GET", `${V10}/match`);
    expectError(answer, 405, "other");
    expect(answer.headers.allow).toBe("POST");
  });
});

test("reconciliation 1.0 suggests and proposes like 0.2, at its own addresses", async () => {
  const get = (path: string, fields = {}) => host.send("GET", `${V10}${path}`, fields);
  const entities = read(suggestedEntities, await get("/suggest/entity", { prefix: "zebra", limit: 2, offset: 1 }));
  expect(entities.result).toHaveLength(2);
  expect(read(suggestedProperties, await get("/suggest/property", { prefix: "phone" })).result[0]?.id).toBe("phone");
  expect(read(suggestedTypes, await get("/suggest/type", { prefix: "hotel" })).result[0]?.name).toBe("Hotel");
  expect(read(proposedProperties, await get("/extend/propose", { type: "venue", limit: 2 }))).toMatchObject({
    type: "venue",
  });
});
