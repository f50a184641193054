import type { LatLng } from "../../contract/parameters.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { ProblemCode } from "../run/problems.ts";
import { wordsOf } from "../run/words.ts";
import { type Asking, findPlace } from "./evidence.ts";
import { distanceTo, FAR, type Place } from "./places.ts";
import { spotOf } from "./spots.ts";

/** Why a listing is not added at a position unless somebody looks; undefined where nothing speaks against it. */
export type PlaceCheck = (cells: string[], ll: LatLng) => Promise<KnownError | undefined>;

/** Places that are remembered, because a file names the same ones again and again. */
const MOST_KNOWN = 10_000;

/**
 * Compares positions with the town, or else the postal code or the state, that the row names. A place that the directory does
 * not know is no objection. There is none either once the owner has said that the positions are right, or where the
 * directory has other places under the names of this file.
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

/** Code of a problem that keeps a listing from being added together with others. */
export const MISPLACED = "implausible_position" satisfies ProblemCode;

function misplaced(place: string, ll: LatLng, metres: number): KnownError {
  const params = { ll, km: Math.round(metres / 1000), place };
  return new KnownError(409, MISPLACED, wordsOf({ code: MISPLACED, ...params }), {
    ...{ title: "Is this the right position?", params },
  });
}
