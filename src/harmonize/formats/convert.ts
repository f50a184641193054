import type { Encoding } from "../../shared/csv/text.ts";
import type { Kind } from "../run/rows.ts";
import { atMost, MOST_UNPACKED } from "./base/limits.ts";
import { storedRow, type Table } from "./base/rows.ts";
import type { Source } from "./base/source.ts";
import { readJson } from "./json.ts";
import { readParquet } from "./parquet.ts";
import { readWorkbook } from "./xlsx/workbook.ts";

interface Options {
  encoding: Encoding;
  sheet: string | undefined;
  mostColumns: number;
}

/** Opens a file that is not delimited text. Throws KnownError 400 if it cannot be read, 413 if it is too large. */
export function openTable(kind: Kind, source: Source, { encoding, sheet, mostColumns }: Options): Promise<Table> {
  if (kind === "xlsx") return readWorkbook(source, sheet);
  return kind === "parquet" ? readParquet(source, mostColumns) : readJson(source, { encoding, mostColumns });
}

const PIECE = 64 * 1024;

/** The rows as they are stored, so that all that follows reads delimited text only. */
export const storedBytes = (rows: Table["rows"]): AsyncGenerator<Buffer> =>
  atMost(pieces(rows), MOST_UNPACKED, "As text, this file");

async function* pieces(rows: Table["rows"]): AsyncGenerator<Buffer> {
  let text = "";
  for await (const row of rows) {
    text += storedRow(row);
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}
