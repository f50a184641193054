import { stringify } from "csv-stringify/sync";
import type { FileFormat } from "../../files/format.ts";
import { neutralised } from "../../shared/csv/formulas.ts";

export const BYTE_ORDER_MARK = "\ufeff";

/** Writes CSV (RFC 4180). Puts an apostrophe before possible formulas, which our reader removes (attacks W15, W24). */
export function csvLines(rows: string[][], separator: FileFormat["separator"] = ","): string {
  const cells = rows.map((row) => row.map((_, index) => neutralised(row, index, separator)));
  return stringify(cells, { delimiter: separator, record_delimiter: "\r\n", quoted_match: /[\r\n,;\t|]/ });
}
