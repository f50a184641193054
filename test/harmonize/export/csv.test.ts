import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRows } from "../../../src/files/formats/table.ts";
import { csvLines } from "../../../src/harmonize/export/csv.ts";

const SEPARATORS = [",", ";", "\t", "|"] as const;
const HEADER = ["a", "b", "c"];

async function readBack(text: string, separator: (typeof SEPARATORS)[number]): Promise<string[][]> {
  const found: string[][] = [];
  const format = { encoding: "utf-8", separator, hasHeader: false } as const;
  for await (const { cells } of readRows(Readable.from([Buffer.from(text)]), format, HEADER)) found.push(cells);
  return found;
}

// Parts of formulas, separators and plain text, in any order.
const parts = fc.constantFrom(
  ...["=1+1", "=", "+", "-", "@SUM(A1)", "＝1", "－", "'", '"', ",", ";", "\t", "|", "\n", " ", "\u00a0"],
  ...["x", "-71.4", "41.82", "+1 401 555 0144", "2+cmd|' /C calc'!A0", "- none -", "O'Neill", ""],
);
const cells = fc.array(parts, { maxLength: 7 }).map((some) => some.join(""));
const rows = fc.array(fc.tuple(cells, cells, fc.constant("row")), { minLength: 1, maxLength: 3 });
const property = (check: (rows: string[][], separator: (typeof SEPARATORS)[number]) => unknown) =>
  fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(...SEPARATORS), async (...given) => void (await check(...given))),
    {
      numRuns: 2000,
    },
  );

test("W15: an exported file has the same cells when read again, whatever their content", async () => {
  await property(async (rows, separator) => expect(await readBack(csvLines(rows, separator), separator)).toEqual(rows));
});

test("W15: numbers and phone numbers are not neutralised, and cells with other separators are quoted", () => {
  expect(csvLines([["-71.4", "+14015550100", "-1e5", "-71,4"]], ";")).toBe('-71.4;+14015550100;-1e5;"-71,4"\r\n');
  expect(csvLines([["41.82,-71.41", "41.82; -71.41", "Rd, - x"]])).toBe('"41.82,-71.41","41.82; -71.41","Rd, - x"\r\n');
  expect(csvLines([["-1+1", "+1 401", "=1", "@handle"]])).toBe("'-1+1,'+1 401,'=1,'@handle\r\n");
  const phones = ["+1 401 555 0144", "+33 401 555", "+1-401-555-0144", "+1 (401) 555-0144", "+41 31 555 01 00"];
  expect(csvLines([phones])).toBe(
    "+1 401 555 0144,'+33 401 555,'+1-401-555-0144,'+1 (401) 555-0144,+41 31 555 01 00\r\n",
  );
});

test.each(["-", "--", "---", "+", "=", "@", " - ", "－"])("W15: the lone sign %j comes back as it is", (sign) => {
  expect(csvLines([["a", sign, "b", sign]], ";")).toBe(`a;${sign};b;${sign}\r\n`);
});

test.each(SEPARATORS)(
  "W24: a lone sign before %j is neutralised if cells behind would make a formula of it",
  (sign) => {
    for (const behind of [["cmd|' /C calc'!A0"], ["2+cmd|' /C calc'!A0"], ["", "SUM(A1)"], ["1+", "x", "A1!B"]])
      expect(csvLines([["-", ...behind]], sign)).toMatch(/^'-/);
  },
);

test.each([
  ["\n=1+1", `"'\n'=1+1"`],
  ["\rx", `"'\rx"`],
  ["\tx", `"'\tx"`],
  [" =1+1", "' =1+1"],
  ['"=1+1', `"'""=1+1"`],
  ["x;=1+1;y", `"x;'=1+1;y"`],
  ['x;"=1+1"', `"x;'""=1+1"""`],
  ["x\t@SUM(A1)", `"x\t'@SUM(A1)"`],
  ["a\n=1", `"a\n'=1"`],
])("W24: the cell %j is neutralised in a file with commas", (cell, written) => {
  expect(csvLines([["a", cell]])).toBe(`a,${written}\r\n`);
});

test("W24: a negative number is neutralised if a spreadsheet with decimal commas would join it with the next cell to a formula", () => {
  expect(csvLines([["-1", "2+cmd|' /C calc'!A0"]])).toBe(`'-1,"2+cmd|' /C calc'!A0"\r\n`);
  expect(csvLines([["-71.4", "41.82", "Bar (old)"]])).toBe("-71.4,41.82,Bar (old)\r\n");
});

test("W24: no exported cell begins like a formula, even for a spreadsheet with another separator that drops blanks and quotes", async () => {
  await property((rows, separator) => {
    const text = csvLines(rows, separator);
    const own: string[][] = parse(text, { delimiter: separator, record_delimiter: "\r\n" });
    const others = SEPARATORS.filter((each) => each !== separator);
    const lines = text.split(/[\r\n]/);
    const harmful = (cell: string) => FORMULA.test(cell) && !HARMLESS.test(cell) && !LONE_SIGN.test(cell);
    const cells = [...own.flat(), ...others.flatMap((other) => lines.flatMap((line) => line.split(other)))];
    expect(cells.filter(harmful)).toEqual([]);
  });
});

const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
/**
 * A number that cannot become a formula: at the end of its cell, or before a separator; a decimal comma only if no
 * formula follows.
 */
const HARMLESS = /^[\s"]*(?:[-+]\d+(?:[.,]\d+)?|\+\d{1,4}(?: \d{1,12})+)(?=$|"|[;\t|]|,(?!\d[^,]*[(|!]))/;
/** Nothing follows it in its cell, or what follows calls and names nothing. */
const LONE_SIGN = /^[\s"]*(?:-+|[+=@＝＋－＠]) *"?(?:$|[,;\t|](?!.*[(!]))/;
