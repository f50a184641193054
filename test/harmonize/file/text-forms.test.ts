import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FileFormat } from "../../../src/files/format.ts";
import { readRows } from "../../../src/files/formats/table.ts";
import { guessLayout } from "../../../src/files/guess/guess.ts";

/** Reads a text with the format as guessed, but for what is said. */
async function read(text: string, said: Partial<FileFormat> = {}) {
  const bytes = Buffer.from(text);
  const { format, header } = await guessLayout(bytes, { isWhole: true, encoding: "utf-8", mostColumns: 50, ...said });
  const rows = [];
  for await (const { cells, problem } of readRows(Readable.from([bytes]), format, header))
    rows.push(problem ? problem.code : cells);
  return { format, header, rows };
}

const HEADER = ["id", "name", "city", "note"];
const SEPARATORS = [",", ";", "\t", "|"] as const;
const doubled = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe("F116: what a database exports with backslashes", () => {
  type Escape = (cell: string | null, separator: string) => string;
  const behind = (cell: string, signs: RegExp) => cell.replace(signs, "\\$&");
  const WRITERS: Record<string, Escape> = {
    "all in quotes": (cell) => (cell === null ? "\\N" : `"${behind(cell, /["\\]/g)}"`),
    "all in quotes, line ends escaped": (cell) => (cell === null ? "\\N" : `"${behind(cell, /["\\\n]/g)}"`),
    "no quotes": (cell, separator) =>
      cell === null ? "\\N" : cell.replace(/["\\\n]/g, "\\$&").replaceAll(separator, `\\${separator}`),
    "quotes where needed": (cell, separator) =>
      cell === null ? "\\N" : cell.includes(separator) || /["\\\n]/.test(cell) ? `"${behind(cell, /["\\]/g)}"` : cell,
  };
  const cell = fc.string({ unit: fc.constantFrom("a", "B", " ", '"', ",", ";", "\\", "é", "a\na"), maxLength: 6 });
  const row = fc.tuple(cell, fc.option(cell, { freq: 3 })).map(([name, note]) => [`x${name}`, "Rome", note] as const);

  test.each(Object.keys(WRITERS))("comes back cell by cell: %s", async (how) => {
    const written = WRITERS[how] ?? expect.fail();
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(...SEPARATORS),
        async (rows, sign) => {
          const all = [
            ...rows,
            ['Joe "the Lark", really', "Rome", null] as const,
            ['5" pipe', "Bonn", "a\\b"] as const,
          ];
          const cells = all.map((each, at) => [`N${at}`, ...each]);
          const text = [HEADER, ...cells].map((each) => each.map((one) => written(one, sign)).join(sign)).join("\n");
          const found = await read(text);
          expect(found.format).toMatchObject({ separator: sign, isEscaped: true });
          expect(found.rows).toEqual(cells.map((each) => each.map((one) => one ?? "")));
        },
      ),
    );
  });

  test("in columns with tabs between also has letters for line ends and tabs", async () => {
    const { rows } = await read("id\tname\tcity\n1\tJoe\\tPub\\nBar\t\\N\n2\tC:\\\\new\tRome\n");
    expect(rows).toEqual([
      ["1", "Joe\tPub\nBar", ""],
      ["2", "C:\\new", "Rome"],
    ]);
  });

  test("is read row by row where the rest of the file is not like that, and so beyond what the guess looks at", async () => {
    const plain = Array.from({ length: 6000 }, (_, at) => `${at},"Joe, ""the"" ${at}","C:\\"`);
    const { rows, format } = await read(["id,name,note", ...plain, '9,"the \\"Lark\\"","x, y"'].join("\n"));
    expect(format).not.toHaveProperty("isEscaped");
    expect(rows.at(-1)).toEqual(["9", 'the "Lark"', "x, y"]);
    expect(rows[0]).toEqual(["0", 'Joe, "the" 0', "C:\\"]);
  });

  test("F127: is read so, or as it stands, if the owner says so, whatever would be guessed", async () => {
    const part = fc.constantFrom("a", "\\\\", "\\N", '\\"', "b", ",", "C:\\new");
    const written = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""));
    const plain = (cell: string) => cell.replace(/\\(["\\])/g, "$1");
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 2, maxLength: 6 }), async (cells) => {
        const text = ["id,name,note", ...cells.map((cell, at) => `${at},"x","y${cell}"`), "n,x,\\N"].join("\n");
        const escaped = await read(text, { isEscaped: true });
        expect(escaped.format.isEscaped).toBe(true);
        expect(escaped.rows).toEqual([...cells.map((cell, at) => [`${at}`, "x", `y${plain(cell)}`]), ["n", "x", ""]]);
        fc.pre(!cells.some((cell) => cell.includes('"')));
        const asItStands = await read(text, { isEscaped: false });
        expect(asItStands.format.isEscaped).toBe(false);
        expect(asItStands.rows).toEqual([...cells.map((cell, at) => [`${at}`, "x", `y${cell}`]), ["n", "x", "\\N"]]);
      }),
    );
  });

  test("is nothing that a file with doubled quotes is taken for, whatever its backslashes", async () => {
    const free = fc.string({ unit: fc.constantFrom("a", "\\", '"', ",", " ", "\n"), maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(free, free), { minLength: 1, maxLength: 9 }), async (rows) => {
        const cells = rows.map(([name, note], at) => [`N${at}`, `x${name}`, "Rome", note]);
        fc.pre(!cells.flat().includes("\\N"));
        const found = await read([HEADER, ...cells].map((each) => each.map(doubled).join(",")).join("\n"));
        expect(found.rows).toEqual(cells);
      }),
    );
  });
});

describe("F116: lines that are one quoted cell each", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", " ", '"', ",", ";", "é", "a\na"), maxLength: 6 });
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 2, maxLength: 9 });
  const inner = (cells: readonly string[], sign: string) =>
    cells.map((one) => (/["\n]/.test(one) || one.includes(sign) ? doubled(one) : one)).join(sign);

  test.each<[string, (line: string, at: number) => string]>([
    ["all", doubled],
    ["all but the column names", (line, at) => (at === 0 ? line : doubled(line))],
    ["those with quotes", (line) => (line.includes('"') ? doubled(line) : line)],
    ["all, with separators that a spreadsheet added", (line) => `${doubled(line)};;;`],
  ])("are unwrapped: %s", async (_, wrap) => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(",", ";", "\t"), async (some, sign) => {
        const cells = [...some, ['Joe "the Lark"', `a${sign}b`]].map(([name = "", note = ""], at) => [
          ...[`N${at}`, `x${name}`, "Rome", note],
        ]);
        const text = [HEADER, ...cells].map((each, at) => wrap(inner(each, sign), at)).join("\r\n");
        expect((await read(text)).rows).toEqual(cells);
      }),
    );
  });

  test.each([
    ['"Address"', ['"14 Mill St, Lowport"', '"9 Main St, Lowport"', '"3 Elm St, Lowport"'], 1],
    ["name,note", ['"Joe, the Lark"', "Ann,x", '"Bea, B",'], 2],
    ["name,note", ['"Joe, the Lark"', "Ann,x", '"Bea, B"'], 2],
    ['"name","note"', ['"Joe, the Lark",""', '"Ann, B",'], 2],
    ['"Name"', ['"Joe, ""the"" Lark"', '"Ann, B"'], 1],
    ['"id","name"', ['"1","Joe, the Lark"', '"2","Ann, B"'], 2],
  ])("are none in %s: cells with commas stay as they are", async (header, lines, width) => {
    const found = await read([header, ...lines].join("\n"));
    expect(found.header).toHaveLength(width);
    expect(found.rows.flat()).toContain(
      width === 1 ? (lines[0] ?? "").slice(1, -1).replaceAll('""', '"') : "Joe, the Lark",
    );
  });
});

describe("F116: notes above the column names", () => {
  const TABLE = ["id,name,city,note", "1,Joe's Pizza,Rome,x", "2,Ann's Pub,Bern,y", "3,Bea's Bar,Lyon,z"];

  test.each([
    [["Our outlets"]],
    [["Exported on 3 November, by Ann, from the register, all countries"]],
    [["required,required,optional,optional"]],
    [["Number of the outlet,What the sign says,Where it is,Anything else"]],
    [["text,text,text,text", "max. 10,max. 60,max. 40,max. 200"]],
    [["A,B,C,D"]],
    [["A1,A2,A3,A4"]],
    [["", "Outlets 2026,,,", ",,,", "internal,public,public,internal"]],
    [Array.from({ length: 12 }, (_, at) => `Note ${at}: do not change, see page ${at}, or ask Ann, please`)],
  ])("are left out: %j", async (notes) => {
    const { header, rows } = await read([...notes, ...TABLE].join("\n"));
    expect([header, ...rows]).toEqual(TABLE.map((line) => line.split(",")));
  });

  test.each([
    [["Joe's Pizza,Rome,1", "Ann's Pub,Bern,2", "No,No,No", "Bea's Bar,Lyon,3"], 4],
    [["Joe's Pizza,Rome,Yes,Yes", "Name,Rome,No,No", "Ann's Pub,Bern,Yes,No"], 3],
    [["name,city", "Joe's Pizza,Rome", "name,city", "Ann's Pub,Bern"], 3],
    [["Place,Where", "Joe's Pizza,Rome", "City,Store", "Ann's Pub,Bern"], 3],
  ])("are none among rows: %j", async (lines, count) => {
    expect((await read(lines.join("\n"))).rows).toHaveLength(count);
  });
});
