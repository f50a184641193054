import type { z } from "zod";
import type { Geocode } from "../contract/geocode.ts";
import { type AddVenueParameters, formatLl, type LatLng } from "../contract/parameters.ts";
import type { Venue, venueSearchResponse } from "../contract/resources.ts";
import type { DirectoryError } from "./errors.ts";

/** A listing to look for with intent=match: its name, where it is (a point, or a place by name), and what else is known. */
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
  /** Ours: the first may be accepted without a person. False where the directory does not say. */
  confident: boolean;
  /** How `near` was understood, where the directory says so. */
  geocode: Geocode | undefined;
}

/** What becomes of one of several listings. */
export type MatchOutcome = { found: FoundVenues } | { error: DirectoryError };

/** The parameters of a listing. */
export const listingParameters = ({ ll, ...rest }: Listing) => ({ ...rest, ...(ll && { ll: formatLl(ll) }) });

/** What an answer of venues/search says. */
export const foundVenues = ({
  venues,
  confident = false,
  geocode,
}: z.output<typeof venueSearchResponse>): FoundVenues => ({ venues, confident, geocode });
