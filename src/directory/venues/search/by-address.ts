import type { Pool } from "pg";
import type { LocatedAddress } from "../../../contract/addresses.ts";
import type { SearchParameters } from "../../../contract/search-parameters.ts";
import type { Match } from "../../../matching/match.ts";
import { logOdds, scoreOf } from "../../../matching/score.ts";
import { atMost } from "../../../shared/at-most.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Reading } from "../../places/reading.ts";
import { resolvePlace } from "../../places/resolve.ts";
import type { VenueRow } from "../rows.ts";
import { locateAddresses } from "./locate-addresses.ts";

/** Where a listing without `ll` is. */
export interface Whereabouts {
  place: Reading;
  /** By house number and street; undefined if the directory knows too little of them. */
  position: LocatedAddress | undefined;
}

/** Statements. */
const AT_ONCE = 2;

/** Reads `near` and `address` of listings without `ll`, in order; undefined for an unknown place. */
export async function whereaboutsOf(
  pool: Pool,
  asked: readonly Pick<SearchParameters, "near" | "address">[],
): Promise<(Whereabouts | undefined)[]> {
  const places = new Map<string, Reading>();
  await atMost(AT_ONCE, [...new Set(asked.flatMap(({ near }) => near || []))], async (near) => {
    const place = await resolvePlace(pool, near).catch(unlessUnknown);
    if (place) places.set(near, place);
  });
  const known = asked.map(({ near = "", address = "" }) => ({ address, place: places.get(near) }));
  const placed = known.flatMap(({ address, place }) => (place ? [{ address, place: place.place }] : []));
  const positions = (await locateAddresses(pool, placed)).values();
  return known.map(({ place }) => place && { place, position: positions.next().value });
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof KnownError && error.code === "failed_geocode") return undefined;
  throw error;
}

/**
 * Log-odds: such a position counts the address twice. With a cost of 1 the calibration error for sample_noisy without its
 * positions was .057, with none .075 (2026-11-25, 382 listings with a house number; .022 with their own positions).
 */
const COST = 1;

/** Lowers the scores for a position by the address, and says so in the evidence. */
export const lessSure = (matches: Match<VenueRow>[]): Match<VenueRow>[] =>
  matches.map((match) => ({
    ...{ venue: match.venue, mayBePart: match.mayBePart, isAtAddress: match.isAtAddress },
    score: scoreOf(logOdds(match.score) - COST),
    get evidence() {
      const said = { comparison: "positionByAddress", weight: -COST, text: "position known by the address only" };
      return [...match.evidence, said].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
    },
  }));
