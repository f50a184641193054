import { type Line, LONGEST_LINE } from "./lines.ts";

export interface CsvRecord {
  /** Where it begins. */
  line: number;
  cells?: string[];
  problem?: string;
  /** With a problem, the line as it stands there; of a very long one the beginning. */
  text?: string;
  /** False for a last record that no line end ends. */
  isEnded: boolean;
}

/** What one record may run over: a quote that is never closed must not swallow the file. */
const MOST_LINES = 100;
/** Cells of a record: a line of nothing but separators must not become a million of them. */
const MOST_CELLS = 20_000;

/**
 * The records of a CSV (RFC 4180), empty lines left out. A quote inside an unquoted cell is a quote. Unlike the parsers
 * at hand it recovers: a broken quote costs the line it stands in, and reading goes on with the very next.
 */
export async function* readCsv(lines: AsyncIterable<Line>, separator: string): AsyncGenerator<CsvRecord> {
  const source = lines[Symbol.asyncIterator]();
  const putBack: Line[] = [];
  const next = async (): Promise<Line | undefined> => putBack.shift() ?? (await source.next()).value;
  for (let first = await next(); first; first = await next()) {
    if (first.text === "") continue;
    const { number: line, isTooLong } = first;
    let { text, isEnded } = first;
    let cells = isTooLong ? "long" : splitCells(text, separator);
    const more: Line[] = [];
    while (cells === "open" && more.length < MOST_LINES && text.length < LONGEST_LINE) {
      const another = await next();
      if (!another) break;
      more.push(another);
      if (another.isTooLong) break;
      text += `\n${another.text}`;
      isEnded = another.isEnded;
      cells = splitCells(text, separator);
    }
    if (typeof cells === "object") yield { line, cells, isEnded };
    else {
      putBack.unshift(...more);
      yield { line, problem: PROBLEMS[more.length > 0 ? "open" : cells], text: first.text, isEnded: first.isEnded };
    }
  }
}

const PROBLEMS = {
  open: "a quote is opened and not closed",
  trailing: 'something stands between a closing quote and the next cell (a quote inside quotes is written "")',
  long: "the line is longer than a million characters",
  many: `the line has more than ${MOST_CELLS} cells`,
};

function splitCells(text: string, separator: string): string[] | keyof typeof PROBLEMS {
  if (!text.includes('"')) {
    const cells = text.split(separator, MOST_CELLS + 1);
    return cells.length > MOST_CELLS ? "many" : cells;
  }
  const cells: string[] = [];
  for (let at = 0; cells.length < MOST_CELLS; ) {
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) return "open";
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
      if (close + 1 === text.length) return cells;
      if (text[close + 1] !== separator) return "trailing";
      at = close + 2;
    } else {
      const end = text.indexOf(separator, at);
      cells.push(text.slice(at, end < 0 ? text.length : end));
      if (end < 0) return cells;
      at = end + 1;
    }
  }
  return "many";
}
