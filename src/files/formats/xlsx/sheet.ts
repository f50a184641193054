import { plainNumber, roundedText } from "../base/numbers.ts";
import type { TableRow } from "../base/rows.ts";
import { parseXml } from "../base/xml.ts";
import { type CellType, MOST_DIGITS, typeOf } from "./cell-types.ts";
import type { Merged } from "./merged.ts";
import type { NumberFormat } from "./number-formats.ts";
import { columnIndexOf } from "./reference.ts";
import { type Texts, textCollector, unescaped } from "./texts.ts";

export interface Sheet {
  xml: AsyncIterable<Buffer>;
  texts: Texts;
  styles: (NumberFormat | undefined)[];
  merged: Merged;
  /** Called for a formula whose value the file does not have. */
  onEmptyFormula(): void;
  onCell(column: number, type: CellType, text: string): void;
}

/** Cells of a row that are looked at: Excel's own limit. */
const MOST_CELLS = 16_384;

/** Yields the rows that have text. */
export async function* sheetRows({
  xml,
  texts,
  styles,
  merged,
  onEmptyFormula,
  onCell,
}: Sheet): AsyncGenerator<TableRow> {
  let found: TableRow[] = [];
  let line = 0;
  let cells: string[] = [];
  let cell:
    | { column: number; type: string; style: number; value: string; hasFormula: boolean; hasValue: boolean }
    | undefined;
  let isValue = false;
  let column = -1;
  const inline = textCollector();
  const handlers = {
    open(name: string, { r, t, s }: Record<string, string>) {
      if (name === "row") {
        line = Number(r) || line + 1;
        cells = [];
        column = -1;
      } else if (name === "c") {
        column = columnIndexOf(r) ?? column + 1;
        cell = { column, type: t ?? "n", style: Number(s ?? 0), value: "", hasFormula: false, hasValue: false };
      } else if (name === "v") isValue = true;
      else if (name === "f" && cell) cell.hasFormula = true;
      else inline.open(name);
    },
    text(piece: string) {
      if (isValue && cell) cell.value += piece;
      else inline.text(piece);
    },
    close(name: string) {
      if (name === "v") {
        isValue = false;
        if (cell) cell.hasValue = true;
      } else if (name === "c" && cell) {
        const [text, type] = cell.type === "inlineStr" ? ([inline.take(), "text"] as const) : textOf(cell);
        if (cell.hasFormula && !cell.hasValue) onEmptyFormula();
        if (text !== "" && cell.column < MOST_CELLS) {
          while (cells.length < cell.column) cells.push("");
          cells[cell.column] = text;
          onCell(cell.column, type, text);
        }
        cell = undefined;
      } else if (name === "row") {
        const whole = merged.fill(line, cells);
        if (whole.some((each) => /\S/.test(each))) found.push({ line, cells: whole });
      } else inline.close(name);
    },
  };
  const textOf = ({ type, value, style }: { type: string; value: string; style: number }): Shown => {
    if (type === "n" && value !== "") return shownNumber(value, styles[style]);
    if (type === "d") return [value.replace(/T00:00:00(?:\.0+)?Z?$/, ""), "date"];
    if (type === "b" && value !== "") return [value === "1" ? "TRUE" : "FALSE", "boolean"];
    return [type === "s" && value !== "" ? texts(Number(value)) : unescaped(value), "text"];
  };
  for await (const _ of parseXml(xml, handlers)) {
    yield* found;
    found = [];
  }
}

/** From here on Excel keeps only the first digits, and shows no others. */
const ROUNDED = 1e15;

type Shown = readonly [text: string, type: CellType];

/** Writes a number as its cell shows it, without the noise of binary fractions. A rounded one looks it: 4.01E+15. */
function shownNumber(value: string, format: NumberFormat | undefined): Shown {
  const number = Number(value);
  if (!Number.isFinite(number)) return [value, "text"];
  if (Math.abs(number) >= ROUNDED) return [roundedText(number), "text"];
  const shown = format?.(number);
  if (shown === undefined) return [plainNumber(number), "number"];
  if (isFilled(shown, number)) return [shown, "filled"];
  const type = typeOf(shown);
  return [shown, type === "date" || type === "percent" ? type : "text"];
}

const isFilled = (shown: string, number: number): boolean =>
  shown.length <= MOST_DIGITS && shown === String(number).padStart(shown.length, "0");
