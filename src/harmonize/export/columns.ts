import type { Field } from "../../files/columns.ts";
import { candidateNames, FAILURE_NAMES, POSITION_FROM, type RECEIPT_NAMES } from "../../files/formats/fields.ts";
import { columnInWords, givenIn } from "../../files/row/row.ts";
import { scoreText } from "../results/outcome-words.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { wordsOf } from "../run/problems/words.ts";
import { MOST_CANDIDATES } from "../run/rows.ts";
import type { ExportOptions } from "./formats.ts";
import type { Placed } from "./geometry.ts";
import type { Receipt } from "./receipt.ts";
import type { ExportRow } from "./rows.ts";
import { type ExportColumn, freeName } from "./writers/table.ts";

type Column = [
  name: string,
  cell: (row: ExportRow, receipt: Receipt, placed: Placed | undefined) => string,
  kind?: ExportColumn["kind"],
  own?: Pick<ExportColumn, "isOwn" | "was">,
];

/** The columns of an export with their cells. */
export function columnsOf(
  h: Pick<Harmonization, "header" | "columns" | "name" | "format">,
  { format, hasCandidates }: ExportOptions,
  hasNotes = false,
): Column[] {
  if (format === "mapping-csv" || format === "mapping-ndjson") return MAPPING;
  if (format === "bridge-csv" || format === "bridge-parquet") return bridge(h.name);
  const noted: Column[] = hasNotes ? [["note", ({ notes }) => notes ?? ""]] : [];
  const found = [...RECEIPT, ...noted, ...(hasCandidates ? CANDIDATES : [])];
  if (format === "failed") return behind(h, failure(h));
  // Its own place: the other formats have no positions but the owner's columns.
  const placed: Column[] = [[POSITION_FROM, (_, __, placed) => placed?.from ?? ""]];
  return behind(h, format === "geojson" ? [...found, ...placed] : found);
}

const ofReceipt = (keys: Record<string, keyof Receipt>): Column[] =>
  Object.entries(keys).map(([name, key]) => [name, (_, receipt) => receipt[key], key === "score" ? "number" : "text"]);

const RECEIPT = ofReceipt({
  venue_id: "venueId",
  score: "score",
  decision: "decision",
  decided_by: "decidedBy",
  decided_at: "decidedAt",
  reason: "reason",
  attribution: "attribution",
} satisfies Record<(typeof RECEIPT_NAMES)[number], keyof Receipt>);

const CANDIDATES = Array.from({ length: MOST_CANDIDATES }, (_, at): Column[] => {
  const [id, name, score] = candidateNames(at + 1);
  return [
    [id, ({ candidates }) => candidates[at]?.id ?? ""],
    [name, ({ candidates }) => candidates[at]?.name ?? ""],
    [score, ({ candidates }) => scoreText(candidates[at]?.score), "number"],
  ];
}).flat();

function failure({ header, columns }: Pick<Harmonization, "header" | "columns">): Column[] {
  const cells: Record<(typeof FAILURE_NAMES)[number], Column[1]> = {
    error_line: ({ line }) => String(line),
    error_column: (row) => atFault(row).column ?? (atFault(row).near ? placeColumn(row) : ""),
    error_value: (row) => atFault(row).value ?? atFault(row).near ?? "",
    error_code: ({ problem }) => problem?.code ?? "",
    error_message: ({ problem }) => (problem ? wordsOf(problem) : ""),
  };
  // Of a row without a place the owner has said it, so that no column is at fault.
  const placeColumn = (row: ExportRow): string => {
    const given = givenIn(row.cells, columns);
    const field = PLACES.find((each) => columns[each] !== undefined && given[each] !== undefined);
    return (field && columnInWords(header, columns, field)) ?? "";
  };
  return FAILURE_NAMES.map((name): Column => [name, cells[name]]);
}

/** What a row names its place by, the most telling first (src/harmonize/query/to-query.ts, townOf). */
const PLACES: Field[] = ["city", "zip", "wholeAddress", "address"];

const atFault = ({ problem }: ExportRow) => (problem ?? {}) as Partial<Record<"column" | "value" | "near", string>>;

const MAPPING: Column[] = [
  ["listing_id", ({ own_id }) => own_id ?? ""],
  ...ofReceipt({ venue_id: "venueId", venue_name: "venueName", score: "score" }),
  ...ofReceipt({ decision: "decision", decided_at: "decidedAt" }),
  ...ofReceipt({ former_venue_id: "formerVenueId", venue_state: "venueState", attribution: "attribution" }),
];

/**
 * The columns of Overture's bridge files (https://docs.overturemaps.org/gers/bridge-files). The last two are the parts of a
 * road that belong together, and empty for venues.
 */
const bridge = (dataset: string): Column[] => [
  ["id", (_, { venueId }) => venueId],
  ["record_id", ({ own_id }) => own_id ?? ""],
  ["update_time", (_, { decidedAt }) => decidedAt],
  ["dataset", () => dataset],
  ["theme", () => "places"],
  ["type", () => "place"],
  ["between", () => "", "list"],
  ["dataset_between", () => "", "list"],
];

/** Appends our columns. Those whose name the owner's columns use get the suffix " (Samespot)". */
function behind({ header, format }: Pick<Harmonization, "header" | "format">, ours: Column[]): Column[] {
  // A column `hours.from` is part of one that the file has as `hours`.
  const taken = new Set(format.kind ? header.flatMap((name) => [name, name.replace(/\..*$/s, "")]) : header);
  const { numbers = [], percents = [], dates = [], booleans = [], filled = [] } = format.types ?? {};
  const types = { number: numbers, percent: percents, date: dates, boolean: booleans };
  const digitsOf = new Map(filled);
  const own = header.map((name, index): Column => {
    const was = (type: keyof typeof types) => types[type].includes(index);
    const digits = digitsOf.get(index);
    return [name, ({ cells }) => cells[index] ?? "", "text", { isOwn: true, was, ...(digits && { digits }) }];
  });
  const named = ours.map(([name, ...cell]): Column => [freeName(name, (each) => taken.has(each)), ...cell]);
  return [...own, ...named];
}
