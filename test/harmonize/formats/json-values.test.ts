import fc from "fast-check";
import { expect, test } from "vitest";
import { findKeyed, findPlace, jsonValues } from "../../../src/files/formats/json-values.ts";

/** Texts with what a tokenizer may trip over: quotes, backslashes and brackets within strings. */
const text = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", "a", " "), maxLength: 6 });
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const record = fc.dictionary(text, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(text, scalar)));
const collection = fc.record({
  before: fc.dictionary(text, scalar, { maxKeys: 2 }),
  records: fc.array(record, { minLength: 1, maxLength: 4 }),
  behind: fc.dictionary(text, fc.array(record, { maxLength: 2 }), { maxKeys: 2 }),
  /** Behind the object: nothing, or another value. */
  more: fc.constantFrom("", "\n", ' {"a": 1}', " 7"),
  length: fc.integer({ min: 1, max: 30 }),
});

test("the first list of objects is found, and its records, wherever the text is cut into pieces, unless another value follows", async () => {
  const holds = fc.asyncProperty(collection, async ({ before, records, behind, more, length }) => {
    // A name that is used twice would stand once in the object.
    fc.pre(!Object.hasOwn(before, "list") && !Object.keys(behind).some((name) => name === "list" || name in before));
    const whole = JSON.stringify({ ...before, list: records, ...behind }) + more;
    async function* pieces() {
      for (let at = 0; at < whole.length; at += length) yield whole.slice(at, at + length);
    }
    const first = Object.entries(JSON.parse(JSON.stringify({ ...before, list: records, ...behind }))).find(
      ([, value]) => Array.isArray(value) && value.length > 0,
    );
    const place = await findPlace(pieces());
    expect(place).toEqual(more.trim() === "" ? { names: [first?.[0]], isKeyed: false } : undefined);
    if (!place) return;
    const found: unknown[] = [];
    for await (const values of jsonValues(pieces(), place)) for (const { text } of values) found.push(text);
    expect(found.map((each) => JSON.parse(String(each)))).toEqual(first?.[1]);
  });
  await fc.assert(holds, { numRuns: 300 });
});

const store = fc.record(
  { name: text, city: text, tags: fc.array(record, { maxLength: 2 }) },
  { requiredKeys: ["name", "city"] },
);
const keyed = fc.record({
  stores: fc.dictionary(text, store, { minKeys: 2, maxKeys: 5 }),
  /** Around the object: nothing, or another one that has it as a member. */
  around: fc.constantFrom(undefined, {}, { count: 2 }, { note: "}", links: { next: "/2" } }),
  length: fc.integer({ min: 1, max: 30 }),
});

test("records that are the members of an object are found with their names, wherever the text is cut into pieces", async () => {
  const holds = fc.asyncProperty(keyed, async ({ stores, around, length }) => {
    const whole = JSON.stringify(around ? { ...around, stores } : stores);
    const place = await findKeyed(whole);
    expect(place).toEqual({ names: around ? ["stores"] : [], isKeyed: true });
    const pieces = Array.from({ length: Math.ceil(whole.length / length) }, (_, at) =>
      whole.slice(at * length, (at + 1) * length),
    );
    const found: [string | undefined, unknown][] = [];
    for await (const values of jsonValues(pieces, place))
      for (const { key, text } of values) found.push([key, JSON.parse(String(text))]);
    expect(found).toEqual(Object.entries(JSON.parse(JSON.stringify(stores))));
  });
  await fc.assert(holds, { numRuns: 150 });
});

test.each([
  ["a record", { name: "Joe", geo: { lat: 1, lng: 2 }, hours: { open: 9, close: 17 } }],
  ["links beside a list", { data: [{ name: "Joe", city: "Bern" }], count: 1 }],
  ["a table by column", { name: { 0: "Joe", 1: "Ann" }, city: { 0: "Bern", 1: "Basel" } }],
  ["objects of different kinds", { meta: { page: 1, size: 50 }, store: { name: "Joe", city: "Bern" } }],
])("%s is no object of records", async (_, value) => expect(await findKeyed(JSON.stringify(value))).toBeUndefined());
