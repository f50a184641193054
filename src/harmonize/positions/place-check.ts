import type { LatLng } from "../../contract/parameters.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { ProblemCode } from "../run/problems/problems.ts";
import { wordsOf } from "../run/problems/words.ts";
import { type Asking, findPlace } from "./evidence.ts";
import { distanceTo, FAR, type Place } from "./places.ts";
import { spotOf } from "./spots.ts";

export type PlaceCheck = (cells: string[], ll: LatLng) => Promise<KnownError | undefined>;

const MOST_KNOWN = 10_000;

/**
 * Compares positions with the places that rows name. Accepts unknown places, and everything once the owner has
 * confirmed the positions or the verdict is `elsewhere`.
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

export const MISPLACED = "implausible_position" satisfies ProblemCode;

function misplaced(place: string, ll: LatLng, metres: number): KnownError {
  const params = { ll, km: Math.round(metres / 1000), place };
  return new KnownError(409, MISPLACED, wordsOf({ code: MISPLACED, ...params }), {
    ...{ title: t("Is this the right position?"), params },
  });
}
