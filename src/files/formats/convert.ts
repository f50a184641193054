import type { Opened, Work } from "./apart.ts";
import { atMost, MOST_UNPACKED } from "./base/limits.ts";
import { storedRow, type Table } from "./base/rows.ts";
import type { Source } from "./base/source.ts";
import { openZip } from "./base/zip.ts";
import { readJson } from "./json.ts";
import { readParquet } from "./parquet.ts";
import { insideOf } from "./unpack.ts";
import { readWorkbook } from "./xlsx/workbook.ts";

/** Opens a file that is not delimited text. Throws KnownError 400 if it cannot be read, 413 if it is too large. */
export async function openFile(source: Source, work: Work): Promise<Opened> {
  if (work.kind === "parquet") return asText(await readParquet(source, work));
  if (work.kind === "json") return asText(await readJson(source, work));
  const zip = await openZip(source);
  const inside = insideOf(zip);
  if (inside === "workbook") return asText(await readWorkbook(zip, work));
  return { content: "file", bytes: returning(zip.open(inside.name), {}) };
}

/** The rows as they are stored, so that all that follows reads delimited text only. */
const asText = ({ format, rows }: Table): Opened => ({
  content: "rows",
  bytes: returning(atMost(pieces(rows), MOST_UNPACKED, "As text, this file"), format),
});

/** A format is complete when all rows have been read. */
async function* returning(bytes: AsyncIterable<Buffer>, format: Table["format"]): Opened["bytes"] {
  yield* bytes;
  return format;
}

const PIECE = 64 * 1024;

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
