import type { Line } from "./lines.ts";

export interface CsvRecord {
  /** Where it begins. */
  line: number;
  cells?: string[];
  problem?: string;
  /** False for a last record that no line end ends. */
  isEnded: boolean;
}

/** What one record may run over, in lines and characters: a quote that is never closed must not swallow the file. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 1024 * 1024;

/**
 * The records of a CSV (RFC 4180), empty lines left out. A quote inside an unquoted cell is a quote. Unlike the parsers
 * at hand it recovers: a broken quote costs the line it stands in, and reading goes on with the very next.
 */
export async function* readCsv(lines: AsyncIterable<Line>, delimiter: string): AsyncGenerator<CsvRecord> {
  const source = lines[Symbol.asyncIterator]();
  const putBack: Line[] = [];
  const next = async (): Promise<Line | undefined> => putBack.shift() ?? (await source.next()).value;
  for (let first = await next(); first; first = await next()) {
    if (first.text === "") continue;
    const { number: line } = first;
    let { text, isEnded } = first;
    let cells = splitCells(text, delimiter);
    const more: Line[] = [];
    while (cells === "open" && more.length < MOST_LINES && text.length < MOST_CHARACTERS) {
      const another = await next();
      if (!another) break;
      more.push(another);
      text += `\n${another.text}`;
      isEnded = another.isEnded;
      cells = splitCells(text, delimiter);
    }
    if (typeof cells === "object") yield { line, cells, isEnded };
    else {
      putBack.unshift(...more);
      yield { line, problem: PROBLEMS[more.length > 0 ? "open" : cells], isEnded };
    }
  }
}

const PROBLEMS = {
  open: "a quote is opened and not closed",
  trailing: 'something stands between a closing quote and the next cell (a quote inside quotes is written "")',
};

function splitCells(text: string, delimiter: string): string[] | keyof typeof PROBLEMS {
  if (!text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) return "open";
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
      if (close + 1 === text.length) return cells;
      if (text[close + 1] !== delimiter) return "trailing";
      at = close + 2;
    } else {
      const end = text.indexOf(delimiter, at);
      cells.push(text.slice(at, end < 0 ? text.length : end));
      if (end < 0) return cells;
      at = end + 1;
    }
  }
}
