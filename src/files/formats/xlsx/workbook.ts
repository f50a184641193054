import { ALL_ALIKE } from "../../format.ts";
import { MOST_ABOVE, MOST_LOOKED_AT, MOST_XML, tooManyRows, tooMuch } from "../base/limits.ts";
import { unusableFile } from "../base/refusal.ts";
import type { Table, TableRow } from "../base/rows.ts";
import { parseXml } from "../base/xml.ts";
import type { Zip } from "../base/zip.ts";
import { createColumnTypes, typeOf } from "./cell-types.ts";
import { findMerged, NO_MERGED } from "./merged.ts";
import { type NumberFormat, numberFormat } from "./number-formats.ts";
import { type Sheet, sheetRows } from "./sheet.ts";
import { readTexts } from "./texts.ts";

interface SheetEntry {
  name: string;
  isHidden: boolean;
  path: string;
}

/** Sheets that are looked at for data, and shown for a choice. */
const MOST_SHEETS = 200;
/** Rows of a sheet that are looked at to see whether it has data. */
const LOOKED_AT = 20;
/** Characters of a sheet's name. Excel allows 31. */
const LONGEST_NAME = 200;

/**
 * Reads a sheet of a workbook: the named one, or the first with a table, and below it, for ALL_ALIKE, those with its column names.
 * @throws KnownError 400 if there is none, 413 if it has more than `mostRows`
 */
export async function readWorkbook(
  zip: Zip,
  { sheet: wanted, mostRows }: { sheet: string | undefined; mostRows: number },
): Promise<Table> {
  const { sheets, is1904 } = await readSheets(zip);
  const open = (path: string, most: number) => (zip.entries.has(path) ? partOf(zip, path, most) : undefined);
  const styles = await readStyles(open("xl/styles.xml", MOST_LOOKED_AT), is1904);
  const texts = await readTexts(open("xl/sharedStrings.xml", MOST_XML));
  const looker =
    (looking = leftOf(MOST_LOOKED_AT)) =>
    ({ path }: SheetEntry) =>
      sheetRows({ xml: looking(partOf(zip, path, MOST_XML)), texts, styles, merged: NO_MERGED, ...NO_NOTES });
  const sheet = sheets.find(({ name }) => name === wanted) ?? (await firstWithTable(sheets, looker()));
  if (!sheet) throw unusableFile("This workbook has no sheet with text. Choose a file with at least one row.");
  const others = await sheetsAlike(sheet, sheets, looker());
  const format: Table["format"] = {
    kind: "xlsx",
    sheet: wanted === ALL_ALIKE ? wanted : sheet.name,
    sheets: sheets.map(({ name }) => name),
    ...(others.length > 0 && { alike: [sheet, ...others].map(({ name }) => name) }),
  };
  const types = createColumnTypes();
  const onEmptyFormula = () => {
    format.emptyFormulas = (format.emptyFormulas ?? 0) + 1;
  };
  const stack: Below[] = [{ ...sheet, from: 1 }, ...(wanted === ALL_ALIKE ? others : [])];
  async function* all() {
    let read = 0;
    let above = 0;
    for (const { path, from, order } of stack) {
      const merged = await findMerged(partOf(zip, path, MOST_XML));
      const xml = partOf(zip, path, MOST_XML);
      let last = 0;
      for await (const { line, cells } of sheetRows({
        xml,
        texts,
        styles,
        merged,
        onEmptyFormula,
        onCell: order ? (at, ...cell) => types.note(order[at] ?? at, ...cell) : types.note,
      })) {
        if (line < from) continue;
        read += 1;
        if (read > mostRows + MOST_ABOVE) throw tooManyRows(mostRows);
        yield { line: above + line, cells: order ? cellsIn(order, cells) : cells };
        last = line;
      }
      above += last;
    }
    format.types = types.found();
  }
  return { format, rows: all() };
}

type Notes = Pick<Sheet, "onEmptyFormula" | "onCell">;
const NO_NOTES: Notes = { onEmptyFormula() {}, onCell() {} };

function partOf(zip: Zip, path: string, most: number): AsyncIterable<Buffer> {
  if ((zip.entries.get(path)?.uncompressedSize ?? 0) > most)
    throw tooMuch(`A sheet of this workbook takes more than ${most / 1024 ** 2} MB unpacked.`);
  return zip.open(path);
}

/** Passes bytes of several parts on, so many in all: their names are few bytes, and may all lead to one part. */
function leftOf(most: number) {
  let left = most;
  return async function* passing(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of bytes) {
      left -= piece.length;
      if (left < 0)
        throw tooMuch(
          `The first ${most / 1024 ** 2} MB of this workbook's sheets hold no table. Move the list to the front.`,
        );
      yield piece;
    }
  };
}

/** Prefers visible sheets, and those with two rows of two cells: before them may be a cover. */
async function firstWithTable(
  sheets: SheetEntry[],
  look: (sheet: SheetEntry) => AsyncIterable<TableRow>,
): Promise<SheetEntry | undefined> {
  const visibleFirst = [...sheets.filter(({ isHidden }) => !isHidden), ...sheets.filter(({ isHidden }) => isHidden)];
  const inOrder = visibleFirst.filter(({ path }, at) => visibleFirst.findIndex((each) => each.path === path) === at);
  let withText: SheetEntry | undefined;
  for (const sheet of inOrder) {
    let rows = 0;
    let wide = 0;
    for await (const { cells } of look(sheet)) {
      rows += 1;
      if (cells.filter((cell) => cell.trim() !== "").length > 1) wide += 1;
      if (rows === LOOKED_AT || wide === 2) break;
    }
    if (wide >= 2) return sheet;
    if (rows > 0) withText ??= sheet;
  }
  return withText;
}

/**
 * A sheet that is read below another: the row below its column names, and to which column each of its columns belongs, if they
 * are in another order.
 */
type Below = SheetEntry & { from: number; order?: number[] };

function cellsIn(order: number[], cells: string[]): string[] {
  const found: string[] = [];
  for (const [at, cell] of cells.entries()) found[order[at] ?? at] = cell;
  return Array.from(found, (cell = "") => cell);
}

/** Finds the other visible sheets with the column names of this one, its first row of several texts, in any order. */
async function sheetsAlike(
  sheet: SheetEntry,
  sheets: SheetEntry[],
  look: (sheet: SheetEntry) => AsyncIterable<TableRow>,
): Promise<Below[]> {
  const others = sheets.filter(({ path, isHidden }) => path !== sheet.path && !isHidden);
  const below: Below[] = [];
  try {
    const [names] = others.length > 0 ? await firstRows(look(sheet)) : [];
    for (const other of others) {
      const found = names && belowNames(await firstRows(look(other)), names);
      if (found && below.every(({ path }) => path !== other.path)) below.push({ ...other, ...found });
    }
  } catch {
    // One that cannot be read matters only when it is chosen.
  }
  return below;
}

/** A row of column names. */
type Names = { line: number; names: string[] };

function belowNames(rows: Names[], { names: wanted }: Names): Pick<Below, "from" | "order"> | undefined {
  const sorted = (names: string[]) => names.filter(Boolean).sort().join("\t");
  const found = rows.find(({ names }) => sorted(names) === sorted(wanted));
  if (!found) return undefined;
  const left: (string | undefined)[] = [...wanted]; // a name may recur
  const order = found.names.map((name) => {
    const at = left.indexOf(name);
    const to = at < 0 ? left.length : at; // one without a name stands behind the others
    left[to] = undefined;
    return to;
  });
  order.push(...left.flatMap((name, at) => (name === undefined ? [] : [at])));
  return { from: found.line + 1, ...(order.some((to, at) => to !== at) && { order }) };
}

/** Rows that may be column names: several texts, none a number. */
async function firstRows(rows: AsyncIterable<TableRow>): Promise<Names[]> {
  const found: Names[] = [];
  let read = 0;
  for await (const { line, cells } of rows) {
    const names = cells.map((cell) => cell.trim());
    if (names.filter(Boolean).length > 1 && cells.every((cell) => typeOf(cell) === "text")) found.push({ line, names });
    read += 1;
    if (read === LOOKED_AT) break;
  }
  return found;
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
        sheets.push({
          name: (attributes.name ?? "").slice(0, LONGEST_NAME),
          isHidden: /hidden/i.test(attributes.state ?? ""),
          id,
        });
    },
  };
  for await (const _ of parseXml(partOf(zip, "xl/_rels/workbook.xml.rels", MOST_LOOKED_AT), relations));
  for await (const _ of parseXml(partOf(zip, "xl/workbook.xml", MOST_LOOKED_AT), workbook));
  const found = sheets.flatMap(({ id, ...sheet }) => {
    const target = targets.get(id) ?? "";
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    return zip.entries.has(path) ? [{ ...sheet, path }] : []; // a sheet of charts has none
  });
  return { sheets: found.filter(({ path }) => !/chartsheets|dialogsheets/.test(path)), is1904 };
}

const MOST_STYLES = 70_000;
/** Characters of a number format, by Excel's own limit. */
const LONGEST_CODE = 255;

/** Returns the number format of each style of cells; undefined for those that change nothing. */
async function readStyles(
  bytes: AsyncIterable<Buffer> | undefined,
  is1904: boolean,
): Promise<(NumberFormat | undefined)[]> {
  if (!bytes) return [];
  const codes = new Map<number, string>();
  const styles: (NumberFormat | undefined)[] = [];
  const made = new Map<number, NumberFormat | undefined>();
  let isCells = false;
  const formatOf = (id: number) => {
    if (!made.has(id)) made.set(id, numberFormat(id, codes.get(id), is1904));
    return made.get(id);
  };
  const handlers = {
    open(name: string, attributes: Record<string, string>) {
      if (name === "numFmt" && codes.size < MOST_STYLES)
        codes.set(Number(attributes.numFmtId), (attributes.formatCode ?? "").slice(0, LONGEST_CODE));
      else if (name === "cellXfs") isCells = true;
      else if (name === "xf" && isCells && styles.length < MOST_STYLES)
        styles.push(formatOf(Number(attributes.numFmtId)));
    },
    close(name: string) {
      if (name === "cellXfs") isCells = false;
    },
  };
  for await (const _ of parseXml(bytes, handlers));
  return styles;
}
