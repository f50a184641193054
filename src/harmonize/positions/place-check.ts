import { formatLl, type LatLng } from "../../contract/parameters.ts";
import { KnownError } from "../../errors.ts";
import type { Harmonization } from "../harmonizations.ts";
import { type Asking, findPlace } from "./evidence.ts";
import { distanceTo, FAR, type Place } from "./places.ts";
import { spotOf } from "./spots.ts";

/** Why a listing is not added at a position without a look; undefined where it may be there. */
export type PlaceCheck = (cells: string[], ll: LatLng) => Promise<KnownError | undefined>;

/** Places that are remembered: a file names the same ones again and again. */
const MOST_KNOWN = 10_000;

/**
 * Compares positions with the town, or else the postal code or the state, that the row names. What the directory does not
 * know is no objection; nor is anything once the owner has said that the positions are right, or where all names of the file
 * belong to other places of the directory.
 */
export function createPlaceCheck(
  asking: Pick<Asking, "directory" | "auth">,
  { columns, positions }: Pick<Harmonization, "columns" | "positions">,
): PlaceCheck {
  if (positions?.answer === "right" || positions?.verdict === "elsewhere") return async () => undefined;
  const known = new Map<string, Place | undefined>();
  return async (cells, ll) => {
    const { place: name, country } = spotOf({ line: 0, cells }, columns) ?? {};
    if (name === undefined) return undefined;
    if (!known.has(name) && known.size < MOST_KNOWN) known.set(name, await findPlace(asking, name, country));
    const place = known.get(name);
    const metres = place ? distanceTo(place, ll) : 0;
    return metres > FAR ? misplaced(name, ll, metres) : undefined;
  };
}

/** Of a problem that keeps a listing from being added together with others. */
export const MISPLACED = "implausible_position";

const misplaced = (place: string, ll: LatLng, metres: number) =>
  new KnownError(
    409,
    MISPLACED,
    `Its position, ${formatLl(ll)}, is ${Math.round(metres / 1000).toLocaleString("en")} km from ${place}. Look at it before you add it.`,
    { title: "Is this the right position?" },
  );
