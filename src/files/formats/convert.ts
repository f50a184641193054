import type { Opened, Work } from "./apart.ts";
import { atMost, MOST_UNPACKED } from "./base/limits.ts";
import { storedRow, type Table } from "./base/rows.ts";
import type { Source } from "./base/source.ts";
import { openZip } from "./base/zip.ts";
import { readJson } from "./json.ts";
import { readMapFile } from "./map-file.ts";
import { readParquet } from "./parquet.ts";
import { insideOf } from "./unpack.ts";
import { readWorkbook } from "./xlsx/workbook.ts";

/** Opens a file that is not delimited text. Throws KnownError 400 if it cannot be read, 413 if it is too large. */
export async function openFile(source: Source, work: Work): Promise<Opened> {
  const found = await openPacked(source, work);
  if ("inside" in found) return { content: "file", bytes: returning(found.inside(), {}) };
  const { format, rows } = found;
  return { content: "rows", bytes: returning(atMost(pieces(rows), MOST_UNPACKED, "As text, this file"), format) };
}

/** Like openFile(), without making text of the rows. `inside`: the only file of a zip file, read anew at each call. */
export async function openPacked(
  source: Source,
  work: Omit<Work, "size">,
): Promise<Table | { inside: () => AsyncIterable<Buffer> }> {
  if (work.kind === "parquet") return readParquet(source, work);
  if (work.kind === "json") return readJson(source, work);
  if (work.kind === "map") return readMapFile(source, work);
  const zip = await openZip(source);
  const inside = insideOf(zip);
  return inside === "workbook" ? readWorkbook(zip, work) : { inside: () => zip.open(inside.name) };
}

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
