import type { Filter } from "../review/filter.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Outcome } from "../run/rows.ts";

/** Formats that a file with its results may have; the first is the default. */
export const TABLES = ["csv", "xlsx", "geojson", "parquet", "json", "ndjson"] as const;
export type TableFormat = (typeof TABLES)[number];

/** Own id and venue id of each match; bridge files have the shape of Overture's (columns.ts). */
export const MAPPINGS = ["mapping-csv", "mapping-ndjson", "bridge-csv", "bridge-parquet"] as const;

/** The file with result columns in one of TABLES; `failed`: failed listings with error columns. */
export const EXPORT_FORMATS = [...TABLES, "failed", ...MAPPINGS] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const isTable = (format: ExportFormat): format is TableFormat => TABLES.some((each) => each === format);

export const isMapping = (format: ExportFormat): boolean => MAPPINGS.some((each) => each === format);

export interface ExportOptions {
  format: ExportFormat;
  hasCandidates: boolean;
  /** Only these listings; `called` in the name of the file. */
  list?: ExportList | undefined;
  /** What stands for a venue id in the file; by default the id itself. */
  idOf?: ((venueId: string) => string) | undefined;
}

export interface ExportList {
  outcome: Outcome | undefined;
  text: string;
  filter: Filter;
  called: string;
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
  "bridge-csv": { end: "-bridge.csv", mediaType: CSV },
  "bridge-parquet": { end: "-bridge.parquet", mediaType: MEDIA_TYPES.parquet },
};

export function exportFile(
  { name }: Pick<Harmonization, "name">,
  { format, hasCandidates, list }: ExportOptions,
): { name: string; mediaType: string } {
  const { end, mediaType } = isTable(format)
    ? { end: `-${hasCandidates ? "candidates" : "matched"}.${format}`, mediaType: MEDIA_TYPES[format] }
    : OTHERS[format];
  const stem =
    name
      .replace(PACKED, "")
      .replace(/\.[a-z]{2,7}$/i, "")
      .trim() || "listings";
  return { name: `${stem}${list ? `-${list.called}` : ""}${end}`, mediaType };
}

const PACKED = /\.(?:gz|zip)$/i;
