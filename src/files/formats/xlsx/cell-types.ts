import type { ColumnTypes } from "../../format.ts";

/** What a cell is in its sheet: `filled` is a number with zeros in front (`02857`); one that its format shows otherwise is text. */
export type CellType = "number" | "percent" | "date" | "boolean" | "filled" | "text";

/** Digits that a spreadsheet keeps and shows as they are. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,20})?$/;
const DATE = /^(?:(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d))?|(\d\d:\d\d:\d\d))$/;

/** Returns what a text reads as. */
export function typeOf(text: string): Exclude<CellType, "filled"> {
  if (NUMBER.test(text)) return "number";
  if (text.endsWith("%") && NUMBER.test(text.slice(0, -1))) return "percent";
  if (text === "TRUE" || text === "FALSE") return "boolean";
  return serialOf(text) ? "date" : "text";
}

/** Notes what the cells of a sheet are, so that an export as a workbook can have them again. */
export function createColumnTypes() {
  const seen = new Map<CellType, Map<number, boolean>>();
  const filled = new Map<number, number | undefined>();
  const columnsOf = (type: CellType): number[] =>
    [...(seen.get(type) ?? [])].flatMap(([column, is]) => (is ? [column] : [])).sort((a, b) => a - b);
  return {
    note(column: number, type: CellType, text: string): void {
      if (type === "filled" || (type === "text" && DIGITS.test(text))) noteDigits(filled, column, type, text);
      const read = typeOf(text);
      const columns = seen.get(read) ?? new Map<number, boolean>();
      seen.set(read, columns.set(column, type === read && columns.get(column) !== false));
    },
    found: (): ColumnTypes => ({
      numbers: columnsOf("number"),
      percents: columnsOf("percent"),
      dates: columnsOf("date"),
      booleans: columnsOf("boolean"),
      filled: [...filled].flatMap(([column, digits]): [number, number][] => (digits ? [[column, digits]] : [])),
    }),
  };
}

const DIGITS = /^\d+$/;
/** Digits that Excel keeps. */
export const MOST_DIGITS = 15;

/** Texts of digits, or other numbers of zeros in front, could not be told from what the format of the column shows. */
function noteDigits(filled: Map<number, number | undefined>, column: number, type: CellType, text: string): void {
  const before = filled.has(column) ? filled.get(column) : text.length;
  const isAlike = type === "filled" && before !== undefined && isShownWithDigits(before, text);
  filled.set(column, isAlike ? before : undefined);
}

/** Whether a number shown with so many digits may read so. */
export const isShownWithDigits = (digits: number, text: string): boolean =>
  DIGITS.test(text) && (text.length === digits || (text.length > digits && !text.startsWith("0")));

const DAY_MS = 24 * 3600 * 1000;
const EPOCH = Date.UTC(1899, 11, 30);

/** Built-in formats (ECMA-376 part 1, 18.8.30). Excel shows dates and times as its user is used to. */
export const CELL_FORMATS = { date: 14, time: 21, both: 22, wholePercent: 9, percent: 10 } as const;

/** The number that Excel stores for a date or percentage, and the format in which it shows the number. */
type Kept = { value: number; shown: keyof typeof CELL_FORMATS };

/** Returns the number that Excel keeps for a percentage. */
export function percentOf(text: string): Kept {
  const value = Number((Number(text.slice(0, -1)) / 100).toPrecision(15));
  return { value, shown: text.includes(".") ? "percent" : "wholePercent" };
}

/** Returns the number that Excel keeps for an ISO 8601 date, time or both; undefined for other texts. */
export function serialOf(text: string): Kept | undefined {
  const [, date, timeOfDate, time = timeOfDate] = DATE.exec(text) ?? [];
  if (!date && !time) return undefined;
  const ms = Date.parse(`${date ?? "1899-12-30"}T${time ?? "00:00:00"}Z`);
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().includes(text);
  if (!isReal) return undefined;
  const days = (ms - EPOCH) / DAY_MS;
  // Excel counts 29 February 1900, which never was, as day 60.
  const serial = date && days < 61 ? days - 1 : days;
  return date && serial < 1 ? undefined : { value: serial, shown: !date ? "time" : time ? "both" : "date" };
}
