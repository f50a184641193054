import { type ChangedVenue, changedListings } from "../changes/changes.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { BYTE_ORDER_MARK, csvLines } from "./csv.ts";
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
      yield rows.map((row) => ({ line: row.line, cells: cellsOf(row) }));
  }
  async function* csv() {
    yield BYTE_ORDER_MARK + csvLines([COLUMNS]);
    for await (const rows of pages()) if (rows.length > 0) yield csvLines(rows.map(({ cells }) => cells));
  }
  if (format === "csv") return csv();
  const columns = COLUMNS.map((name) => ({
    name,
    kind: NUMBERS.includes(name) ? ("number" as const) : ("text" as const),
  }));
  return writeJson({ columns, pages: pages(), rowCount: run.listingCount });
}

const COLUMNS = [
  ...["line", "listing_id", "listing_name", "venue_id", "change", "venue_id_now"],
  ...["venue_name_was", "venue_name_now", "metres", "attribution"],
];
const NUMBERS = ["line", "metres"];

const cellsOf = ({ line, ownId, listing, venueId, change, nowId, ...venue }: ChangedVenue): string[] => [
  ...[String(line), ownId ?? "", listing ?? "", venueId, change, change === "gone" ? "" : (nowId ?? "")],
  ...[venue.wasName ?? "", venue.name ?? "", venue.metres === null ? "" : String(venue.metres), venue.credit ?? ""],
];
