import { distanceBetween } from "../../../matching/distance.ts";
import type { Stored } from "../store-venues.ts";
import type { Ending } from "./edition.ts";

/** What an import does to a venue of the directory. */
export type Change =
  | { change: "new"; id: string; name: string }
  /** `metres`: how far it moved. */
  | { change: "changed" | "moved" | "reopened"; id: string; name: string; columns: string[]; metres: number }
  | Ending;

/** Number of venues by outcome; each venue is counted once. */
export type Changes = Record<Change["change"], number>;
export const NO_CHANGES: Changes = { new: 0, changed: 0, moved: 0, reopened: 0, closed: 0, removed: 0, merged: 0 };

/** Metres. A shorter way is a better position of the same place. */
const MOVED = 20;

export function* changesOf(
  { added, updated }: Pick<Stored, "added" | "updated">,
  names: ReadonlyMap<string, string>,
): Generator<Change> {
  for (const id of added) yield { change: "new", id, name: names.get(id) ?? "" };
  for (const { id, name, fromLat, fromLng, lat, lng, wasClosed, columns } of updated) {
    const metres = Math.round(distanceBetween({ lat: fromLat, lng: fromLng }, { lat, lng }));
    const change = wasClosed ? "reopened" : metres >= MOVED ? "moved" : "changed";
    yield { change, id, name, columns, metres };
  }
}
