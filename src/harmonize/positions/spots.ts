import type { LatLng } from "../../contract/parameters.ts";
import type { Columns } from "../../files/columns.ts";
import { isOnEarth } from "../../files/row/position.ts";
import { type Cells, givenIn, writtenPosition } from "../../files/row/row.ts";
import { townOf } from "../query/to-query.ts";

export interface Spot {
  line: number;
  name: string;
  is: LatLng;
  isPossible: boolean;
  /** Town, postal code or state, as a value for `near`. */
  place: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
}

export function spotOf({ line, cells }: { line: number; cells: string[] }, columns: Columns): Spot | undefined {
  const given = givenIn(cells, columns);
  const written = writtenPosition(given);
  if ("unread" in written || (written.ll.lat === 0 && written.ll.lng === 0)) return undefined;
  return {
    line,
    name: (given.name ?? "").slice(0, 100).toWellFormed(),
    is: written.ll,
    isPossible: isOnEarth(written.ll) && !written.isTurned,
    ...placeNamed(given),
  };
}

export function placeNamed(given: Cells): Pick<Spot, "place" | "country"> {
  const state = given.state && [given.state, given.country].filter(Boolean).join(", ").slice(0, 200);
  return { place: townOf(given) ?? state, country: countryIn(given.country) };
}

export const countryIn = (cell: string | undefined): string | undefined =>
  /^\s*[a-z]{2}\s*$/i.test(cell ?? "") ? cell?.trim().toUpperCase() : undefined;
