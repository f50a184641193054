import { describe, expect, test } from "vitest";
import { manifest02, result02, resultBatch02 } from "../../../src/contract/reconcile.ts";
import { API_URL, credentialsOf, expectError } from "../api/host.ts";
import { read, reconcileHost, V02 } from "./host.ts";

const host = await reconcileHost();
const TEA = { query: "Quiet Lantern Tea House", properties: [{ pid: "ll", v: "60.1,24.9" }] };
const get = (path: string, fields = {}) => host.send("GET", `${V02}${path}`, fields);
const root = (fields: Record<string, string>) => host.send("POST", V02, {}, { body: fields });

describe("the manifest of reconciliation 0.2", () => {
  test.each(["", "/"])("lists every service (%s)", async (path) => {
    const manifest = read(manifest02, await get(path));
    expect(manifest.view.url).toBe(`${API_URL}/venues/{{id}}`);
    const { entity } = manifest.suggest;
    expect(`${entity.service_url}${entity.service_path}`).toBe(`${API_URL}${V02}/suggest/entity`);
  });

  test("contains no credentials, even when requested with them", async () => {
    const answer = await get("", credentialsOf(host.application));
    expect(answer.text).not.toContain(host.application.clientId);
    expect(answer.text).not.toContain(host.application.clientSecret);
    expect(answer.body).toEqual((await get("")).body);
  });

  test("links to existing services", async () => {
    const { suggest, extend, preview, view } = read(manifest02, await get(""));
    const services = [...Object.values(suggest), extend.propose_properties];
    const pages = [preview.url, view.url].map((url) => url.replace("{{id}}", host.ids.tea));
    const urls = [...services.map((each) => `${each.service_url}${each.service_path}?prefix=tea`), ...pages];
    const statuses = urls.map(async (url) => (await host.send("GET", url.slice(API_URL.length))).status);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  });
});

describe("a batch of reconciliation 0.2", () => {
  test("is answered under the keys of its queries, by POST and GET alike", async () => {
    const queries = {
      q0: TEA,
      "q 1": { query: "Grand Juniper Hotel" },
      constructor: { query: "Nothing like it at all" },
    };
    const posted = await host.ask02(queries);
    const answers = read(resultBatch02, posted);
    expect(Object.keys(answers)).toEqual(Object.keys(queries));
    expect(answers.q0?.result[0]).toMatchObject({ id: host.ids.tea, match: true });
    expect(answers["q 1"]?.result[0]).toMatchObject({ id: host.ids.hotel, match: false });
    expect(answers.constructor).toEqual({ result: [] });
    expect((await get("", { queries: JSON.stringify(queries) })).body).toEqual(posted.body);
  });

  test("C11: may name a query __proto__ without side effects", async () => {
    const { text } = await root({ queries: `{"__proto__": ${JSON.stringify(TEA)}}` });
    expect(text).toMatch(/^\{"__proto__":\{"result":\[\{"id":/);
    expect(({} as Record<string, unknown>).result).toBeUndefined();
  });

  test("survives an invalid query, which gets no candidates and a reason", async () => {
    const bad = [
      null,
      7,
      "Tea",
      [],
      {},
      { query: 7 },
      { query: "" },
      { query: "Tea", limit: 0 },
      { query: "Tea", limit: 1.5 },
    ];
    const worse = [
      { query: "Tea", properties: "ll" },
      { query: "Tea", properties: [{ pid: "ll" }] },
      { query: "x".repeat(201) },
    ];
    const odd = [{ query: "Tea\u0000House" }, { query: "Tea \ud800" }, { query: "Tea", type: { name: "Food" } }];
    const queries = Object.fromEntries([TEA, ...bad, ...worse, ...odd].map((query, index) => [`q${index}`, query]));
    const { q0, ...others } = read(resultBatch02, await host.ask02(queries));
    expect(q0?.result[0]?.id).toBe(host.ids.tea);
    expect(Object.values(others)).toHaveLength(15);
    for (const other of Object.values(others))
      expect(other).toEqual({ result: [], error: expect.stringMatching(/[^.]\.$/) });
  });

  test.each([
    ["an object instead of text", { lat: { toString: "x" }, lng: 24.9 }],
    ["a list", { lat: 60.1, lng: [24.9] }],
  ])("C27: may have a position with %s for a number, which is ignored", async (_what, v) => {
    const burger = { query: "Zebra Burger", properties: [{ pid: "ll", v }] };
    const { q0, q1 } = read(resultBatch02, await host.ask02({ q0: burger, q1: TEA }));
    expect(q0?.result).toHaveLength(3);
    expect(q1?.result[0]?.id).toBe(host.ids.tea);
  });

  test("may have up to 50 queries", async () => {
    const queries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`q${i}`, { query: "Tea" }]));
    expect((await host.ask02(queries(50))).status).toBe(200);
    expectError(await host.ask02(queries(51)), 413, "param_error");
  });

  test("without a query gets an empty answer", async () => {
    expect(read(resultBatch02, await host.ask02({}))).toEqual({});
  });
});

describe("older reconciliation clients", () => {
  test("can send one query at a time, as text or as JSON", async () => {
    const text = read(result02, await get("", { query: "Grand Juniper Hotel", limit: "1" }));
    expect(text.result.map(({ id }) => id)).toEqual([host.ids.hotel]);
    const json = read(result02, await root({ query: JSON.stringify({ ...TEA, limit: 1 }) }));
    expect(json.result.map(({ id }) => id)).toEqual([host.ids.tea]);
  });

  test("can use JSONP", async () => {
    const name = "jQuery1910_1530";
    const queries = JSON.stringify({ q0: TEA });
    for (const [path, fields] of [
      ["", {}],
      ["", { queries }],
      ["/suggest/type", { prefix: "tea" }],
      ["", { queries: "{" }],
    ] as const) {
      const { status, headers, text } = await get(path, { ...fields, callback: name });
      expect(status).toBe(200);
      expect(headers["content-type"]).toMatch(/^text\/javascript/);
      expect(text).toMatch(/^jQuery1910_1530\(\{.*\}\);$/);
    }
  });
});

describe("an unreadable call of reconciliation 0.2", () => {
  test.each([
    ["no JSON", { queries: "{q0:" }],
    ["a list", { queries: "[]" }],
    ["a text", { queries: '"Tea"' }],
    ["null", { queries: "null" }],
    ["100,000 brackets", { queries: "[".repeat(100_000) }],
    ["a query that is not JSON", { query: "{query" }],
    ["an extension of nothing", { extend: "{}" }],
    ["an extension of other shapes", { extend: '{"ids": "x", "properties": []}' }],
    ["an extension without property ids", { extend: '{"ids": [], "properties": ["ll"]}' }],
    ["an extension of 501 venues", { extend: JSON.stringify({ ids: Array(501).fill("x"), properties: [] }) }],
  ])("is rejected with advice: %s", async (_what, fields) => {
    const answer = await root(fields);
    expectError(answer, 400, "param_error");
    expect(String(answer.body.meta.errorDetail)).toMatch(/[^.]\.$/);
  });

  test("is rejected when it has a parameter twice", async () => {
    expectError(await host.send("GET", V02, { queries: ["{}", "{}"] }), 400, "param_error");
  });

  test("is rejected above 1 MB, and accepted below", async () => {
    const fits = {
      queries: JSON.stringify({ q0: { query: "Tea", properties: [{ pid: "x", v: "x".repeat(900_000) }] } }),
    };
    expect((await root(fits)).status).toBe(200);
    const answer = await root({ queries: "x".repeat(1_100_000) });
    expectError(answer, 413, "param_error");
    expect(answer.body.meta.errorDetail).toContain("1 MB");
  });
});
