import type { FileFormat } from "../../files/format.ts";
import { currentLanguage, inLanguage } from "../../language/translate.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { columnsOf } from "./columns.ts";
import { BYTE_ORDER_MARK, csvLines } from "./csv.ts";
import { type ExportOptions, isMapping, isTable, type TableFormat } from "./formats.ts";
import { geometryOf } from "./geometry.ts";
import { receiptOf } from "./receipt.ts";
import { type ExportDeps, type ExportRow, exportRows } from "./rows.ts";
import { writeGeojson, writeJson, writeNdjson } from "./writers/json.ts";
import { writeParquet } from "./writers/parquet.ts";
import type { ExportTable, Pieces } from "./writers/table.ts";
import { writeXlsx } from "./writers/xlsx.ts";

/** Yields an export in pieces of text or bytes. */
export function exportText(deps: ExportDeps, harmonization: Harmonization, options: ExportOptions): Pieces {
  const { format, hasCandidates, list } = options;
  const isOfMappings = isMapping(format);
  const outcome = isOfMappings ? "matched" : format === "failed" ? "failed" : undefined;
  const wanted = { ...list, outcome: outcome ?? list?.outcome, hasCandidates: hasCandidates && !outcome };
  const columns = columnsOf(harmonization, options);
  // Pages are read when the network asks for them, which is outside of the request.
  const language = currentLanguage();
  const tableRow = (row: ExportRow) => {
    if (isOfMappings && !row.own_id) return [];
    const receipt = receiptOf(row, harmonization);
    const cells = columns.map(([, cell]) => cell(row, receipt));
    return [format === "geojson" ? { cells, geometry: geometryOf(row, harmonization.header).geometry } : { cells }];
  };
  async function* pages(): ExportTable["pages"] {
    for await (const page of exportRows(deps, harmonization, wanted))
      yield inLanguage(language, () => page.flatMap(tableRow));
  }
  const table = {
    columns: columns.map(([name, , kind = "text", was]) => ({ name, kind, ...(was && { was }) })),
    pages: pages(),
    rowCount: harmonization.listingCount,
  };
  if (format === "mapping-ndjson") return writeNdjson(table);
  if (format === "bridge-parquet") return writeParquet(table);
  const separator = isOfMappings ? "," : harmonization.format.separator;
  return isTable(format) && format !== "csv" ? WRITERS[format](table) : writeCsv(table, separator);
}

const WRITERS: Record<Exclude<TableFormat, "csv">, (table: ExportTable) => Pieces> = {
  xlsx: writeXlsx,
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
