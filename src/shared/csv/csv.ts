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
  /** It could be read only with the other use of backslashes. */
  isOtherwise?: true;
}

/** Lines per record, so that an unclosed quote does not swallow the file. */
const MOST_LINES = 100;
/** Lines read in vain: `each` per line of the file, `most` at once, `always` in any case. Every line may open a quote. */
const VAIN = { each: 10, most: 1000, always: 10 };
/** Cells per record, against lines of nothing but separators. */
const MOST_CELLS = 20_000;

/** How the cells of a line stand beside each other. */
interface Form {
  separator: string;
  /** As databases export: a backslash stands before a quote, separator or line end inside a cell, and `\N` is a cell without a value. */
  isEscaped?: boolean | undefined;
}

/**
 * Reads the records of a CSV (RFC 4180), except those without text, which spreadsheets append by the million. A quote inside an
 * unquoted cell is literal. A broken quote costs only one line, and none if the other use of backslashes makes sense of it. Yields
 * to other work regularly (attacks F28).
 */
export async function* readCsv(batches: AsyncIterable<Line[]>, form: Form): AsyncGenerator<CsvRecord> {
  const source = batches[Symbol.asyncIterator]();
  const giveWay = givingWay();
  const hasText = new RegExp(`[^\\s${form.separator}]`);
  let lines: Line[] = [];
  let at = 0;
  const lookAhead = async (by: number): Promise<Line | undefined> => {
    if (at + by === lines.length) {
      const { value = [] } = await source.next();
      lines = [...lines.slice(at), ...value];
      at = 0;
      await giveWay();
    }
    return lines[at + by];
  };
  let vain = VAIN.most;
  for (let first = await lookAhead(0); first; first = lines[at] ?? (await lookAhead(0))) {
    at += 1;
    if (!first.isTooLong && !hasText.test(first.text)) continue;
    const wait = giveWay();
    if (wait) await wait; // awaiting undefined would take time, too
    const { number: line } = first;
    const begun = begin(first, form);
    if (begun.end === "open") await readOn(begun, form, lookAhead, Math.min(MOST_LINES, Math.max(vain, VAIN.always)));
    vain = Math.min(vain + VAIN.each, VAIN.most);
    if (begun.end !== "done") vain = Math.max(vain - begun.more, 0);
    const read = readOtherwise(begun, first, form) ?? begun;
    if (read.end === "done") {
      at += read.more;
      const { cells, isEnded } = read;
      if (cells.some((cell) => /\S/.test(cell)))
        yield read === begun ? { line, cells, isEnded } : { line, cells, isEnded, isOtherwise: true };
    } else yield { line, problem: read.more > 0 ? "open" : read.end, text: first.text, isEnded: first.isEnded };
  }
}

const begin = ({ text, isEnded, isTooLong }: Line, form: Form): Begun => {
  const begun: Begun = { cells: [], at: 0, from: 0, end: "long", text, more: 0, isEnded };
  if (!isTooLong) begun.end = splitCells(begun, form);
  return begun;
};

/** Appends lines until the record is complete, or `most` are. */
async function readOn(begun: Begun, form: Form, lookAhead: (by: number) => Promise<Line | undefined>, most: number) {
  while (begun.end === "open" && begun.more < most && begun.text.length < LONGEST_LINE) {
    const another = await lookAhead(begun.more);
    if (!another) break;
    begun.more += 1;
    if (another.isTooLong) break;
    begun.text += `\n${another.text}`;
    begun.isEnded = another.isEnded;
    if (form.isEscaped || another.text.includes('"')) begun.end = splitCells(begun, form);
  }
}

/** A record that is broken, and is one line if backslashes mean the other. */
function readOtherwise({ end }: Begun, first: Line, form: Form): Begun | undefined {
  if (end === "done" || first.isTooLong || !first.text.includes('\\"')) return undefined;
  const other = begin(first, { ...form, isEscaped: !form.isEscaped });
  return other.end === "done" ? other : undefined;
}

/** A record so far: `text` is cut into `cells` up to `at`, and no quote closes before `from`; `more`: lines behind the first. */
interface Begun {
  cells: string[];
  at: number;
  from: number;
  end: "done" | CsvProblem;
  text: string;
  more: number;
  isEnded: boolean;
}

type CsvProblem = keyof typeof CSV_PROBLEMS;

/** Why a record cannot be read, as the end of a sentence. */
export const CSV_PROBLEMS = {
  open: () => t("a quote is opened and not closed"),
  trailing: () => t('there is text between a closing quote and the next cell (write a quote inside quotes as "")'),
  long: () => t("the line is longer than a million characters"),
  many: () => t("the line has more than {most} cells", { most: String(MOST_CELLS) }),
  json: () => t("it is not valid JSON, or no object"),
};

/** Continues with `begun`. Returns "open" if it needs the same text with another line appended. */
function splitCells(begun: Begun, { separator, isEscaped }: Form): "done" | CsvProblem {
  const { cells, text } = begun;
  if (begun.from === 0 && !text.includes('"') && !(isEscaped && text.includes("\\"))) {
    begun.cells = text.split(separator, MOST_CELLS + 1);
    return begun.cells.length > MOST_CELLS ? "many" : "done";
  }
  while (cells.length < MOST_CELLS) {
    const { at } = begun;
    if (text[at] === '"') {
      const close = closingQuote(text, at, begun.from, isEscaped);
      if (close < 0) {
        begun.from = text.length;
        return "open";
      }
      const inside = text.slice(at + 1, close);
      const cell = inside.includes('"') ? inside.replaceAll('""', '"') : inside;
      cells.push(isEscaped ? withoutEscapes(cell, separator) : cell);
      if (close + 1 === text.length) return "done";
      if (text[close + 1] !== separator) return "trailing";
      begun.at = close + 2;
    } else {
      const end = endOfCell(text, Math.max(at, begun.from), separator, isEscaped);
      if (end === undefined) {
        begun.from = text.length;
        return "open";
      }
      const cell = text.slice(at, end < 0 ? text.length : end);
      cells.push(isEscaped ? withoutEscapes(cell, separator) : cell);
      if (end < 0) return "done";
      begun.at = end + 1;
    }
  }
  return "many";
}

/** The quote that closes the cell which one at `at` opens; -1 for none. */
function closingQuote(text: string, at: number, from: number, isEscaped = false): number {
  for (let close = text.indexOf('"', Math.max(at + 1, from)); close >= 0; ) {
    const isInside = isEscaped && isBehindBackslash(text, close);
    if (!isInside && text[close + 1] !== '"') return close;
    close = text.indexOf('"', close + (isInside ? 1 : 2));
  }
  return -1;
}

/** The end of an unquoted cell: -1 for that of the text; undefined if its line end is escaped. */
function endOfCell(text: string, at: number, separator: string, isEscaped = false): number | undefined {
  let end = text.indexOf(separator, at);
  while (isEscaped && end >= 0 && isBehindBackslash(text, end)) end = text.indexOf(separator, end + 1);
  return isEscaped && end < 0 && isBehindBackslash(text, text.length) ? undefined : end;
}

/** Two backslashes are one that is meant. */
function isBehindBackslash(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === "\\") from -= 1;
  return (at - from) % 2 === 1;
}

/** PostgreSQL and MySQL also write line ends and tabs as letters, in columns with tabs between. */
const LETTERS: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

function withoutEscapes(cell: string, separator: string): string {
  if (!cell.includes("\\")) return cell;
  if (cell === "\\N") return "";
  return cell.replace(/\\(.)/gs, (whole, sign: string) => {
    if (sign === separator || /["'\\\n]/.test(sign)) return sign;
    return (separator === "\t" ? LETTERS[sign] : undefined) ?? whole;
  });
}
