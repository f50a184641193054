import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { longestWait } from "../../../bench/support/longest-wait.ts";
import { openApart, type Work } from "../../../src/files/formats/apart.ts";
import { MOST_HEAP, OUT_OF_MEMORY, OUT_OF_TIME } from "../../../src/files/formats/base/limits.ts";
import { sourceOfPieces } from "../../../src/files/formats/base/source.ts";
import { openFile } from "../../../src/files/formats/convert.ts";
import { startFiles } from "../file/reader.ts";
import { textRows, workbookOf, zipOf } from "./workbooks.ts";

const { database, upload, fileRows } = await startFiles();
const MB = 1024 * 1024;

const unlike = (at: number): string => createHash("sha256").update(`${at}`).digest("base64");

describe("F75: a file is read whole, whatever its size and its writer:", () => {
  // As 130,000 rows of short texts, which take long to read.
  test("F75: Parquet of DuckDB, one page of each of 20 columns, 78 MB together", async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "samespot-")), "wide.parquet");
    const duck = await (await DuckDBInstance.create()).connect();
    const columns = Array.from({ length: 20 }, (_, at) => `repeat(md5((i * 20 + ${at})::text), 17) AS c${at}`);
    await duck.run(`COPY (SELECT ${columns.join(", ")} FROM range(7500) r(i)) TO '${file}' (FORMAT parquet)`);
    const bytes = readFileSync(file);
    const source = sourceOfPieces(bytes.length, async (start, end) => bytes.subarray(start, end));
    const work = { kind: "parquet", encoding: "utf-8", sheet: undefined, mostColumns: 500, mostRows: 1e6 } as const;
    let text = "";
    for await (const piece of (await openApart(source, work, new AbortController().signal)).bytes)
      text += piece.toString("latin1");
    const md5 = (number: number) => createHash("md5").update(String(number)).digest("hex");
    const rows = text.trim().split("\n");
    expect(rows).toHaveLength(7501);
    const wrong = rows.findIndex((row, line) => line > 0 && !isRow(row, line - 1));
    expect(wrong).toBe(-1);
    function isRow(row: string, at: number): boolean {
      return [0, 7, 19].every((column) => row.includes(md5(at * 20 + column).repeat(17)));
    }
  });

  test("F75: workbook whose sheet has a megabyte packed", async () => {
    const table = Array.from({ length: 12_000 }, (_, at) => [String(at), unlike(at), unlike(-at), unlike(at / 2)]);
    const book = await workbookOf({ sheets: [{ name: "A", rows: textRows([["id", "name", "a", "b"], ...table]) }] });
    expect(book.length).toBeGreaterThan(MB);
    const rows = await fileRows((await upload(book)).id);
    expect(rows.map(({ cells }) => cells)).toEqual(table);
  });
});

const ONE_PART = {
  "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${Array.from({ length: 200 }, (_, at) => `<sheet name="${at}" r:id="r${at}"/>`).join("")}</sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships>${Array.from({ length: 200 }, (_, at) => `<Relationship Id="r${at}" Target="a.xml"/>`).join("")}</Relationships>`,
};
const blankRows = (at: number) => `<row r="${at}"><c r="A${at}" s="${at % 7919}"/></row>`;
const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

describe("F74: what would be read for ever is refused soon:", () => {
  test.each<[string, Work["kind"], () => string | Promise<Buffer>, RegExp]>([
    [
      "200 sheets that name one part of 20 MB",
      "zip",
      () =>
        zipOf({ ...ONE_PART, "xl/a.xml": sheetOf(Array.from({ length: 550_000 }, (_, at) => blankRows(at)).join("")) }),
      /no sheet with text/,
    ],
    ["one brace and 260,000 blanks", "json", () => `{${" ".repeat(260_000)}}`, /no records/],
    ["a string of nothing but backslashes", "json", () => `[{"a":1},"${"\\".repeat(16 * MB)}`, /read/],
    ["a million objects without a line end", "json", () => `[${"{},".repeat(1e6)}{}]`, /more than 1,000,000 rows/],
  ])("F74: %s", async (_, kind, make, words) => {
    const file = Buffer.from(await make());
    const source = sourceOfPieces(file.length, async (start, end) => file.subarray(start, end));
    const how = { encoding: "utf-8", sheet: undefined, mostColumns: 500, mostRows: 1e6 } as const;
    const { result, total } = await longestWait(async () => {
      try {
        const { bytes } = await openFile(source, { kind, size: file.length, ...how });
        for await (const _ of bytes);
        return "read";
      } catch (error) {
        return String(error);
      }
    });
    expect(result).toMatch(words);
    expect(total).toBeLessThan(10_000); // of a processor; what is read for ever takes minutes
  });

  test("F74: a file whose sender leaves is not read on, and nothing of it stays", async () => {
    const gone = new AbortController();
    const rows = Array.from({ length: 200_000 }, (_, at) => ({ id: at, name: `Place ${at}` }));
    setTimeout(() => gone.abort(new Error("The sender left.")), 50);
    await expect(upload(JSON.stringify(rows), {}, gone.signal)).rejects.toThrow("The sender left.");
    expect(await database.prisma.filePart.count()).toBe(await stored());
  });
  const stored = async () =>
    database.prisma.filePart.count({ where: { harmonization: { state: { not: "uploading" } } } });
});

describe("F74: a process that reads a file ends", () => {
  test.each([
    "buffers one after another",
    "one buffer",
    "a list that grows",
    "a map that grows",
    "a text that is split",
  ])("F74: when it takes too much memory: %s", async (way) => expect(OUT_OF_MEMORY).toContain(await endOf({ way })));
  test("F74: when it takes too long", async () => expect(await endOf({ way: "no end" })).toBe(OUT_OF_TIME));
  test("F74: when the server has ended", async () => expect(await endOf({ way: "", parent: 1 })).toBe("SIGKILL"));
});

async function endOf(how: { way: string; parent?: number }): Promise<NodeJS.Signals | null> {
  const program = path.join(import.meta.dirname, "hungry-child.ts");
  const child = spawn(process.execPath, [`--max-old-space-size=${MOST_HEAP / MB}`, program, JSON.stringify(how)], {
    stdio: "ignore",
  });
  const [, signal] = await once(child, "exit");
  return signal;
}

test("F76: others wait for no directory of a zip file, however long it is", async () => {
  const zip = await zipOf(
    Object.fromEntries(Array.from({ length: 1900 }, (_, at) => [`${"n".repeat(200)}${at}.csv`, "a"])),
  );
  const { wait } = await longestWait(() => expect(upload(zip)).rejects.toThrow(/holds 1900 files/));
  expect(wait).toBeLessThan(100);
});
