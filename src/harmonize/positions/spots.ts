import type { LatLng } from "../../contract/parameters.ts";
import { isOnEarth } from "../query/position.ts";
import { givenIn, townOf, writtenPosition } from "../query/to-query.ts";
import type { Columns } from "../run/rows.ts";

/** The position of a row, and what else the row says about where it is. */
export interface Spot {
  line: number;
  name: string;
  /** As the file has it, even if impossible. */
  is: LatLng;
  /** False for a position that is not on earth, or whose letters put the longitude first. */
  isPossible: boolean;
  /** Its town, postal code or state, in words that a directory may understand. */
  place: string | undefined;
  /** ISO 3166-1 alpha-2, where the file has it so. */
  country: string | undefined;
}

/** Undefined for a row without a position; 0, 0 is none. */
export function spotOf({ line, cells }: { line: number; cells: string[] }, columns: Columns): Spot | undefined {
  const given = givenIn(cells, columns);
  const written = writtenPosition(given);
  if ("unread" in written || (written.ll.lat === 0 && written.ll.lng === 0)) return undefined;
  const state = given.state && [given.state, given.country].filter(Boolean).join(", ").slice(0, 200);
  return {
    ...{ line, name: (given.name ?? "").slice(0, 100).toWellFormed(), is: written.ll },
    isPossible: isOnEarth(written.ll) && !written.isTurned,
    place: townOf(given) ?? state,
    country: /^[a-z]{2}$/i.test(given.country ?? "") ? given.country?.toUpperCase() : undefined,
  };
}
