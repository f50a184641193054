import { columnIndexOf } from "./reference.ts";

export interface Merged {
  /** Repeats in a row what a merged cell above shows there. Takes the rows in order. */
  fill(line: number, cells: string[]): string[];
}

export const NO_MERGED: Merged = { fill: (_, cells) => cells };

interface Range {
  top: number;
  bottom: number;
  column: number;
}

const MOST = 100_000;
/** Longer than the mark of a range. */
const OVERLAP = 200;
const MARK = /<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g;

/** Finds the cells that are merged over several rows. They stand behind the rows of the sheet, which need them. */
export async function findMerged(xml: AsyncIterable<Buffer>): Promise<Merged> {
  const ranges: Range[] = [];
  let before = "";
  for await (const piece of xml) {
    const text = before + piece.toString("latin1");
    let end = 0;
    if (text.includes("mergeCell"))
      for (const { 1: letters, 2: top, 3: bottom, index, 0: mark } of text.matchAll(MARK)) {
        end = index + mark.length;
        const column = columnIndexOf(letters);
        if (column !== undefined && Number(bottom) > Number(top) && ranges.length < MOST)
          ranges.push({ top: Number(top), bottom: Number(bottom), column });
      }
    before = text.slice(Math.max(end, text.length - OVERLAP));
  }
  return filling(ranges);
}

function filling(ranges: Range[]): Merged {
  const next = ranges.sort((a, b) => b.top - a.top);
  /** By their column, where cells that are merged cannot overlap: so there are few however many the file names. */
  const open = new Map<number, { bottom: number; text: string }>();
  return {
    fill(line, cells) {
      if (cells.length === 0) return cells; // a blank row stays one
      for (const [column, { bottom, text }] of open) {
        if (bottom < line) open.delete(column);
        else if ((cells[column] ?? "") === "") {
          while (cells.length < column) cells.push("");
          cells[column] = text;
        }
      }
      for (let range = next.at(-1); range && range.top <= line; range = next.at(-1)) {
        next.pop();
        const text = range.top === line ? (cells[range.column] ?? "") : "";
        if (text !== "") open.set(range.column, { bottom: range.bottom, text });
      }
      return cells;
    },
  };
}
