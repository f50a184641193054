import { stringify } from "csv-stringify/sync";

/** In front of a file: by it Excel knows UTF-8. Readers take it away. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * Lines of a CSV (RFC 4180), each ended. A spreadsheet must not take a text for a formula: one that begins like one gets a
 * `'` in front, which our reader takes away again (attacks W15). Numbers begin like one too, and stay as they are; so do
 * phone numbers of digits and blanks, of which no spreadsheet makes a number.
 */
export function csvLines(rows: string[][], separator = ","): string {
  const formulas = { escape_formulas: true, cast: { string } };
  return stringify(rows, { delimiter: separator, record_delimiter: "\r\n", quoted_match: /[\r\n]/, ...formulas });
}

const string = (cell: string) =>
  SIGNED_NUMBER.test(cell) || PHONE.test(cell) ? { value: cell, escape_formulas: false } : cell;

const SIGNED_NUMBER = /^[-+]\d+(?:[.,]\d+)?(?:e[-+]?\d{1,3})?$/i;
/** Neither `+1-401-555-0144`, a subtraction, nor `+33 401 555`, in French a number with its thousands apart. */
const PHONE = /^\+(?!\d+(?: \d{3})+$)\d{1,4}(?: \d{1,12})+$/;
