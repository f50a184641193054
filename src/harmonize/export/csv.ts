import { stringify } from "csv-stringify/sync";
import { neutralised } from "../../shared/csv/formulas.ts";
import type { FileFormat } from "../run/rows.ts";

/** In front of a file: by it Excel knows UTF-8. Readers take it away. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * Lines of a CSV (RFC 4180), each ended. A spreadsheet must not take a text for a formula, whichever separator it expects: an
 * apostrophe stands where one could begin, which our reader takes away again (attacks W15, W24).
 */
export function csvLines(rows: string[][], separator: FileFormat["separator"] = ","): string {
  const cells = rows.map((row) => row.map((cell, index) => neutralised(cell, separator, row[index + 1])));
  return stringify(cells, { delimiter: separator, record_delimiter: "\r\n", quoted_match: /[\r\n,;\t|]/ });
}
