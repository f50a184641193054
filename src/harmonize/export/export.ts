import { scoreText } from "../results/outcome-words.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type FileFormat, MOST_CANDIDATES } from "../run/rows.ts";
import { wordsOf } from "../run/words.ts";
import { BYTE_ORDER_MARK, csvLines } from "./csv.ts";
import { type Receipt, receiptOf } from "./receipt.ts";
import { type ExportDeps, type ExportRow, exportRows } from "./rows.ts";
import { writeGeojson, writeJson, writeNdjson } from "./writers/json.ts";
import { writeParquet } from "./writers/parquet.ts";
import type { ExportTable, Pieces } from "./writers/table.ts";
import { writeXlsx } from "./writers/xlsx.ts";

/** Formats that a file with its results may have; the first is the default. */
export const TABLES = ["csv", "xlsx", "geojson", "parquet", "json", "ndjson"] as const;
export type TableFormat = (typeof TABLES)[number];

/**
 * The file with result columns in one of TABLES; `failed`: failed listings with error columns; mappings: own id and
 * venue id.
 */
export const EXPORT_FORMATS = [...TABLES, "failed", "mapping-csv", "mapping-ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  hasCandidates: boolean;
}

/** Yields an export in pieces of text or bytes. */
export function exportText(deps: ExportDeps, harmonization: Harmonization, options: ExportOptions): Pieces {
  const { format, hasCandidates } = options;
  const isMapping = format === "mapping-csv" || format === "mapping-ndjson";
  const outcome = isMapping ? "matched" : format === "failed" ? "failed" : undefined;
  const found = hasCandidates ? [...RECEIPT, ...CANDIDATES] : RECEIPT;
  const columns = isMapping ? MAPPING : behind(harmonization.header, outcome === "failed" ? PROBLEM : found);
  async function* pages(): ExportTable["pages"] {
    for await (const page of exportRows(deps, harmonization, { outcome, hasCandidates: hasCandidates && !outcome }))
      yield page.flatMap((row) => {
        if (isMapping && !row.own_id) return [];
        const receipt = receiptOf(row, harmonization);
        return [{ cells: columns.map(([, cell]) => cell(row, receipt)), ll: row.ll }];
      });
  }
  const table = {
    columns: columns.map(([name, , isNumber = false]) => ({ name, isNumber })),
    pages: pages(),
    rowCount: harmonization.listingCount,
  };
  if (format === "mapping-ndjson") return writeNdjson(table);
  const separator = isMapping ? "," : harmonization.format.separator;
  return isTable(format) && format !== "csv" ? WRITERS[format](table) : writeCsv(table, separator);
}

const isTable = (format: ExportFormat): format is TableFormat => TABLES.some((each) => each === format);

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

type Column = [name: string, cell: (row: ExportRow, receipt: Receipt) => string, isNumber?: boolean];

const ofReceipt = (keys: Record<string, keyof Receipt>): Column[] =>
  Object.entries(keys).map(([name, key]) => [name, (_, receipt) => receipt[key], key === "score"]);

const RECEIPT = ofReceipt({
  venue_id: "venueId",
  score: "score",
  decision: "decision",
  decided_by: "decidedBy",
  decided_at: "decidedAt",
  reason: "reason",
});

const CANDIDATES = Array.from({ length: MOST_CANDIDATES }, (_, at): Column[] => [
  [`candidate_${at + 1}_id`, ({ candidates }) => candidates[at]?.id ?? ""],
  [`candidate_${at + 1}_name`, ({ candidates }) => candidates[at]?.name ?? ""],
  [`candidate_${at + 1}_score`, ({ candidates }) => scoreText(candidates[at]?.score), true],
]).flat();

const PROBLEM: Column[] = [
  ["error_line", ({ line }) => String(line)],
  ["error_column", (row) => atFault(row, "column")],
  ["error_value", (row) => atFault(row, "value")],
  ["error_code", ({ problem }) => problem?.code ?? ""],
  ["error_message", ({ problem }) => (problem ? wordsOf(problem) : "")],
];

const atFault = ({ problem }: ExportRow, part: "column" | "value"): string =>
  (problem as Partial<Record<typeof part, string>> | null)?.[part] ?? "";

const MAPPING: Column[] = [
  ["listing_id", ({ own_id }) => own_id ?? ""],
  ...ofReceipt({ venue_id: "venueId", venue_name: "venueName", score: "score" }),
  ...ofReceipt({ decision: "decision", decided_at: "decidedAt" }),
];

/** Appends our columns. Those whose name the owner's columns use get the suffix " (Samespot)". */
function behind(header: string[], ours: Column[]): Column[] {
  const taken = new Set(header);
  const own = header.map((name, index): Column => [name, ({ cells }) => cells[index] ?? ""]);
  const named = ours.map(([name, ...cell]): Column => {
    let free = name;
    while (taken.has(free)) free += " (Samespot)";
    return [free, ...cell];
  });
  return [...own, ...named];
}

const CSV = "text/csv; charset=utf-8";
const MEDIA_TYPES: Record<TableFormat, string> = {
  csv: CSV,
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  geojson: "application/geo+json",
  parquet: "application/vnd.apache.parquet",
  json: "application/json",
  ndjson: "application/x-ndjson; charset=utf-8",
};
const OTHERS = {
  failed: { end: "-failed.csv", mediaType: CSV },
  "mapping-csv": { end: "-mapping.csv", mediaType: CSV },
  "mapping-ndjson": { end: "-mapping.ndjson", mediaType: MEDIA_TYPES.ndjson },
};

export function exportFile(
  { name }: Pick<Harmonization, "name">,
  { format, hasCandidates }: ExportOptions,
): { name: string; mediaType: string } {
  const { end, mediaType } = isTable(format)
    ? { end: `-${hasCandidates ? "candidates" : "matched"}.${format}`, mediaType: MEDIA_TYPES[format] }
    : OTHERS[format];
  const stem =
    name
      .replace(PACKED, "")
      .replace(/\.[a-z]{2,7}$/i, "")
      .trim() || "listings";
  return { name: stem + end, mediaType };
}

const PACKED = /\.(?:gz|zip)$/i;
