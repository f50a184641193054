import { patiently as aMinute } from "../../db/unavailable.ts";
import type { FileFormat } from "../../files/format.ts";
import { type OwnRecord, ownRecords } from "../../files/formats/json.ts";
import { currentLanguage, inLanguage } from "../../language/translate.ts";
import { ownBytes } from "../file/parts.ts";
import { hasNotes } from "../review/notes.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { columnsOf } from "./columns.ts";
import { BYTE_ORDER_MARK, csvLines } from "./csv.ts";
import { type ExportOptions, isMapping } from "./formats.ts";
import { geometryIn } from "./geometry.ts";
import { receiptOf } from "./receipt.ts";
import { type ExportDeps, type ExportRow, exportRows } from "./rows.ts";
import { writeGeojson, writeJson, writeNdjson } from "./writers/json.ts";
import { writeParquet, writeParquetBehind } from "./writers/parquet.ts";
import type { ExportTable, Pieces, TableRow } from "./writers/table.ts";
import { writeXlsx } from "./writers/xlsx.ts";

/** Yields an export in pieces of text or bytes. A file with notes has them in a column. */
export function exportText(deps: ExportDeps, harmonization: Harmonization, options: ExportOptions): Pieces {
  // Pages are read when the network asks for them, which is outside of the request.
  return pieces(deps, harmonization, options, currentLanguage());
}

async function* pieces(
  deps: ExportDeps,
  harmonization: Harmonization,
  options: ExportOptions,
  language: ReturnType<typeof currentLanguage>,
): Pieces {
  const { format, hasCandidates, list, idOf } = options;
  const { pool, patiently = aMinute } = deps;
  const isOfMappings = isMapping(format);
  const noted = !isOfMappings && (await patiently(() => hasNotes(pool, harmonization.id)));
  const outcome = isOfMappings ? "matched" : format === "failed" ? "failed" : undefined;
  const wanted = {
    ...list,
    outcome: outcome ?? list?.outcome,
    hasCandidates: hasCandidates && !outcome,
    hasNotes: noted,
  };
  const columns = columnsOf(harmonization, options, noted);
  const geometryOf = format === "geojson" ? geometryIn(harmonization.header) : undefined;
  const tableRow = (row: ExportRow): TableRow[] => {
    if (isOfMappings && !row.own_id) return [];
    const receipt = receiptOf(row, harmonization);
    const placed = geometryOf?.(row);
    const cells = columns.map(([, cell]) => cell(row, receipt, placed));
    return [{ line: row.line, cells, ...(placed && { placed }) }];
  };
  async function* pages(): ExportTable["pages"] {
    for await (const page of exportRows(deps, harmonization, wanted)) {
      const rows = idOf ? page.map((row) => withIds(row, idOf)) : page;
      yield inLanguage(language, () => rows.flatMap(tableRow));
    }
  }
  const table = {
    columns: columns.map(([name, , kind = "text", own]) => ({ name, kind, ...own })),
    pages: pages(),
    rowCount: harmonization.listingCount,
  };
  if (format === "mapping-ndjson") yield* writeNdjson(table);
  else if (format === "bridge-parquet") yield* writeParquet(table);
  else if (format === "parquet" || format === "json" || format === "ndjson" || format === "geojson")
    yield* writeTyped(deps, harmonization, table, format);
  else if (format === "xlsx") yield* writeXlsx(table);
  else yield* writeCsv(table, isOfMappings ? "," : harmonization.format.separator);
}

const withIds = (row: ExportRow, idOf: (venueId: string) => string): ExportRow => ({
  ...row,
  venue_id: row.venue_id && idOf(row.venue_id),
  best_id: row.best_id && idOf(row.best_id),
  candidates: row.candidates.map((each) => ({ ...each, id: idOf(each.id) })),
});

/** Writes what the owner's columns were made of, if the file came in this format or another one of JSON; otherwise their text. */
async function* writeTyped(
  { pool, patiently = aMinute }: ExportDeps,
  { id, format }: Harmonization,
  table: ExportTable,
  to: keyof typeof WRITERS,
): Pieces {
  const { kind, hasHeader, headerLine = 0, ownEncoding = "utf-8" } = format;
  // Of a file whose names stand in a later row, rows are left out.
  const isWhole = hasHeader && headerLine === 0;
  const isAlike = kind === "parquet" ? to === "parquet" : (kind === "json" || kind === "geojson") && to !== "parquet";
  const source = isWhole && isAlike ? await ownBytes(pool, id, patiently) : undefined;
  if (!source) yield* WRITERS[to](table);
  else if (to === "parquet") yield* writeParquetBehind(table, source);
  else yield* WRITERS[to]({ ...table, pages: withRecords(table.pages, ownRecords(source, ownEncoding)) });
}

/** Gives each row the record on its line. Both come in the order of the file. */
async function* withRecords(
  pages: ExportTable["pages"],
  records: AsyncGenerator<OwnRecord[]>,
): AsyncGenerator<TableRow[]> {
  let some: OwnRecord[] = [];
  let at = 0;
  async function recordOn(line: number): Promise<OwnRecord | undefined> {
    for (;;) {
      const record = some[at];
      if (record && record.line >= line) return record.line === line ? record : undefined;
      if (record) at += 1;
      else {
        const next = await records.next();
        if (next.done) return undefined;
        some = next.value;
        at = 0;
      }
    }
  }
  for await (const rows of pages) {
    const found: TableRow[] = [];
    for (const row of rows) {
      const record = await recordOn(row.line);
      found.push(record ? { ...row, record } : row);
    }
    yield found;
  }
}

const WRITERS = {
  geojson: writeGeojson,
  parquet: writeParquet,
  json: writeJson,
  ndjson: writeNdjson,
};

async function* writeCsv({ columns, pages }: ExportTable, separator: FileFormat["separator"]): Pieces {
  yield BYTE_ORDER_MARK + csvLines([columns.map(({ name }) => name)], separator);
  for await (const rows of pages) {
    const cells = rows.map((row) => row.cells);
    yield csvLines(cells, separator);
  }
}
