import type { ColumnTypes } from "../../run/rows.ts";

/** What a cell is in its sheet. A number whose format gives it other digits (`02857`) is text. */
export type CellType = "number" | "date" | "boolean" | "text";

/** Digits that a spreadsheet keeps and shows as they are. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,20})?$/;
const DATE = /^(?:(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d))?|(\d\d:\d\d:\d\d))$/;

export const isNumber = (text: string): boolean => NUMBER.test(text);
export const isBoolean = (text: string): boolean => text === "TRUE" || text === "FALSE";

/** Notes what the cells of a sheet are, so that an export as a workbook can have them again. */
export function createColumnTypes() {
  const seen = {
    number: new Map<number, boolean>(),
    date: new Map<number, boolean>(),
    boolean: new Map<number, boolean>(),
  };
  return {
    note(column: number, type: CellType, text: string): void {
      const kind = isNumber(text) ? "number" : isBoolean(text) ? "boolean" : serialOf(text) ? "date" : undefined;
      if (kind) seen[kind].set(column, type === kind && seen[kind].get(column) !== false);
    },
    found: (): ColumnTypes => ({
      ...{ numbers: allOf(seen.number), dates: allOf(seen.date), booleans: allOf(seen.boolean) },
    }),
  };
}

const allOf = (columns: Map<number, boolean>): number[] =>
  [...columns].flatMap(([column, is]) => (is ? [column] : [])).sort((a, b) => a - b);

const DAY_MS = 24 * 3600 * 1000;
const EPOCH = Date.UTC(1899, 11, 30);

/** Built-in formats (ECMA-376 part 1, 18.8.30), shown as the reader of the workbook is used to. */
export const DATE_FORMATS = { date: 14, time: 21, both: 22 } as const;

/** Returns the number that Excel keeps for an ISO 8601 date, time or both; undefined for other texts. */
export function serialOf(text: string): { serial: number; shown: keyof typeof DATE_FORMATS } | undefined {
  const [, date, timeOfDate, time = timeOfDate] = DATE.exec(text) ?? [];
  if (!date && !time) return undefined;
  const ms = Date.parse(`${date ?? "1899-12-30"}T${time ?? "00:00:00"}Z`);
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().includes(text);
  if (!isReal) return undefined;
  const days = (ms - EPOCH) / DAY_MS;
  // Excel counts 29 February 1900, which never was, as day 60.
  const serial = date && days < 61 ? days - 1 : days;
  return date && serial < 1 ? undefined : { serial, shown: !date ? "time" : time ? "both" : "date" };
}
