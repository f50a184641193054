import { scoreText } from "../results/outcome-words.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Candidate, MOST_CANDIDATES } from "../run/rows.ts";
import { BYTE_ORDER_MARK, csvLines } from "./csv.ts";
import { receiptOf } from "./receipt.ts";
import { type ExportDeps, type ExportRow, exportRows } from "./rows.ts";

/**
 * `csv` is the file with its columns as they were, and behind them what came of each listing; `failed` the same of the
 * listings that failed, with what is wrong with them; the mappings are own id and venue id of those that have both.
 */
export const EXPORT_FORMATS = ["csv", "failed", "mapping-csv", "mapping-ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  /** With `csv`: columns for all candidates of each listing. */
  hasCandidates: boolean;
}

/** An export as pieces of text, in whatever state the harmonization is. A page is read when the one before has been taken. */
export function exportText(
  deps: ExportDeps,
  harmonization: Harmonization,
  { format, hasCandidates }: ExportOptions,
): AsyncGenerator<string> {
  if (format === "csv") return allListings(deps, harmonization, hasCandidates);
  if (format === "failed") return failedListings(deps, harmonization);
  return mappings(deps, harmonization, format === "mapping-csv");
}

const RECEIPT = ["venue_id", "score", "decision", "decided_by", "decided_at", "reason"];
const CANDIDATES = Array.from({ length: MOST_CANDIDATES }, (_, at) => `candidate_${at + 1}`);

async function* allListings(deps: ExportDeps, harmonization: Harmonization, hasCandidates: boolean) {
  const { header, format } = harmonization;
  const all = hasCandidates ? CANDIDATES.flatMap((name) => [`${name}_id`, `${name}_name`, `${name}_score`]) : [];
  yield BYTE_ORDER_MARK + csvLines([withoutClash(header, [...RECEIPT, ...all])], format.separator);
  for await (const page of exportRows(deps, harmonization, { hasCandidates })) {
    const rows = page.map((row) => {
      const { venueId, score, decision, decidedBy, decidedAt, reason } = receiptOf(row, harmonization);
      const candidates = hasCandidates ? CANDIDATES.flatMap((_, at) => candidateCells(row.candidates[at])) : [];
      return [...ownCells(header, row), venueId, score, decision, decidedBy, decidedAt, reason, ...candidates];
    });
    yield csvLines(rows, format.separator);
  }
}

const PROBLEM = ["error_line", "error_column", "error_value", "error_code", "error_message"];

async function* failedListings(deps: ExportDeps, harmonization: Harmonization) {
  const { header, format } = harmonization;
  yield BYTE_ORDER_MARK + csvLines([withoutClash(header, PROBLEM)], format.separator);
  for await (const page of exportRows(deps, harmonization, { outcome: "failed", hasCandidates: false })) {
    const rows = page.map((row) => {
      const { column = "", value = "", code = "", message = "" } = row.problem ?? {};
      return [...ownCells(header, row), String(row.line), column, value, code, message];
    });
    yield csvLines(rows, format.separator);
  }
}

const MAPPING = ["listing_id", "venue_id", "venue_name", "score", "decision", "decided_at"];

async function* mappings(deps: ExportDeps, harmonization: Harmonization, isCsv: boolean) {
  if (isCsv) yield BYTE_ORDER_MARK + csvLines([MAPPING]);
  for await (const page of exportRows(deps, harmonization, { outcome: "matched", hasCandidates: false })) {
    const rows = page.flatMap((row) => {
      const { venueId, venueName, score, decision, decidedAt } = receiptOf(row, harmonization);
      return row.own_id ? [[row.own_id, venueId, venueName, score, decision, decidedAt]] : [];
    });
    yield isCsv ? csvLines(rows) : rows.map(jsonLine).join("");
  }
}

/** A score is a number, and what is not known is null. */
function jsonLine(cells: string[]): string {
  const entries = MAPPING.map((name, at) => [name, cells[at] || null] as const);
  return `${JSON.stringify(Object.fromEntries(entries), (name, value) => (name === "score" && value ? Number(value) : value))}\n`;
}

/** A column of ours that is called as one of theirs says whose it is. */
function withoutClash(header: string[], ours: string[]): string[] {
  const taken = new Set(header);
  const named = ours.map((name) => {
    let free = name;
    while (taken.has(free)) free += " (Samespot)";
    return free;
  });
  return [...header, ...named];
}

const ownCells = (header: string[], { cells }: ExportRow): string[] => header.map((_, index) => cells[index] ?? "");

const candidateCells = (candidate: Candidate | undefined): string[] =>
  candidate ? [candidate.id, candidate.name, scoreText(candidate.score)] : ["", "", ""];

const CSV = "text/csv; charset=utf-8";
const FILES = {
  csv: { end: "-matched.csv", mediaType: CSV },
  candidates: { end: "-candidates.csv", mediaType: CSV },
  failed: { end: "-failed.csv", mediaType: CSV },
  "mapping-csv": { end: "-mapping.csv", mediaType: CSV },
  "mapping-ndjson": { end: "-mapping.ndjson", mediaType: "application/x-ndjson; charset=utf-8" },
};

/** File name and media type of an export: of `stores.csv` it is `stores-matched.csv`, with all candidates another. */
export function exportFile(
  { name }: Pick<Harmonization, "name">,
  { format, hasCandidates }: ExportOptions,
): { name: string; mediaType: string } {
  const { end, mediaType } = FILES[format === "csv" && hasCandidates ? "candidates" : format];
  const stem = name.replace(/\.[a-z]{2,4}$/i, "").trim() || "listings";
  return { name: stem + end, mediaType };
}
