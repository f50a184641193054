import { t } from "../../language/translate.ts";
import { givingWay } from "./give-way.ts";
import { type Line, LONGEST_LINE } from "./lines.ts";

export type Separator = "," | ";" | "\t" | "|";

export interface CsvRecord {
  line: number;
  cells?: string[];
  problem?: CsvProblem;
  /** The original line, if there is a problem; only its beginning if it is very long. */
  text?: string;
  /** False if the file ends without a line end. */
  isEnded: boolean;
}

/** Lines per record, so that an unclosed quote does not swallow the file. */
const MOST_LINES = 100;
/** Lines read in vain: `each` per line of the file, `most` at once, `always` in any case. Every line may open a quote. */
const VAIN = { each: 10, most: 1000, always: 10 };
/** Cells per record, against lines of nothing but separators. */
const MOST_CELLS = 20_000;

/**
 * Reads the records of a CSV (RFC 4180), except those without text, which spreadsheets append by the million. A quote inside an
 * unquoted cell is literal. A broken quote costs only one line. Yields to other work regularly (attacks F28).
 */
export async function* readCsv(batches: AsyncIterable<Line[]>, separator: string): AsyncGenerator<CsvRecord> {
  const source = batches[Symbol.asyncIterator]();
  const giveWay = givingWay();
  const hasText = new RegExp(`[^\\s${separator}]`);
  let lines: Line[] = [];
  let at = 0;
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
    if (wait) await wait; // awaiting undefined would take time, too
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
      yield { line, problem: more > 0 ? "open" : end, text: first.text, isEnded: first.isEnded };
    }
  }
}

interface Begun {
  cells: string[];
  at: number;
  from: number;
}

export type CsvProblem = keyof typeof CSV_PROBLEMS;

/** Why a record cannot be read, as the end of a sentence. */
export const CSV_PROBLEMS = {
  open: () => t("a quote is opened and not closed"),
  trailing: () => t('there is text between a closing quote and the next cell (write a quote inside quotes as "")'),
  long: () => t("the line is longer than a million characters"),
  many: () => t("the line has more than {most} cells", { most: String(MOST_CELLS) }),
  json: () => t("it is not valid JSON, or no object"),
};

/** Continues with `begun`. Returns "open" if it needs the same text with another line appended. */
function splitCells(text: string, separator: string, begun: Begun): "done" | CsvProblem {
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
