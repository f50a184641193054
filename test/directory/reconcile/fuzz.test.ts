import * as fc from "fast-check";
import { expect, test } from "vitest";
import { resultBatch02, resultBatch10 } from "../../../src/contract/reconcile.ts";
import { roundsOf } from "../../support/rounds.ts";
import { reconcileHost, V02, V10 } from "./host.ts";

const host = await reconcileHost();

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "Zebra Burger",
    "60.2,24.9",
    "90,180",
    "-90,-180",
    "NaN",
    "1e999,0",
    "%_\\",
    "\u0000",
    "\ud800",
    "",
    " ",
  ),
);
const property = fc.constantFrom(
  "ll",
  "lat",
  "lng",
  "phone",
  "address",
  "city",
  "state",
  "zip",
  "country",
  "name",
  "x",
);
const value = fc.oneof(text, fc.double(), fc.jsonValue({ maxDepth: 2 }), fc.array(text, { maxLength: 3 }));
const entity = fc.record({ id: text, lat: fc.jsonValue({ maxDepth: 1 }) }, { requiredKeys: ["id"] });
const fitting = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), entity);
const query02 = fc.record(
  {
    query: fc.oneof({ weight: 5, arbitrary: text }, fc.jsonValue()),
    properties: fc.oneof(fc.array(fc.record({ pid: property, v: value }), { maxLength: 4 }), fc.jsonValue()),
    type: fc.oneof(text, fc.jsonValue()),
    limit: fc.oneof(fc.integer(), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const condition = fc.record(
  {
    matchType: fc.constantFrom("name", "id", "property"),
    propertyId: property,
    propertyValue: fc.oneof(fitting, fc.array(fitting, { maxLength: 3 })),
    required: fc.boolean(),
    matchQuantifier: fc.constantFrom("any", "all", "none"),
  },
  { requiredKeys: ["matchType", "propertyId", "propertyValue"] },
);
const query10 = fc.record({ conditions: fc.array(condition, { minLength: 1, maxLength: 4 }) });

test("C27: reconciliation answers any batch of objects, in 1.0 of valid queries, by contract", async () => {
  const batches = fc.tuple(fc.array(query02, { maxLength: 8 }), fc.array(query10, { maxLength: 8 }));
  await fc.assert(
    fc.asyncProperty(batches, async ([older, newer]) => {
      const queries = Object.fromEntries(older.map((query, index) => [`q${index}`, query]));
      const answer02 = await host.ask02(queries);
      expect([answer02.status, Object.keys(resultBatch02.parse(answer02.body)).length]).toEqual([200, older.length]);
      const answer10 = await host.post10("/match", { queries: newer });
      expect([answer10.status, resultBatch10.parse(answer10.body).results.length]).toEqual([200, newer.length]);
    }),
    { numRuns: roundsOf(150, 30) },
  );
});

test("C27: reconciliation answers any other call or rejects it with 4xx", async () => {
  const paths = [V02, V10].flatMap((root) =>
    [
      "",
      "/suggest/entity",
      "/suggest/property",
      "/suggest/type",
      "/extend/propose",
      "/preview",
      "/match",
      "/extend",
    ].map((path) => root + path),
  );
  const names = fc.constantFrom(
    "prefix",
    "type",
    "limit",
    "offset",
    "cursor",
    "id",
    "queries",
    "query",
    "extend",
    "callback",
  );
  const fields = fc.dictionary(names, fc.oneof(text, fc.json(), fc.array(text, { maxLength: 2 })), { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fields,
      fc.json(),
      fc.boolean(),
      async (path, query, payload, isPost) => {
        const sending = isPost ? { headers: { "content-type": "application/json" }, payload } : {};
        const { status } = await host.send(isPost ? "POST" : "GET", path, query, sending);
        expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: roundsOf(400, 100) },
  );
});
