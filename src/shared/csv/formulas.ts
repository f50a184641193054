import type { Separator } from "./csv.ts";

// Where a spreadsheet may see a cell begin with what it takes for a formula (attacks W15, W24). A spreadsheet that expects
// another separator sees several cells in one of ours. Each of them begins behind a separator or a line end, and blanks and
// quotes in front of it may be dropped.
const BLANKS = String.raw`[[\s"']--[\t\r\n]]*`;
const FORMULA = String.raw`${BLANKS}[=+\-@＝＋－＠]`;
const FIRST = String.raw`(?:${FORMULA}|${BLANKS}[\t\r\n])`;

// Numbers begin like formulas and stay as they are up to the end of a cell. So do phone numbers of digits and spaces, of which
// no spreadsheet makes a number: neither `+1-401-555-0144`, a subtraction, nor `+33 401 555`, in French a number with its
// thousands apart.
const NUMBER = String.raw`[\-+]\d+(?:[.,]\d+)?(?:[eE][\-+]?\d{1,3})?`;
const PHONE = String.raw`\+(?!\d+(?: \d{3})+$)\d{1,4}(?: \d{1,12})+`;
const KEPT = `(?! *(?:${NUMBER}|${PHONE})$)`;

/**
 * What an apostrophe goes behind. The file's own separator stands inside quotes, so behind it only an apostrophe that would be
 * read as ours gets another one.
 */
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

/**
 * A cell with an apostrophe wherever a spreadsheet could see a formula begin.
 *
 * @param next the cell to its right: where the separator is a decimal comma, a number goes on there, as in `-1,2+cmd|…`
 */
export function neutralised(cell: string, separator: Separator, next = ""): string {
  const which = /^\d.*[(|!]/s.test(next) ? "all" : "some";
  return (BEGIN[which].test(cell) ? "'" : "") + cell.replace(INSIDE[separator][which], "$&'");
}

/** Undoes neutralised(). It also takes an apostrophe that somebody else has put in front of a formula for ours. */
export const withoutNeutralising = (cell: string): string => (cell.includes("'") ? cell.replace(OURS, "") : cell);
