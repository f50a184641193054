import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLines } from "../../src/harmonize/export-csv.ts";
import { readRows } from "../../src/harmonize/file/table.ts";

test("W15: no cell begins as a formula does, numbers stay as they are, and what is read again is as it was", async () => {
  const begins = fc.constantFrom("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠", "'", '"', ",", "");
  const cell = fc
    .tuple(begins, fc.string({ unit: "grapheme" }))
    .map(([begin, rest]) => (begin + rest).replace(/[\0\r]/g, "").replace(/^'(?=[=+\-@\t\r＝＋－＠])/, ""));
  const table = fc.array(fc.tuple(fc.constant("row"), cell, cell), { minLength: 1 });
  const property = fc.asyncProperty(table, async (rows) => {
    const text = csvLines(rows);
    const written: string[][] = parse(text, { record_delimiter: "\r\n" });
    for (const each of written.flat()) expect(/^[=+\-@\t\r＝＋－＠]/.test(each) && !/^[-+]\d/.test(each)).toBe(false);
    const back: string[][] = [];
    const format = { encoding: "utf-8", separator: ",", hasHeader: false } as const;
    for await (const { cells } of readRows(Readable.from([Buffer.from(text)]), format, ["a", "b", "c"]))
      back.push(cells);
    expect(back).toEqual(rows);
  });
  await fc.assert(property, { numRuns: 200 });
  expect(csvLines([["-71.4", "+14015550100", "-1e5", "-71,4"]], ";")).toBe("-71.4;+14015550100;-1e5;-71,4\r\n");
  expect(csvLines([["\rx", "a\rb", "a\nb"]])).toBe(`"'\rx","a\rb","a\nb"\r\n`);
  expect(csvLines([["-1+1", "+1 401", "-", "=1"]])).toBe("'-1+1,'+1 401,'-,'=1\r\n");
  const phones = ["+1 401 555 0144", "+33 401 555", "+1-401-555-0144", "+1 (401) 555-0144", "+41 31 555 01 00"];
  expect(csvLines([phones])).toBe(
    "+1 401 555 0144,'+33 401 555,'+1-401-555-0144,'+1 (401) 555-0144,+41 31 555 01 00\r\n",
  );
});
