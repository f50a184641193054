import { z } from "zod";
import { type Checkin, checkinsResponse } from "../contract/checkins.ts";
import { type AddVenueParameters, formatLl, type LatLng } from "../contract/parameters.ts";
import {
  type Category,
  categoriesResponse,
  userResponse,
  type Venue,
  venueResponse,
  venueSearchResponse,
} from "../contract/resources.ts";
import type { Auth } from "./answers.ts";
import { callDirectory, type DirectoryClientOptions, type More, type Parameters } from "./call-directory.ts";
import { DirectoryError } from "./errors.ts";
import type { Features } from "./features.ts";
import {
  type FoundVenues,
  foundVenues,
  type Listing,
  listingParameters,
  type MatchOutcome,
  type MatchSettings,
} from "./listings.ts";
import { matchListings } from "./match-listings.ts";
import { createWays } from "./match-ways.ts";
import { remember } from "./remember.ts";
import { createThrottle } from "./throttle.ts";

export type { Auth, FoundVenues, Listing, MatchOutcome };

/** A plain search by place (a point, or a name for the directory to understand) and words; without a place everywhere. */
export interface VenueSearch {
  ll?: LatLng | undefined;
  near?: string | undefined;
  query?: string | undefined;
  /** Up to 50. */
  limit?: number | undefined;
}

export type DirectoryUser = z.output<typeof userResponse>["user"];

/** Every call throws DirectoryError and nothing else; none is ever sent again by itself. */
export interface DirectoryClient {
  /** interface, GET {base_url}/v2/venues/search. */
  searchVenues(auth: Auth, search: VenueSearch): Promise<FoundVenues>;
  /** The same with intent=match. */
  matchVenues(auth: Auth, listing: Listing, more?: MatchSettings): Promise<FoundVenues>;
  /**
   * The same for many listings, in as few calls as the directory allows: what becomes of each, in their order. Never throws
   * DirectoryError; with `signal` it throws the reason of that and nothing else.
   */
  matchListings(
    auth: Auth,
    listings: Listing[],
    more: MatchSettings & { signal?: AbortSignal | undefined },
  ): Promise<MatchOutcome[]>;
  /**
   * interface, GET {base_url}/v2/venues/add: a GET with an effect. The same `idempotencyKey` and parameters add once;
   * after `unreachable` nobody knows whether it was added. `ignoreDuplicatesKey` comes from a `duplicate` error.
   */
  addVenue(
    auth: Auth,
    venue: AddVenueParameters,
    once: { idempotencyKey: string; ignoreDuplicatesKey?: string | undefined },
  ): Promise<Venue>;
  /**
   * interface, venues/annotate, by POST (wire-format 8): puts the caller's id of a listing on the venue. Again has no effect. A
   * listing that is on another venue already is a `conflict` with that `holder`.
   */
  annotate(
    auth: Auth,
    venueId: string,
    annotation: { providerId: string; linkedId: string; url?: string | undefined },
    once: { idempotencyKey: string },
  ): Promise<void>;
  /**
   * Whether an add with the Idempotency-Key of an earlier one is that one. Throws DirectoryError `unreachable` or
   * `rate_limited` where that is not known.
   */
  honoursKeys(): Promise<boolean>;
  /** GET {base_url}/v2/venues/{id} (wire-format 6: complete venue). An id of no venue is `not_found`. */
  venue(auth: Auth, id: string): Promise<Venue>;
  /** interface, venues/categories: the tree, remembered for ten minutes. */
  categories(auth: Auth): Promise<Category[]>;
  /** The same, asked now, as the cheapest way to see whether the application's own credentials are taken. */
  askCategories(auth: Auth): Promise<Category[]>;
  /** GET {base_url}/v2/users/self. */
  self(auth: Auth): Promise<DirectoryUser>;
  /** interface, GET {base_url}/v2/users/self/checkins: newest first; `count` is the total. */
  checkins(auth: Auth, page: { limit: number; offset: number }): Promise<{ count: number; items: Checkin[] }>;
}

/**
 * The one way to the API host of a directory.
 *
 * @param features what it offers beyond the interface, as its auth host tells
 */
export function createDirectoryClient(
  options: DirectoryClientOptions,
  features: () => Promise<Features>,
): DirectoryClient {
  const call = <S extends z.ZodType>(
    schema: S,
    path: string,
    auth: Auth,
    parameters: Parameters = {},
    more: More = {},
  ) => callDirectory(options, { schema, path, auth, parameters, ...more });
  const search = async (auth: Auth, parameters: Parameters): Promise<FoundVenues> =>
    foundVenues(await call(venueSearchResponse, "venues/search", auth, parameters));
  const ways = createWays(options, features);
  const throttle = createThrottle();
  const loadCategories = async (auth: Auth) =>
    (await call(categoriesResponse, "venues/categories", auth, {}, { maxBytes: 5_000_000 })).categories;

  return {
    searchVenues: (auth, { ll, ...rest }) =>
      search(auth, { ...rest, ...(ll ? { ll: formatLl(ll) } : rest.near ? {} : { intent: "global" }) }),
    matchVenues: (auth, listing, more) => search(auth, { ...listingParameters(listing), intent: "match", ...more }),
    matchListings: async (auth, listings, more) => matchListings(await ways(), throttle, { auth, ...more }, listings),
    async addVenue(auth, { ll, ...rest }, { idempotencyKey, ignoreDuplicatesKey }) {
      const force = ignoreDuplicatesKey ? { ignoreDuplicates: "true", ignoreDuplicatesKey } : {};
      const headers = { "idempotency-key": idempotencyKey };
      const parameters = { ...rest, ll: formatLl(ll), ...force };
      return (await call(venueResponse, "venues/add", auth, parameters, { headers })).venue;
    },
    async annotate(auth, id, annotation, { idempotencyKey }) {
      const more = { method: "POST", headers: { "idempotency-key": idempotencyKey } } as const;
      await call(z.object({}), `${pathOf(id)}/annotate`, auth, annotation, more);
    },
    honoursKeys: async () => (await features()).honoursKeys,
    venue: async (auth, id) => (await call(venueResponse, pathOf(id), auth).catch(asMissing)).venue,
    categories: remember(loadCategories, () => 600_000),
    askCategories: loadCategories,
    self: async (auth) => (await call(userResponse, "users/self", auth)).user,
    checkins: async (auth, page) => (await call(checkinsResponse, "users/self/checkins", auth, { ...page })).checkins,
  };
}

/** What can stand in a path as it is. */
const VENUE_ID = /^(?!\.+$)[\w.:~-]{1,100}$/;

/** What stands where an id may stand, in any case: asking for it would be another call, some with an effect. */
const ENDPOINTS = /^(?:add|annotate|categories|explore|managed|match|search|suggestcompletion|timeseries|trending)$/i;

function pathOf(id: string): string {
  if (!VENUE_ID.test(id) || ENDPOINTS.test(id)) throw noSuchVenue();
  return `venues/${encodeURIComponent(id)}`;
}

const noSuchVenue = () => new DirectoryError("not_found", "There is no such venue. It may have been removed.");

/** A directory says 404, or that its one parameter is wrong (wire-format 3). */
function asMissing(error: unknown): never {
  const { kind, errorType } = error as DirectoryError;
  throw kind === "not_found" || errorType === "param_error" ? noSuchVenue() : error;
}
