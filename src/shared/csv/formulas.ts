import type { Separator } from "./csv.ts";

// Where a spreadsheet may see a formula begin (attacks W15, W24). One that expects another separator sees several cells in one
// of ours, each after a separator or line end, and may drop blanks and quotes before it.
const BLANKS = String.raw`[[\s"']--[\t\r\n]]*`;
const FORMULA = String.raw`${BLANKS}[=+\-@＝＋－＠]`;
const FIRST = String.raw`(?:${FORMULA}|${BLANKS}[\t\r\n])`;

// Numbers begin like formulas, but stay unchanged. So do phone numbers of digits and spaces, unless a spreadsheet would
// calculate with them: `+1-401-555-0144` is a subtraction, and `+33 401 555` in French a number with thousands separators.
const NUMBER = String.raw`[\-+]\d+(?:[.,]\d+)?(?:[eE][\-+]?\d{1,3})?`;
const PHONE = String.raw`\+(?!\d+(?: \d{3})+$)\d{1,4}(?: \d{1,12})+`;
const KEPT = `(?! *(?:${NUMBER}|${PHONE})$)`;

/** After our own separator, which is inside quotes, only an apostrophe that undoing would remove gets another. */
const places = (others: string, own: string, kept: string) =>
  new RegExp(`[${others}](?=${FORMULA})${kept}|[${own}](?='${FORMULA})`, "gv");
const placesFor = (others: string, own: string) => ({ all: places(others, own, ""), some: places(others, own, KEPT) });

const INSIDE: Record<Separator, ReturnType<typeof placesFor>> = {
  ",": placesFor(";\\t\\|\\r\\n", ","),
  ";": placesFor(",\\t\\|\\r\\n", ";"),
  "\t": placesFor(",;\\t\\|\\r\\n", ""), // a blank to others
  "|": placesFor(",;\\t\\r\\n", "\\|"),
};
const BEGIN = { all: new RegExp(`^${FIRST}`, "v"), some: new RegExp(`^${KEPT}${FIRST}`, "v") };
const OURS = new RegExp(`^'(?=${FIRST})|(?<=[,;\\t\\|\\r\\n])'(?=${FORMULA})`, "gv");

/** Without any of these, no text is a formula: most cells. */
const TELLING = /[=+\-@＝＋－＠\t\r\n]/;

/** What stands for “nothing” or “yes”. */
const LONE_SIGN = /^ *(?:-+|[+=@＝＋－＠]) *$/;

/**
 * Inserts apostrophes before formulas in a cell of a row. With a decimal comma as separator, the next cell may continue a number:
 * `-1,2+cmd|…`. A lone sign is no formula, unless a spreadsheet that expects another separator makes one of it and the cells behind.
 */
export function neutralised(row: readonly string[], index: number, separator: Separator): string {
  const cell = row[index] ?? "";
  if (!TELLING.test(cell)) return cell;
  if (LONE_SIGN.test(cell) && !row.slice(index + 1).some((each) => /[(|!]/.test(each))) return cell;
  const which = /^\d.*[(|!]/s.test(row[index + 1] ?? "") ? "all" : "some";
  return (BEGIN[which].test(cell) ? "'" : "") + cell.replace(INSIDE[separator][which], "$&'");
}

/** Undoes neutralised(). Also removes such an apostrophe that somebody else has inserted. */
export const withoutNeutralising = (cell: string): string => (cell.includes("'") ? cell.replace(OURS, "") : cell);
