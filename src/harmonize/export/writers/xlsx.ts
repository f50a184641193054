import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import {
  CELL_FORMATS,
  isShownWithDigits,
  MOST_DIGITS,
  percentOf,
  serialOf,
  typeOf,
} from "../../../files/formats/xlsx/cell-types.ts";
import { type ExportColumn, type ExportTable, type Pieces, valueIn } from "./table.ts";

/** Rows of a sheet, with the names in the first, by Excel's limit; characters of a cell. */
const MOST_ROWS = 1_048_576;
const LONGEST = 32_767;

/**
 * Writes a workbook, with as many sheets as the rows need. Its cells are typed as text, so that none is read as a formula; only
 * numbers, also with zeros in front, percentages, dates and truth values of the owner's workbook, and our scores, are numbers.
 */
export async function* writeXlsx(table: ExportTable): Pieces {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  const sheets = Math.max(Math.ceil(table.rowCount / (MOST_ROWS - 1)), 1);
  for (const [name, text] of Object.entries(partsOf(sheets))) zip.addBuffer(Buffer.from(text), name);
  const rows = rowsOf(table);
  for (let sheet = 1; sheet <= sheets; sheet += 1)
    zip.addReadStreamLazy(`xl/worksheets/sheet${sheet}.xml`, (add) => {
      add(null, Readable.from(sheetXml(table.columns, rows), { objectMode: false }));
    });
  zip.end();
  try {
    yield* output;
  } finally {
    output.destroy();
    await rows.return(undefined);
  }
}

/** Parts of a workbook by their names in it. A line with `{n}` is repeated for each sheet. */
const PARTS = {
  "[Content_Types].xml": template("content-types.xml"),
  "_rels/.rels": template("package-relationships.xml"),
  "xl/workbook.xml": template("workbook.xml"),
  "xl/_rels/workbook.xml.rels": template("workbook-relationships.xml"),
  "xl/styles.xml": template("styles.xml"),
};

const SHEET = template("sheet.xml");

/** Its lines without their indentation; the first is the XML declaration. */
function template(name: string): string[] {
  const text = readFileSync(new URL(`xlsx/${name}`, import.meta.url), "utf8");
  return text.trimEnd().split(/\n\s*/);
}

function partsOf(sheets: number): Record<string, string> {
  return Object.fromEntries(Object.entries(PARTS).map(([name, lines]) => [name, partXml(lines, sheets)]));
}

function partXml([declaration, ...lines]: string[], sheets: number): string {
  const numbered = (line: string, n: number) =>
    line.replaceAll("{n}", String(n)).replace("{of n}", n > 1 ? ` ${n}` : "");
  const each = (line: string) => Array.from({ length: sheets }, (_, at) => numbered(line, at + 1)).join("");
  const text = lines.map((line) => (line.includes("{n}") ? each(line) : line)).join("");
  const codes = FILLED.map(({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`).join("");
  const formats = text.replace("{count of codes}", String(FILLED.length)).replace("{codes}", codes);
  return `${declaration}\n${formats.replace("{count of formats}", String(FORMATS.length)).replace("{formats}", FORMATS.map(formatXml).join(""))}`;
}

const formatXml = (id: number): string =>
  `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0"${id ? ' applyNumberFormat="1"' : ""}/>`;

async function* rowsOf({ columns, pages }: ExportTable): AsyncGenerator<string> {
  for await (const rows of pages)
    for (const { cells } of rows)
      yield `<row>${cells.map((cell, at) => cellIn(cell, columns[at] ?? TEXT)).join("")}</row>`;
}

const TEXT = { kind: "text" } as const;

function cellIn(cell: string, column: Pick<ExportColumn, "kind" | "was" | "digits">): string {
  if (column.digits && isShownWithDigits(column.digits, cell))
    return `<c s="${STYLES.length + column.digits}"><v>${Number(cell)}</v></c>`;
  const type = typeOf(cell);
  if (type === "text" || !column.was?.(type)) return cellXml(valueIn(cell, column));
  if (type === "number") return `<c><v>${cell}</v></c>`;
  if (type === "boolean") return `<c t="b"><v>${Number(cell === "TRUE")}</v></c>`;
  const kept = type === "percent" ? percentOf(cell) : serialOf(cell);
  return kept ? `<c s="${STYLES.indexOf(kept.shown) + 1}"><v>${kept.value}</v></c>` : cellXml(cell);
}

const STYLES = Object.keys(CELL_FORMATS) as (keyof typeof CELL_FORMATS)[];
/** Formats of one digit, two, three … Numbers below are Excel's own. */
const FILLED = Array.from({ length: MOST_DIGITS }, (_, at) => ({ id: 164 + at, code: "0".repeat(at + 1) }));
const FORMATS = [0, ...STYLES.map((shown) => CELL_FORMATS[shown]), ...FILLED.map(({ id }) => id)];

function cellXml(value: string | number | null): string {
  if (value === null) return "<c/>";
  if (typeof value === "number") return `<c><v>${value}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(value.slice(0, LONGEST))}</t></is></c>`;
}

const PIECE = 64 * 1024;

async function* sheetXml(columns: ExportTable["columns"], rows: AsyncGenerator<string>): AsyncGenerator<string> {
  const [begin, end] = partXml(SHEET, 1).split("{rows}");
  const names = columns.map(({ name }) => cellXml(name)).join("");
  let text = `${begin}<row>${names}</row>`;
  for (let count = 1; count < MOST_ROWS; count += 1) {
    const { value, done } = await rows.next();
    if (done) break;
    text += value;
    if (text.length < PIECE) continue;
    yield text;
    text = "";
  }
  yield `${text}${end}`;
}

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Characters that XML cannot hold are written as Excel does: `_x0001_`. */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_")
    .replace(/[\p{Cc}￾￿]/gu, (sign) =>
      sign === "\n" || sign === "\t" ? sign : `_x${sign.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}_`,
    )
    .replace(/[&<>]/g, (sign) => SIGNS[sign] ?? sign);
