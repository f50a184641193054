import { scoreText } from "../results/outcome-words.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { MOST_CANDIDATES } from "../run/rows.ts";
import { wordsOf } from "../run/words.ts";
import { BYTE_ORDER_MARK, csvLines } from "./csv.ts";
import { type Receipt, receiptOf } from "./receipt.ts";
import { type ExportDeps, type ExportRow, exportRows } from "./rows.ts";

/** `csv`: the file with result columns; `failed`: failed listings with error columns; mappings: own id and venue id. */
export const EXPORT_FORMATS = ["csv", "failed", "mapping-csv", "mapping-ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  hasCandidates: boolean;
}

const OUTCOMES = { csv: undefined, failed: "failed", "mapping-csv": "matched", "mapping-ndjson": "matched" } as const;

export async function* exportText(
  deps: ExportDeps,
  harmonization: Harmonization,
  { format, hasCandidates }: ExportOptions,
): AsyncGenerator<string> {
  const outcome = OUTCOMES[format];
  const isMapping = outcome === "matched";
  const isJson = format === "mapping-ndjson";
  const found = hasCandidates ? [...RECEIPT, ...CANDIDATES] : RECEIPT;
  const columns = isMapping ? MAPPING : behind(harmonization.header, outcome === "failed" ? PROBLEM : found);
  const separator = isMapping ? "," : harmonization.format.separator;
  if (!isJson) yield BYTE_ORDER_MARK + csvLines([columns.map(([name]) => name)], separator);
  for await (const page of exportRows(deps, harmonization, { outcome, hasCandidates: hasCandidates && !outcome })) {
    const rows = page.flatMap((row) => {
      if (isMapping && !row.own_id) return [];
      const receipt = receiptOf(row, harmonization);
      return [columns.map(([, cell]) => cell(row, receipt))];
    });
    yield isJson ? rows.map(jsonLine).join("") : csvLines(rows, separator);
  }
}

type Column = [name: string, cell: (row: ExportRow, receipt: Receipt) => string];

const ofReceipt = (keys: Record<string, keyof Receipt>): Column[] =>
  Object.entries(keys).map(([name, key]) => [name, (_, receipt) => receipt[key]]);

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
  [`candidate_${at + 1}_score`, ({ candidates }) => scoreText(candidates[at]?.score)],
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
  const named = ours.map(([name, cell]): Column => {
    let free = name;
    while (taken.has(free)) free += " (Samespot)";
    return [free, cell];
  });
  return [...own, ...named];
}

function jsonLine(cells: string[]): string {
  const values = MAPPING.map(([name], at) => [name, name === "score" && cells[at] ? +cells[at] : cells[at] || null]);
  return `${JSON.stringify(Object.fromEntries(values))}\n`;
}

const CSV = "text/csv; charset=utf-8";
const FILES = {
  csv: { end: "-matched.csv", mediaType: CSV },
  candidates: { end: "-candidates.csv", mediaType: CSV },
  failed: { end: "-failed.csv", mediaType: CSV },
  "mapping-csv": { end: "-mapping.csv", mediaType: CSV },
  "mapping-ndjson": { end: "-mapping.ndjson", mediaType: "application/x-ndjson; charset=utf-8" },
};

export function exportFile(
  { name }: Pick<Harmonization, "name">,
  { format, hasCandidates }: ExportOptions,
): { name: string; mediaType: string } {
  const { end, mediaType } = FILES[format === "csv" && hasCandidates ? "candidates" : format];
  const stem = name.replace(/\.[a-z]{2,4}$/i, "").trim() || "listings";
  return { name: stem + end, mediaType };
}
