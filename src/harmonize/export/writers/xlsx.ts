import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { CELL_FORMATS, percentOf, serialOf, typeOf } from "../../../files/formats/xlsx/cell-types.ts";
import { type ExportColumn, type ExportTable, type Pieces, valueIn } from "./table.ts";

/** Rows of a sheet, with the names in the first, by Excel's limit; characters of a cell. */
const [MOST_ROWS, LONGEST] = [1_048_576, 32_767];

/**
 * Writes a workbook, with as many sheets as the rows need. Its cells are typed as text, so that none is read as a formula; only
 * numbers, percentages, dates and truth values of the owner's workbook, and our scores, are numbers.
 */
export async function* writeXlsx(table: ExportTable): Pieces {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  const sheets = Math.max(Math.ceil(table.rowCount / (MOST_ROWS - 1)), 1);
  for (const [name, text] of Object.entries(partsOf(sheets))) zip.addBuffer(Buffer.from(XML + text), name);
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

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function partsOf(sheets: number): Record<string, string> {
  const each = (part: (number: number) => string) => Array.from({ length: sheets }, (_, at) => part(at + 1)).join("");
  return {
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`)}</Types>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each((n) => `<sheet name="Listings${n > 1 ? ` ${n}` : ""}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rIdStyles" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${FORMATS.length}">${FORMATS.map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0"${id ? ' applyNumberFormat="1"' : ""}/>`).join("")}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  };
}

async function* rowsOf({ columns, pages }: ExportTable): AsyncGenerator<string> {
  for await (const rows of pages)
    for (const { cells } of rows)
      yield `<row>${cells.map((cell, at) => cellIn(cell, columns[at] ?? TEXT)).join("")}</row>`;
}

const TEXT = { kind: "text" } as const;

function cellIn(cell: string, column: Pick<ExportColumn, "kind" | "was">): string {
  const type = typeOf(cell);
  if (type === "text" || !column.was?.(type)) return cellXml(valueIn(cell, column));
  if (type === "number") return `<c><v>${cell}</v></c>`;
  if (type === "boolean") return `<c t="b"><v>${Number(cell === "TRUE")}</v></c>`;
  const kept = type === "percent" ? percentOf(cell) : serialOf(cell);
  return kept ? `<c s="${STYLES.indexOf(kept.shown) + 1}"><v>${kept.value}</v></c>` : cellXml(cell);
}

const STYLES = Object.keys(CELL_FORMATS) as (keyof typeof CELL_FORMATS)[];
const FORMATS = [0, ...STYLES.map((shown) => CELL_FORMATS[shown])];

const cellXml = (value: string | number | null): string =>
  value === null
    ? "<c/>"
    : typeof value === "number"
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(value.slice(0, LONGEST))}</t></is></c>`;

const PIECE = 64 * 1024;

async function* sheetXml(columns: ExportTable["columns"], rows: AsyncGenerator<string>): AsyncGenerator<string> {
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  const names = columns.map(({ name }) => cellXml(name)).join("");
  let text = `${XML}<worksheet xmlns="${MAIN}">${frozen}<sheetData><row>${names}</row>`;
  for (let count = 1; count < MOST_ROWS; count += 1) {
    const { value, done } = await rows.next();
    if (done) break;
    text += value;
    if (text.length < PIECE) continue;
    yield text;
    text = "";
  }
  yield `${text}</sheetData></worksheet>`;
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
