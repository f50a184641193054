import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headerOf, readRows, readTable } from "../../../src/files/formats/table.ts";
import { guessLayout } from "../../../src/files/guess/guess.ts";
import { readCsv } from "../../../src/shared/csv/csv.ts";
import { readLines } from "../../../src/shared/csv/lines.ts";
import { decodeText, type Encoding } from "../../../src/shared/csv/text.ts";
import { guessed } from "./encode.ts";

const SEPARATORS = [",", ";", "\t", "|"] as const;

/** Splits into small pieces, through characters and line ends. */
const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
  );

async function readAs(bytes: Buffer, encoding: Encoding, separator: (typeof SEPARATORS)[number] = ",", size = 7) {
  const found: unknown[] = [];
  const lines = readLines(decodeText(inPieces(bytes, size), encoding));
  for await (const record of readTable(lines, { separator })) found.push(record.cells);
  return found;
}

function encode(text: string, encoding: Encoding, mark: boolean): Buffer {
  const marked = mark ? `\uFEFF${text}` : text;
  if (encoding === "utf-16le") return Buffer.from(marked, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(marked, "utf16le").swap16();
  return Buffer.from(encoding === "utf-8" ? marked : text, encoding === "utf-8" ? "utf8" : "latin1");
}

const HEADER = ["name", "city"];
const rowsOf = async (text: string | Buffer, size = 11) => {
  const found = [];
  const format = { encoding: "utf-8", separator: ",", hasHeader: true } as const;
  for await (const row of readRows(inPieces(Buffer.from(text), size), format, HEADER)) found.push(row);
  return found;
};

describe("a well-formed file", () => {
  test("is read like csv-parse does, with every separator, encoding and line end", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", " ", '"', ",", ";", "\t", "|", "\n", "é", "ß"), maxLength: 6 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 5 });
    const how = fc.record({
      separator: fc.constantFrom(...SEPARATORS),
      encoding: fc.constantFrom<Encoding>("utf-8", "utf-16le", "utf-16be", "windows-1252"),
      end: fc.constantFrom("\n", "\r\n", "\r"),
      mark: fc.boolean(),
      size: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(table, how, async (cells, { separator, encoding, end, mark, size }) => {
        const quoted = (text: string) => (/[",;\t|\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const text = cells.map((row) => row.map(quoted).join(separator) + end).join("");
        const parsed = parse(text, { delimiter: separator, record_delimiter: end, relax_column_count: true });
        const expected = parsed.filter((row) => row.some((cell) => cell.trim() !== "")); // rows without text are left out
        expect(await readAs(encode(text, encoding, mark), encoding, separator, size)).toEqual(expected);
      }),
    );
  });

  test.each<[string, Buffer, Encoding]>([
    ["UTF-8", encode("name,city\nCafé,Genève\n", "utf-8", false), "utf-8"],
    ["UTF-8 with a mark", encode("name\nCafé\n", "utf-8", true), "utf-8"],
    ["ASCII", Buffer.from("name\nCafe\n"), "utf-8"],
    ["UTF-16 with a mark", encode("name,city\nCafé,Genève\n", "utf-16le", true), "utf-16le"],
    ["UTF-16 big-endian with a mark", encode("name\nCafé\n", "utf-16be", true), "utf-16be"],
    ["UTF-16 without a mark", encode("name,city\nCafé,Genève\n", "utf-16le", false), "utf-16le"],
    ["UTF-16 big-endian without a mark", encode("name\nCafé\n", "utf-16be", false), "utf-16be"],
    ["Windows-1252", encode("name,city\nCafé,Genève\n", "windows-1252", false), "windows-1252"],
    ["UTF-8 with one broken byte", Buffer.concat([Buffer.from("Café, Genève, Köln"), Buffer.from([0xe9])]), "utf-8"],
  ])("W12: in %s is recognized as such", async (_, bytes, encoding) => {
    expect(await guessed(bytes)).toBe(encoding);
  });
});

describe("W12: an irregular file", () => {
  test("may mix CR, CRLF and LF", async () => {
    expect(await readAs(Buffer.from("a,1\rb,2\r\nc,3\n\r\n\rd,4"), "utf-8", ",", 1)).toEqual(
      ["a1", "b2", "c3", "d4"].map((row) => [...row]),
    );
  });

  test("gets a unique name for each column", () => {
    const cells = ["Name", "name", "Name", "__proto__", "", "Name (2)", "constructor", "a\nb"];
    expect(headerOf({ line: 1, cells, isEnded: true }, true, 500)).toEqual([
      ...["Name", "name", "Name (2)", "__proto__", "Column 5", "Name (2) (2)", "constructor", "a b"],
    ]);
    expect(headerOf({ line: 1, cells: ["x", "y"], isEnded: true }, false, 500)).toEqual(["Column 1", "Column 2"]);
  });

  test("W14: keeps every row, padded or failed with its line and a reason", async () => {
    const bytes = Buffer.concat([
      Buffer.from('name,city\nshort\n\n,,\na,b,c,d\n"open,x\nnul\0,y\nCaf'),
      Buffer.from([0xe9]),
      Buffer.from(',z\n"two\nlines",end'),
    ]);
    expect(await rowsOf(bytes)).toEqual([
      { line: 2, cells: ["short", ""] },
      {
        line: 5,
        cells: ["a", "b"],
        problem: { code: "too_many_cells", cells: 4, columns: 2, value: "c d" },
      },
      {
        line: 6,
        cells: ['"open,x', ""],
        problem: { code: "unreadable_line", line: 6, why: "open" },
      },
      { line: 7, cells: ["nul␀", "y"] },
      { line: 8, cells: ["Caf\uFFFD", "z"] },
      { line: 9, cells: ["two\nlines", "end"] },
    ]);
  });

  test("W11: with a row of 10 MB loses only that row", async () => {
    const rows = await rowsOf(`name,city\nbefore,x\n${"a".repeat(10_000_000)}\nafter,y\n`, 65_536);
    const codes = rows.map(({ line, problem }) => [line, problem?.code ?? "fine"].join(" "));
    expect(codes).toEqual(["2 fine", "3 unreadable_line", "4 fine"]);
  });

  test("W11: with a line longer than the longest string uses little memory", async () => {
    const much = "a".repeat(6_000_000);
    async function* pieces() {
      yield "before\n";
      for (let number = 0; number < 90; number += 1) yield much;
      yield "\nafter\n";
    }
    const found: string[] = [];
    for await (const lines of readLines(pieces()))
      for (const { number, text, isTooLong } of lines) found.push(`${number} ${isTooLong ? text.length : text}`);
    expect(found).toEqual(["1 before", "2 1000", "3 after"]);
  });

  test("W11: with an unclosed quote loses only that line", async () => {
    const rest = Array.from({ length: 3000 }, (_, index) => `${index},x\n`).join("");
    const rows = await rowsOf(`name,city\n"open,x\n${rest}`);
    expect(rows.filter(({ problem }) => problem)).toMatchObject([{ line: 2 }]);
    expect(rows).toHaveLength(3001);
  });

  test("W11: with a line of 400,000 cells rejects it before splitting it", async () => {
    const { value: record } = await readCsv(readLines(Readable.from([`${"a,".repeat(400_000)}\n`])), {
      separator: ",",
    }).next();
    expect(record).toMatchObject({ line: 1, problem: "many" });
    expect(record?.cells).toBeUndefined();
  });

  test("W15: loses only apostrophes that an export put before a formula", async () => {
    const rows = await rowsOf("name,city\n'=1+1,'-71.4\n'＠x,''=x\n'tis,-71.4\nx;'=1;'y,x;' \"\"=1\n");
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["=1+1", "-71.4"],
      ["＠x", "'=x"],
      ["'tis", "-71.4"],
      ["x;=1;'y", 'x; ""=1'],
    ]);
  });
});

describe("the layout of a file", () => {
  const guess = (text: string) =>
    guessLayout(Buffer.from(text), { isWhole: true, encoding: "utf-8", mostColumns: 500 });

  test.each([
    [
      "Filiale;Breitengrad;Längengrad;PLZ;Ort;Straße;Telefon\nA;41,82;-71,41;02903;Bern, Bümpliz;Weg 1;+41 31 555 01 00\n",
      [";", { name: 0, lat: 1, lng: 2, zip: 3, city: 4, address: 5, phone: 6 }],
    ],
    ["Nom\tAdresse\tCode postal\tVille\nA\tb\t75001\tParis\n", ["\t", { name: 0, address: 1, zip: 2, city: 3 }]],
    ["nombre|código postal|teléfono\nA|28001|910000000\n", ["|", { name: 0, zip: 1, phone: 2 }]],
    ['Store Name,Store ID,Coordinates\nA,7,"41.8, -71.4"\nB,8,"41.9, -71.5"\n', [",", { name: 0, id: 1, ll: 2 }]],
    ["Shop phone (main),NAME_EN,Y,X\n401-555-0100,A,41.82,-71.41\n", [",", { phone: 0, name: 1, lat: 2, lng: 3 }]],
  ])("is guessed from the column names: %s", async (text, [separator, columns]) => {
    expect(await guess(text)).toMatchObject({ format: { separator, hasHeader: true }, columns });
  });

  test("is guessed from the content of the columns if there is no header", async () => {
    const text = "A-17,Joe's Pizza,-71.4136,41.8222,(401) 555-0100\nA-18,Ann's Pub,-141.4122,41.83,(401) 555-0102\n";
    const { format, columns, header } = await guess(text);
    expect(format).toMatchObject({ separator: ",", hasHeader: false });
    expect(columns).toEqual({ id: 0, name: 1, lng: 2, lat: 3, phone: 4 });
    expect(header[4]).toBe("Column 5");
  });
});
