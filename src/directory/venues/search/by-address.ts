import type { Pool } from "pg";
import type { LocatedAddress } from "../../../contract/addresses.ts";
import type { SearchParameters } from "../../../contract/search-parameters.ts";
import { atMost } from "../../../shared/at-most.ts";
import { KnownError } from "../../../shared/errors.ts";
import { type Reading, resolvePlace } from "../../places/geocode.ts";
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
