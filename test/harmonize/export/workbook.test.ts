import fc from "fast-check";
import { expect, test } from "vitest";
import { sourceOfPieces } from "../../../src/files/formats/base/source.ts";
import { openZip } from "../../../src/files/formats/base/zip.ts";
import { isShownWithDigits, serialOf, typeOf } from "../../../src/files/formats/xlsx/cell-types.ts";
import { readWorkbook } from "../../../src/files/formats/xlsx/workbook.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import type { TableFormat } from "../../../src/harmonize/export/formats.ts";
import { startFiles } from "../file/reader.ts";
import { inline, workbookOf } from "../formats/workbooks.ts";

const { deps, uploadAndRead, listings, load } = await startFiles();

const NAMES = ["name", "lat", "lng", "zip", "seats", "phone", "mixed", "opened", "seen", "at", "id", "open", "share"];
const number = (reference: string, value: string, style?: number) =>
  `<c r="${reference}"${style === undefined ? "" : ` s="${style}"`}><v>${value}</v></c>`;
const truth = (reference: string, value: 0 | 1) => `<c r="${reference}" t="b"><v>${value}</v></c>`;
/** Style 1 fills up with zeros, 2 and 3 are times, 4 is of percentages, 5 the built-in date. */
const FORMATS = ["00000", "yyyy-mm-dd hh:mm:ss", "hh:mm:ss", "0.0%;[Red]-0.0%"];
const SHEET = [
  `<row r="1">${NAMES.map((name, at) => inline(`${String.fromCharCode(65 + at)}1`, name)).join("")}</row>`,
  `<row r="2">${[
    ...[inline("A2", "Café Ann"), number("B2", "41.8236"), number("C2", "-71.4222"), number("D2", "2857", 1)],
    ...[number("E2", "12"), inline("F2", "+1 401 555 0100"), number("G2", "7"), number("H2", "45351", 5)],
    ...[number("I2", "45351.75", 2), number("J2", "0.75", 3), inline("K2", "00000012345678901234"), truth("L2", 1)],
    number("M2", "0.25", 4),
  ].join("")}</row>`,
  `<row r="3">${[
    ...[inline("A3", "=1+1"), number("B3", "41.8246"), number("C3", "-71.4"), number("D3", "90210", 1)],
    ...[number("E3", "-3.5"), number("F3", "4015550101"), inline("G3", "007"), inline("H3", "soon")],
    ...[number("I3", "1"), inline("K3", "12"), truth("L3", 0)],
    number("M3", "-0.0714", 4),
  ].join("")}</row>`,
  `<row r="4">${inline("A4", "Third")}${number("B4", "41.8")}${number("C4", "-71.4")}${inline("G4", "8")}</row>`,
].join("");

const workbook = () => workbookOf({ sheets: [{ name: "Places", rows: SHEET }], formats: FORMATS });

async function exported(run: Awaited<ReturnType<typeof uploadAndRead>>, format: TableFormat): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of exportText(deps, run, { format, hasCandidates: false })) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const sourceOf = (book: Buffer) => sourceOfPieces(book.length, async (start, end) => book.subarray(start, end));

/** Rows of its sheet, with numbers as numbers and styled ones as `style:number`. */
async function cellsOf(book: Buffer): Promise<(string | number)[][]> {
  const zip = await openZip(sourceOf(book));
  let text = "";
  for await (const piece of zip.open("xl/worksheets/sheet1.xml")) text += piece.toString();
  return [...text.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<c(?: s="(\d+)")?(?: t="(inlineStr|b)")?(?:\/>|>(.*?)<\/c>)/gs)].map(
      ([, style, type, cell = ""]) => {
        const [, value] = /<v>(.*)<\/v>/.exec(cell) ?? [];
        if (value !== undefined) return style ? `${style}:${value}` : type === "b" ? `b:${value}` : Number(value);
        return cell.replace(/<[^>]*>/g, "");
      },
    ),
  );
}

test("numbers, percentages, dates and truth values of a workbook keep their type in its export as a workbook, and texts stay texts", async () => {
  const run = await uploadAndRead(await workbook());
  const [header = [], first = [], second = [], third = []] = await cellsOf(await exported(run, "xlsx"));
  expect(header.slice(0, NAMES.length)).toEqual(NAMES);
  const [date, dateTime, time] = ["1:45351", "3:45351.75", "2:0.75"];
  expect(first.slice(0, 13)).toEqual([
    ...["Café Ann", 41.8236, -71.4222, "10:2857", 12, "+1 401 555 0100", "7"],
    ...[date, dateTime, time, "00000012345678901234", "b:1", "4:0.25"],
  ]);
  expect(second.slice(0, 13)).toEqual([
    ...["=1+1", 41.8246, -71.4, "10:90210", -3.5, 4015550101, "007", "soon", 1, "", "12", "b:0", "5:-0.0714"],
  ]);
  expect(third.slice(0, 7)).toEqual(["Third", 41.8, -71.4, "", "", "", "8"]);
});

test("a workbook that was exported and uploaded again is the same, also in its types", async () => {
  const run = await uploadAndRead(await workbook());
  const again = await uploadAndRead(await exported(run, "xlsx"));
  const cells = async (id: string) => (await listings(id)).map((listing) => listing.cells.slice(0, NAMES.length));
  expect(await cells(again.id)).toEqual(await cells(run.id));
  const own = (await load(run.id)).format.types;
  expect(own).toEqual({ numbers: [1, 2, 4, 5, 8], percents: [12], dates: [7, 8, 9], booleans: [11], filled: [[3, 5]] });
  expect((await load(again.id)).format.types).toMatchObject({
    ...{ percents: own?.percents, dates: own?.dates, booleans: own?.booleans, filled: own?.filled },
  });
});

test("F128: a column of numbers with zeros in front comes back as such only if every cell of digits in it is one of them", async () => {
  type Cell = [value: string, style: 1 | 2 | 5 | "text"];
  const shown = ([value, style]: Cell) =>
    style === 1 ? value.padStart(5, "0") : style === 2 ? value.padStart(8, "0") : value;
  const digits = fc.integer({ min: 0, max: 1_234_567 }).map(String);
  const styles = fc.subarray([1, 2, 5, "text"] as const, { minLength: 1 });
  const column = styles.chain((some) =>
    fc.array(fc.tuple(digits, fc.constantFrom(...some)), { minLength: 2, maxLength: 6 }),
  );
  const xmlOf = ([value, style]: Cell, at: string) =>
    style === "text" ? inline(at, value.padStart(6, "0")) : number(at, value, style === 5 ? undefined : style);
  await fc.assert(
    fc.asyncProperty(column, async (cells) => {
      const rows = cells.map((cell, at) => `<row r="${at + 1}">${xmlOf(cell, `A${at + 1}`)}</row>`).join("");
      const book = await workbookOf({ sheets: [{ name: "A", rows }], formats: ["00000", "00000000"] });
      const zip = await openZip(sourceOf(book));
      const table = await readWorkbook(zip, { sheet: undefined, mostRows: 9 });
      const read: string[] = [];
      for await (const row of table.rows) read.push(row.cells[0] ?? "");
      const [, style] = cells[0] ?? [];
      const [[, width] = []] = table.format.types?.filled ?? [];
      for (const [at, cell] of cells.entries()) {
        const text = cell[1] === "text" ? cell[0].padStart(6, "0") : shown(cell);
        expect(read[at]).toBe(text);
        // What is written as a number reads as it did, and is a number already.
        if (width !== undefined && isShownWithDigits(width, text)) {
          expect(String(Number(text)).padStart(width, "0")).toBe(text);
          expect(cell[1]).not.toBe("text");
        }
      }
      const isOfOne = typeof style === "number" && style < 5 && cells.every((cell) => cell[1] === style);
      if (isOfOne && shown(cells[0] ?? ["", 1]).length === (style === 1 ? 5 : 8))
        expect(width).toBe(style === 1 ? 5 : 8);
    }),
  );
});

test("a list that came as CSV has texts only in a workbook", async () => {
  const run = await uploadAndRead("name,lat,lng,seats\nAnn,41.8,-71.4,12\n");
  const [, row = []] = await cellsOf(await exported(run, "xlsx"));
  expect(row.slice(0, 4)).toEqual(["Ann", "41.8", "-71.4", "12"]);
});

test.each([
  ["2024-02-29", 45_351],
  ["1900-02-28", 59],
  ["1900-03-01", 61],
  ["1900-01-01", 1],
  ["18:00:00", 0.75],
  ["2024-02-29T18:00:00", 45_351.75],
  ["2023-02-29", undefined],
  ["2024-13-01", undefined],
  ["24:00:00", undefined],
  ["1899-12-31", undefined],
  ["T18:00:00", undefined],
  ["2024-02-29 18:00:00", undefined],
  ["", undefined],
])("Excel keeps %s as %s", (text, serial) => {
  expect(serialOf(text)?.value).toBe(serial);
});

test.each(["1", "-1", "0", "0.5", "-71.4222", "123456789012345"])("%s is a number", (text) =>
  expect(typeOf(text)).toBe("number"),
);
test.each(["01", "+1", "1.", ".5", "1e5", "1,5", "1234567890123456", "", " 1", "NaN", "-", "%", "1 %", "01%"])(
  "“%s” is a text",
  (text) => expect(typeOf(text)).toBe("text"),
);

test("a percentage of a workbook reads as its cell shows it", async () => {
  const run = await uploadAndRead(await workbook());
  expect((await listings(run.id)).map(({ cells }) => cells[NAMES.length - 1] ?? "")).toEqual(["25%", "-7.14%", ""]);
});
