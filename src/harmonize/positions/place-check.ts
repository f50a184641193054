import type { LatLng } from "../../contract/parameters.ts";
import { type HowRead, repairedRow } from "../query/repaired-row.ts";
import { ROW_SLIPS, undoSlip } from "../query/slips.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { ProblemCode, ProblemOf } from "../run/problems/problems.ts";
import { type Asking, findPlace } from "./evidence.ts";
import type { Neighbours, Slipped } from "./neighbours.ts";
import { distanceTo, FAR, NEAR, type Place } from "./places.ts";
import { placeNamed } from "./spots.ts";

/** Codes of the problems of listings that are held back from being added with the others. */
export const DOUBTFUL = ["implausible_position", "mistyped_position"] as const satisfies ProblemCode[];
export type Doubt = ProblemOf<(typeof DOUBTFUL)[number]>;

/** Takes a row's cells, and where it is to be added. Throws DirectoryError. */
export type PositionCheck = (cells: string[], ll: LatLng) => Promise<Doubt | undefined>;

const MOST_KNOWN = 10_000;

/**
 * Compares positions with the place that a row names and with the other rows (attacks F30, F81). The place counts more, if the
 * directory knows it. Accepts everything once the owner has confirmed the positions, and distant places if the verdict is
 * `elsewhere`.
 */
export function createPositionCheck(
  asking: Pick<Asking, "directory" | "auth">,
  h: HowRead & Pick<Harmonization, "positions">,
  { slipOf }: Pick<Neighbours, "slipOf">,
): PositionCheck {
  const { positions } = h;
  if (positions?.answer === "right") return async () => undefined;
  const isElsewhere = positions?.verdict === "elsewhere";
  const known = new Map<string, Place | undefined>();
  return async (cells, ll) => {
    const { place: name, country } = placeNamed(repairedRow(cells, h).given);
    const slipped = slipOf(ll, country);
    if (name === undefined || (isElsewhere && !slipped)) return slipped && mistyped(ll, slipped);
    if (!known.has(name) && known.size < MOST_KNOWN) known.set(name, await findPlace(asking, name, country));
    const place = known.get(name);
    if (!place) return slipped && mistyped(ll, slipped);
    const metres = distanceTo(place, ll);
    const back = slipTowards(place, ll, slipped);
    if (metres <= (slipped && back ? NEAR : FAR)) return undefined;
    if (isElsewhere && !back) return slipped && mistyped(ll, slipped);
    return { code: "implausible_position", ll, km: Math.round(metres / 1000), place: name, ...back };
  };
}

const mistyped = (ll: LatLng, slipped: Slipped): Doubt => ({ code: "mistyped_position", ll, ...slipped });

/** @param slipped what the other rows say */
function slipTowards(place: Place, ll: LatLng, slipped: Slipped | undefined): Slipped | undefined {
  const isThere = ({ wouldBe }: Slipped) => distanceTo(place, wouldBe) <= NEAR;
  const ways = ROW_SLIPS.flatMap((slip) => {
    const wouldBe = undoSlip(slip, ll);
    return wouldBe ? [{ slip, wouldBe }] : [];
  });
  return slipped && isThere(slipped) ? slipped : ways.find(isThere);
}
