import type { z } from "zod";
import type { LocatedAddress } from "../contract/addresses.ts";
import type { Geocode } from "../contract/geocode.ts";
import { type AddVenueParameters, formatLl, type LatLng } from "../contract/parameters.ts";
import type { Venue, venueSearchResponse } from "../contract/resources.ts";
import type { DirectoryError } from "./calls/errors.ts";
import type { CallsLeft } from "./calls-left.ts";

export type Listing = { ll?: LatLng | undefined; near?: string | undefined } & Pick<
  AddVenueParameters,
  "name" | "address" | "city" | "state" | "zip" | "phone" | "twitter"
>;

/** `minScore` (ours, 0 to 1) moves the match cut; `limit` up to 50. */
export interface MatchSettings {
  minScore?: number | undefined;
  limit?: number | undefined;
}

export interface FoundVenues {
  venues: Venue[];
  /** Ours: the first needs no review. False if the directory does not report it. */
  confident: boolean;
  geocode: Geocode | undefined;
  /** Ours: that of the listing by its address, if it was sent without one. */
  position?: LocatedAddress | undefined;
  /** After a single search. */
  calls?: CallsLeft | undefined;
}

export type MatchOutcome = { found: FoundVenues } | { error: DirectoryError };

export const listingParameters = ({ ll, ...rest }: Listing) => ({ ...rest, ...(ll && { ll: formatLl(ll) }) });

export const foundVenues = ({
  venues,
  confident = false,
  geocode,
  position,
}: z.output<typeof venueSearchResponse>): FoundVenues => ({ venues, confident, geocode, position });
