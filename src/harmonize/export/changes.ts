import { type ChangedVenue, changedListings } from "../changes/changes.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type CsvColumns, cellsOf, csvHead, csvLines } from "./csv.ts";
import { writeJson } from "./writers/json.ts";

export const CHANGES_FORMATS = ["csv", "json"] as const;
export type ChangesFormat = (typeof CHANGES_FORMATS)[number];

/** Yields a file with a row for each listing whose venue has changed. */
export function changesText(
  deps: Pick<Harmonizer, "pool">,
  run: Harmonization,
  format: ChangesFormat,
): AsyncIterable<string | Uint8Array> {
  async function* pages() {
    for await (const rows of changedListings(deps, run))
      yield rows.map((row) => ({ line: row.line, cells: cellsOf(COLUMNS, row) }));
  }
  async function* csv() {
    yield csvHead(COLUMNS);
    for await (const rows of pages()) if (rows.length > 0) yield csvLines(rows.map(({ cells }) => cells));
  }
  if (format === "csv") return csv();
  const columns = Object.keys(COLUMNS).map((name) => ({
    name,
    kind: NUMBERS.includes(name) ? ("number" as const) : ("text" as const),
  }));
  return writeJson({ columns, pages: pages(), rowCount: run.listingCount });
}

const COLUMNS: CsvColumns<ChangedVenue> = {
  line: ({ line }) => String(line),
  listing_id: ({ ownId }) => ownId ?? "",
  listing_name: ({ listing }) => listing ?? "",
  venue_id: ({ venueId }) => venueId,
  change: ({ change }) => change,
  venue_id_now: ({ change, nowId }) => (change === "gone" ? "" : (nowId ?? "")),
  venue_name_was: ({ wasName }) => wasName ?? "",
  venue_name_now: ({ name }) => name ?? "",
  metres: ({ metres }) => (metres === null ? "" : String(metres)),
  attribution: ({ credit }) => credit ?? "",
};
const NUMBERS = ["line", "metres"];
