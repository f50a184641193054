import type { LatLng } from "../../contract/parameters.ts";
import { isOnEarth } from "../file/position.ts";
import { givenIn, townOf, writtenPosition } from "../file/to-query.ts";
import type { Columns } from "../rows.ts";

/** A row with a position, as far as the two can be compared with what else it says of where it is. */
export interface Spot {
  line: number;
  name: string;
  /** As the file has it, also beyond the earth. */
  is: LatLng;
  /** False where there is no such position, or its letters say that the longitude stands first. */
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

/** At most so many, spread evenly, but not in step with what recurs every so many rows. Always the same ones. */
export function spread<T>(all: T[], most: number): T[] {
  if (all.length <= most) return all;
  const step = all.length / most;
  return Array.from({ length: most }, (_, index) => all[Math.floor((index + ((index * GOLDEN) % 1)) * step)] as T);
}

const GOLDEN = 0.618034;
