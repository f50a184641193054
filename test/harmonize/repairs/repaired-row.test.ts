import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HowAsked } from "../../../src/harmonize/query/repaired-row.ts";
import { repairedRow } from "../../../src/harmonize/query/repaired-row.ts";
import { changesIn, repairsInWords } from "../../../src/harmonize/query/row-changes.ts";
import { queryInFile } from "../../../src/harmonize/query/to-query.ts";
import {
  beforeChange,
  type KeptRepair,
  missingColumns,
  parseRepairs,
  REPAIRABLE,
  repairsForNext,
} from "../../../src/harmonize/run/row-repairs.ts";

const HEADER = ["id", "name", "lat", "lng", "street", "town", "region", "type"];
const kept = (json: unknown, at = 0): KeptRepair => {
  const [repair] = parseRepairs([json]);
  if (!repair) throw new Error("no repair");
  return { id: `r${at}`, by: null, at: "2026-11-28T00:00:00.000Z", repair };
};
const how = (...repairs: unknown[]): HowAsked => ({
  header: HEADER,
  columns: { id: 0, name: 1, lat: 2, lng: 3, address: 4 },
  format: {} as never,
  positions: null,
  repairs: repairs.map(kept),
});
const JOE = ["7", "Joe’s Pizza", "41.8", "-71.4", "1 Main St", "Providence", "RI", "Pizza Place"];
const said = (cells: string[], ...repairs: unknown[]) => repairedRow(cells, how(...repairs)).given;

test("a field is taken from another column: where it is empty, or always, and never from an empty cell", () => {
  expect(said(JOE, { kind: "take", field: "city", column: "town" })).toMatchObject({ city: "Providence" });
  const street = { kind: "take", field: "address", column: "town" };
  expect(said(JOE, street)).toMatchObject({ address: "1 Main St" });
  expect(said(JOE, { ...street, always: true })).toMatchObject({ address: "Providence" });
  expect(said(JOE.with(5, " "), { ...street, always: true })).toMatchObject({ address: "1 Main St" });
});

test("a field is set for all rows, or for those with a value in a column, in upper or lower case; an empty value takes it out", () => {
  expect(said(JOE, { kind: "set", field: "country", value: "US" })).toMatchObject({ country: "US" });
  const pizza = { kind: "set", field: "category", value: "Pizzeria", where: { column: "type", is: " pizza place" } };
  expect(said(JOE, pizza)).toMatchObject({ category: "Pizzeria" });
  expect(said(JOE.with(7, "Bakery"), pizza)).not.toHaveProperty("category");
  expect(said(JOE, { kind: "set", field: "address", value: "" })).not.toHaveProperty("address");
});

describe("find and replace", () => {
  const replace = { kind: "replace", column: "name", find: "pizza", with: "Pie" };

  test("in a part of the cell or the whole, in this or any case, with nothing to trim a prefix", () => {
    expect(said(JOE, replace).name).toBe("Joe’s Pizza");
    expect(said(JOE, { ...replace, any_case: true }).name).toBe("Joe’s Pie");
    expect(said(JOE, { ...replace, any_case: true, whole: true }).name).toBe("Joe’s Pizza");
    expect(said(JOE, { ...replace, find: "JOE’S PIZZA", any_case: true, whole: true }).name).toBe("Pie");
    expect(said(JOE, { ...replace, find: "Joe’s ", with: "" }).name).toBe("Pizza");
  });

  test("W160: takes the text as it is, never as a pattern or a template of one", () => {
    const evil = "(a+)+$ [x] \\d {2} ^.*?|/-";
    for (const any_case of [true, false]) {
      expect(said(JOE.with(1, `<${evil}>`), { ...replace, find: evil, any_case }).name).toBe("<Pie>");
      expect(said(JOE, { ...replace, find: "(a+)+$", any_case }).name).toBe("Joe’s Pizza");
      expect(said(JOE, { ...replace, find: "Joe", with: "$&$1$`$$", any_case }).name).toBe("$&$1$`$$’s Pizza");
    }
  });

  test("W161: does not make cells longer and longer", () => {
    const longer = Array.from({ length: 50 }, () => ({ ...replace, find: "a", with: "a".repeat(300) }));
    expect(said(JOE.with(1, "a".repeat(100)), ...longer).name?.length).toBeLessThanOrEqual(5000);
  });
});

test("latitude and longitude are swapped where a column says so, or where only that brings a row among the others", () => {
  const asked = (cells: string[], repair: unknown) => queryInFile(cells, how(repair)).query;
  const wrong = JOE.with(2, "-71.4").with(3, "41.8");
  const around = { kind: "swap", around: [{ lat: 41.9, lng: -71.3 }] };
  const put = { ll: { lat: 41.8, lng: -71.4 }, repaired: { by: "swapped", was: { lat: -71.4, lng: 41.8 } } };
  expect(asked(wrong, around)).toMatchObject(put);
  expect(asked(JOE, around)).not.toHaveProperty("repaired");
  expect(asked(wrong, { kind: "swap", where: { column: "region", is: "ri" } })).toMatchObject(put);
  expect(asked(wrong, { kind: "swap", where: { column: "region", is: "MA" } })).not.toHaveProperty("repaired");
});

test("repairs are made in their order, and the id of a row is its own", () => {
  const first = { kind: "replace", column: "town", find: "Prov", with: "West Prov" };
  const then = { kind: "take", field: "city", column: "town" };
  expect(said(JOE, first, then).city).toBe("West Providence");
  expect(said(JOE, then, first).city).toBe("Providence");
  expect(said(JOE, { kind: "replace", column: "id", find: "7", with: "8" }).id).toBe("7");
});

test("a column that a file does not have is named, and changes nothing", () => {
  const repairs = [
    { kind: "take", field: "city", column: "Ort" },
    { kind: "replace", column: "Ort", find: "a", with: "b" },
    { kind: "set", field: "city", value: "Rome", where: { column: "Ort", is: "" } },
    { kind: "swap", where: { column: "Ort", is: "" } },
  ];
  const { repairs: all } = how(...repairs);
  expect(all.map(({ repair }) => missingColumns(repair, HEADER))).toEqual(all.map(() => ["Ort"]));
  expect(changesIn(JOE, how(), how(...repairs))).toEqual([]);
});

test("what a repair changed is said, beside what the file says", () => {
  const words = repairsInWords(
    JOE,
    how(
      { kind: "set", field: "city", value: "Cranston" },
      { kind: "replace", column: "name", find: "Joe’s ", with: "" },
      { kind: "set", field: "address", value: "" },
      { kind: "swap", where: { column: "region", is: "RI" } },
    ),
  );
  expect(words).toBe(
    "name repaired to “Pizza” (“Joe’s Pizza” in the file); address removed by a repair (“1 Main St” in the file); " +
      "city repaired to “Cranston” (none in the file); position repaired (41.8,-71.4 in the file)",
  );
  expect(repairsInWords(JOE, how())).toBeUndefined();
});

const text = fc.oneof(
  fc.constantFrom("", "RI", "Joe", "=1+1", "İ", "\ud83c\udf55", "a b"),
  fc.string({ maxLength: 8 }),
);
const some = text.filter((each) => each.replaceAll("\0", "") !== "");
const column = fc.constantFrom(...HEADER, "none");
const where = fc.record({ column, is: text });
const field = fc.constantFrom(...REPAIRABLE);
const repair = fc.oneof(
  fc.record({ kind: fc.constant("take"), field, column, always: fc.boolean() }),
  fc.record({ kind: fc.constant("set"), field, value: text, where }, { requiredKeys: ["kind", "field", "value"] }),
  fc.record({
    kind: fc.constant("replace"),
    column,
    find: some,
    with: text,
    whole: fc.boolean(),
    any_case: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("swap"), where }),
);

test("undone repairs leave a row as it was, whatever they are, and nothing of its file is ever changed", () => {
  const cells = fc.array(text, { minLength: HEADER.length, maxLength: HEADER.length });
  fc.assert(
    fc.property(fc.array(repair, { maxLength: 6 }), cells, (repairs, row) => {
      const before = [...row];
      const h = how(...repairs);
      const undone = { ...h, repairs: h.repairs.map((each) => ({ ...each, undone: { by: null, at: each.at } })) };
      queryInFile(row, h);
      expect(row).toEqual(before);
      expect(queryInFile(row, undone)).toEqual(queryInFile(row, how()));
      expect(changesIn(row, how(), undone)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("the next edition begins with those that count, before its own, each once", () => {
  const [one, two, three] = [1, 2, 3].map((at) => kept({ kind: "set", field: "country", value: `${at}` }, at));
  if (!one || !two || !three) throw new Error("none");
  const undone = { ...two, undone: { by: null, at: two.at } };
  expect(repairsForNext([one, undone, { ...three, isUnderWay: true }], [])).toEqual([one, three]);
  expect(repairsForNext([one, two], [undone, three])).toEqual([one, undone, three]);
  expect(beforeChange([one, { ...two, isUnderWay: true }])).toEqual([one]);
  expect(
    beforeChange([{ ...one, isUnderWay: true, undone: { by: null, at: "" } }, undone]).map(({ id }) => id),
  ).toEqual(["r1"]);
});

test.each([
  ["a kind that there is not", { kind: "regex", column: "name", find: "a", with: "" }],
  ["a field that is no text", { kind: "set", field: "id", value: "1" }],
  ["nothing to find", { kind: "replace", column: "name", find: "", with: "" }],
  ["a value that is too long", { kind: "set", field: "city", value: "x".repeat(301) }],
  ["a key that there is not", { kind: "set", field: "city", value: "x", when: "now" }],
  ["points off the earth", { kind: "swap", around: [{ lat: 91, lng: 0 }] }],
])("%s is refused", (_what, json) => {
  expect(() => parseRepairs([json])).toThrow();
});
