import { givingWay } from "./give-way.ts";
import { type Line, LONGEST_LINE } from "./lines.ts";

/** What may stand between the cells of a record. */
export type Separator = "," | ";" | "\t" | "|";

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
/**
 * Lines that may be read in vain, for each line of the file and at once: where every line opens a quote, each of them would
 * else be read a hundred times. A few are always granted.
 */
const VAIN = { each: 10, most: 1000, always: 10 };
/** Cells of a record: a line of nothing but separators must not become a million of them. */
const MOST_CELLS = 20_000;

/**
 * The records of a CSV (RFC 4180). Records without text are left out: spreadsheets add them behind the last row, by the
 * million. A quote inside an unquoted cell is a quote. Unlike the parsers at hand it recovers: a broken quote costs the line it
 * stands in, and reading goes on with the very next. It gives way to other work, whatever the file holds (attacks F28).
 */
export async function* readCsv(batches: AsyncIterable<Line[]>, separator: string): AsyncGenerator<CsvRecord> {
  const source = batches[Symbol.asyncIterator]();
  const giveWay = givingWay();
  const hasText = new RegExp(`[^\\s${separator}]`);
  let lines: Line[] = [];
  let at = 0;
  /** The line `by` lines after the next one; more are read where needed. */
  const lookAhead = async (by: number): Promise<Line | undefined> => {
    if (at + by === lines.length) {
      const { value = [] } = await source.next();
      [lines, at] = [[...lines.slice(at), ...value], 0];
      await giveWay();
    }
    return lines[at + by];
  };
  let vain = VAIN.most;
  for (let first = await lookAhead(0); first; first = lines[at] ?? (await lookAhead(0))) {
    at += 1;
    const { number: line, isTooLong } = first;
    let { text, isEnded } = first;
    if (!isTooLong && !hasText.test(text)) continue;
    const wait = giveWay();
    if (wait) await wait; // even awaiting nothing takes time
    const begun: Begun = { cells: [], at: 0, from: 0 };
    let end = isTooLong ? "long" : splitCells(text, separator, begun);
    const most = Math.min(MOST_LINES, Math.max(vain, VAIN.always));
    let more = 0;
    while (end === "open" && more < most && text.length < LONGEST_LINE) {
      const another = await lookAhead(more);
      if (!another) break;
      more += 1;
      if (another.isTooLong) break;
      text += `\n${another.text}`;
      isEnded = another.isEnded;
      if (another.text.includes('"')) end = splitCells(text, separator, begun);
    }
    vain = Math.min(vain + VAIN.each, VAIN.most);
    if (end === "done") {
      at += more;
      if (begun.cells.some((cell) => /\S/.test(cell))) yield { line, cells: begun.cells, isEnded };
    } else {
      vain = Math.max(vain - more, 0);
      yield { line, problem: PROBLEMS[more > 0 ? "open" : end], text: first.text, isEnded: first.isEnded };
    }
  }
}

/** How far a record has been split. */
interface Begun {
  cells: string[];
  /** Where the next cell begins, in the text of the record. */
  at: number;
  /** Where to look for the end of its quote. */
  from: number;
}

const PROBLEMS = {
  open: "a quote is opened and not closed",
  trailing: 'something stands between a closing quote and the next cell (a quote inside quotes is written "")',
  long: "the line is longer than a million characters",
  many: `the line has more than ${MOST_CELLS} cells`,
};

/** Goes on with what has been begun; `open` asks for the same text with another line behind it. */
function splitCells(text: string, separator: string, begun: Begun): "done" | keyof typeof PROBLEMS {
  const { cells } = begun;
  if (begun.from === 0 && !text.includes('"')) {
    begun.cells = text.split(separator, MOST_CELLS + 1);
    return begun.cells.length > MOST_CELLS ? "many" : "done";
  }
  while (cells.length < MOST_CELLS) {
    const { at } = begun;
    if (text[at] === '"') {
      let close = text.indexOf('"', Math.max(at + 1, begun.from));
      while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close < 0) {
        begun.from = text.length;
        return "open";
      }
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
      if (close + 1 === text.length) return "done";
      if (text[close + 1] !== separator) return "trailing";
      begun.at = close + 2;
    } else {
      const end = text.indexOf(separator, at);
      cells.push(text.slice(at, end < 0 ? text.length : end));
      if (end < 0) return "done";
      begun.at = end + 1;
    }
  }
  return "many";
}
