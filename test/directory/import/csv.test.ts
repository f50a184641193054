import path from "node:path";
import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCsv } from "../../../src/shared/csv/csv.ts";
import { readLines } from "../../../src/shared/csv/lines.ts";
import { decodeText } from "../../../src/shared/csv/text.ts";
import { KnownError } from "../../../src/shared/errors.ts";
import { categoryId } from "../api/host.ts";
import { HEADER, importing, rows } from "./importing.ts";

const { folder, write, run, venues } = await importing();

describe("a CSV import", () => {
  test("accepts quotes, a byte order mark and CRLF line ends", async () => {
    const text = `\uFEFF${HEADER}1,"Joe ""The Man"", Inc",41.8,-71.4,"New\nTown",+1 401 555 0100,Coffee Shop\n`;
    const result = await run(write("windows.csv", text.replaceAll("\n", "\r\n")));
    expect(result).toMatchObject({ imported: 1, refused: 0, leftOut: {}, problems: [] });
    expect(await venues()).toMatchObject([
      {
        name: 'Joe "The Man", Inc',
        name_norm: "joe the man inc",
        city: "New Town",
        lat: 41.8,
        lng: -71.4,
        phone: "+1 401 555 0100",
        category_id: categoryId("Coffee Shop"),
      },
    ]);
  });

  test("F127: reads quotes as they are said to be written", async () => {
    const file = write("quotes.csv", `${HEADER}1,"C:\\\\new",41.8,-71.4,Town,,\n`);
    await run(file);
    await run(file, { source: "again", quotes: "backslash" });
    expect((await venues()).map(({ name }) => name).sort()).toEqual(["C:\\\\new", "C:\\new"]);
  });

  test("skips only invalid lines, and reports each with its number and reason", async () => {
    const wrong = [
      "a,,41.8,-71.4",
      "b,No point,,-71.4",
      "c,North of all,91,0x10",
      'd,"Open quote,41.8,-71.4',
      'e,"Joe" Pub,41.8,-71.4',
      "f,Too long,1,2,Town,,,,more",
      `g,${"x".repeat(201)},1,2`,
    ];
    const seen: unknown[] = [];
    const file = write("wrong.csv", `${HEADER}${rows(1)}${wrong.join("\n")}\n${rows(2, 10)}h,Cut`);
    const result = await run(file, { onProblem: ({ line }) => seen.push(line) });
    expect(result).toMatchObject({ imported: 3, refused: 8 });
    expect(seen).toEqual([3, 4, 5, 6, 7, 8, 9, 12]);
    expect(result.problems).toEqual([
      { line: 3, problem: "name is missing" },
      { line: 4, problem: "lat is missing" },
      { line: 5, problem: "lng “0x10” is not a position" },
      { line: 6, problem: "a quote is opened and not closed" },
      { line: 7, problem: expect.stringContaining("closing quote") },
      { line: 8, problem: "has 9 cells, but the header 7" },
      { line: 9, problem: "name may have at most 200 characters" },
      { line: 12, problem: "the file ends in the middle of it" },
    ]);
  });

  test("imports a venue without an invalid phone or category", async () => {
    const result = await run(
      write("odd.csv", `${HEADER}1,Cafe,41.8,-71.4,Town,0,Nothing we know\n2,Bar,41.8,-71.4,Town,4015550123,\n`),
    );
    expect(result).toMatchObject({ imported: 2, refused: 0, leftOut: { phone: 1, category: 1 }, unused: {} });
    expect(await venues()).toMatchObject([
      { name: "Bar" },
      { city: "Town", phone: null, phone_norm: null, category_id: null },
    ]);
  });

  test("rejects the names that venues/add rejects, and keeps the line breaks of a description", async () => {
    const header = "name,lat,lng,description\n";
    const result = await run(write("names.csv", `${header}\u3164,41.8,-71.4,\nCafe,41.8,-71.4,"Two\r\nlines"\n`));
    expect(result.problems).toEqual([{ line: 2, problem: "name must hold a letter or a digit" }]);
    expect(await venues()).toMatchObject([{ name: "Cafe", description: "Two\nlines" }]);
  });

  test.each([
    ["no such file", "missing.csv", undefined, /missing\.csv does not exist/],
    ["another kind", "venues.pdf", "%PDF-1.7 …", /is a PDF/],
    [
      "no lat and lng",
      "short.csv",
      "id;name;lng\n1;Cafe;2\n",
      /No column says lat\. .*The columns are 1 id, 2 name, 3 lng\./,
    ],
    ["no rows", "empty.csv", HEADER, /only one line/],
    ["a line without end", "endless.ndjson", "x".repeat(3_000_000), /longer than a million/],
    ["no collection", "object.geojson", "{}", /has no records/],
    ["no JSON", "broken.json", "{", /has no records|not valid JSON/],
  ])("fails on %s without deleting anything under --replace", async (_, name, content, message) => {
    await run(write("before.csv", HEADER + rows(1)));
    const file = content === undefined ? path.join(folder, name) : write(name, content);
    const error = await run(file, { replace: true }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KnownError);
    expect((error as Error).message).toMatch(message);
    expect(await venues()).toHaveLength(1);
  });

  test("reads a well-formed file as csv-parse does", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", " ", '"', ",", "\n", "é"), maxLength: 6 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, async (cells) => {
        const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const text = cells.map((row) => `${row.map(quoted).join(",")}\n`).join("");
        const found: unknown[] = [];
        const lines = readLines(decodeText(Readable.from([Buffer.from(text)]), "utf-8"));
        for await (const record of readCsv(lines, { separator: "," })) found.push(record.cells);
        const expected: string[][] = parse(text);
        expect(found).toEqual(expected.filter((row) => row.some((each) => each.trim() !== "")));
      }),
    );
  });
});
