import { MOST_XML, tooMuch } from "../base/limits.ts";
import { unusableFile } from "../base/refusal.ts";
import type { Table, TableRow } from "../base/rows.ts";
import type { Source } from "../base/source.ts";
import { openZip, type Zip } from "../base/zip.ts";
import { createColumnTypes } from "./cell-types.ts";
import { findMerged } from "./merged.ts";
import { type Sheet, sheetRows } from "./sheet.ts";
import { readStyles } from "./styles.ts";
import { readTexts } from "./texts.ts";
import { parseXml } from "./xml.ts";

interface SheetEntry {
  name: string;
  isHidden: boolean;
  path: string;
}

/** Sheets that are looked at for data, and shown for a choice. */
const MOST_SHEETS = 200;
/** Rows of a sheet that are looked at to see whether it has data. */
const LOOKED_AT = 20;

/** Reads a sheet of a workbook: the named one, or the first with a table. Throws KnownError 400 if there is none. */
export async function readWorkbook(source: Source, wanted: string | undefined): Promise<Table> {
  const zip = await openZip(source);
  const { sheets, is1904 } = await readSheets(zip);
  const open = (path: string) => (zip.entries.has(path) ? atMostXml(zip, path) : undefined);
  const styles = await readStyles(open("xl/styles.xml"), is1904);
  const texts = await readTexts(open("xl/sharedStrings.xml"));
  const read = async ({ path }: SheetEntry, notes: Notes = NO_NOTES) => {
    const merged = await findMerged(atMostXml(zip, path));
    return sheetRows({ xml: atMostXml(zip, path), texts, styles, merged, ...notes });
  };
  const sheet = sheets.find(({ name }) => name === wanted) ?? (await firstWithTable(sheets, read));
  if (!sheet) throw unusableFile("This workbook has no sheet with text. Choose a file with at least one listing.");
  const format: Table["format"] = { kind: "xlsx", sheet: sheet.name, sheets: sheets.map(({ name }) => name) };
  const types = createColumnTypes();
  const onEmptyFormula = () => {
    format.emptyFormulas = (format.emptyFormulas ?? 0) + 1;
  };
  const rows = await read(sheet, { onEmptyFormula, onCell: types.note });
  async function* all() {
    yield* rows;
    format.types = types.found();
  }
  return { format, rows: all() };
}

type Notes = Pick<Sheet, "onEmptyFormula" | "onCell">;
const NO_NOTES: Notes = { onEmptyFormula() {}, onCell() {} };

function atMostXml(zip: Zip, path: string): AsyncIterable<Buffer> {
  if ((zip.entries.get(path)?.uncompressedSize ?? 0) > MOST_XML)
    throw tooMuch(`A sheet of this workbook takes more than ${MOST_XML / 1024 ** 2} MB unpacked.`);
  return zip.open(path);
}

/** Prefers visible sheets, and those with two rows of two cells: before them may be a cover. */
async function firstWithTable(
  sheets: SheetEntry[],
  read: (sheet: SheetEntry) => Promise<AsyncIterable<TableRow>>,
): Promise<SheetEntry | undefined> {
  const inOrder = [...sheets.filter(({ isHidden }) => !isHidden), ...sheets.filter(({ isHidden }) => isHidden)];
  let withText: SheetEntry | undefined;
  for (const sheet of inOrder) {
    let [rows, wide] = [0, 0];
    for await (const { cells } of await read(sheet)) {
      rows += 1;
      if (cells.filter((cell) => cell.trim() !== "").length > 1) wide += 1;
      if (rows === LOOKED_AT || wide === 2) break;
    }
    if (wide >= 2) return sheet;
    if (rows > 0) withText ??= sheet;
  }
  return withText;
}

async function readSheets(zip: Zip): Promise<{ sheets: SheetEntry[]; is1904: boolean }> {
  const targets = new Map<string, string>();
  const sheets: (Omit<SheetEntry, "path"> & { id: string })[] = [];
  let is1904 = false;
  const relations = {
    open(name: string, { Id, Target }: Record<string, string>) {
      if (name === "Relationship" && Id && Target) targets.set(Id, Target);
    },
  };
  const workbook = {
    open(tag: string, attributes: Record<string, string>) {
      if (tag === "workbookPr") is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
      const id = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1];
      if (tag === "sheet" && id && sheets.length < MOST_SHEETS)
        sheets.push({ name: attributes.name ?? "", isHidden: /hidden/i.test(attributes.state ?? ""), id });
    },
  };
  for await (const _ of parseXml(atMostXml(zip, "xl/_rels/workbook.xml.rels"), relations));
  for await (const _ of parseXml(atMostXml(zip, "xl/workbook.xml"), workbook));
  const found = sheets.flatMap(({ id, ...sheet }) => {
    const target = targets.get(id) ?? "";
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    return zip.entries.has(path) ? [{ ...sheet, path }] : []; // a sheet of charts has none
  });
  return { sheets: found.filter(({ path }) => !/chartsheets|dialogsheets/.test(path)), is1904 };
}
