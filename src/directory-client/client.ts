import type { z } from "zod";
import type { Geocode } from "../contract/geocode.ts";
import { type AddVenueParameters, formatLl, type LatLng } from "../contract/parameters.ts";
import {
  type Category,
  type Checkin,
  categoriesResponse,
  checkinsResponse,
  userResponse,
  type Venue,
  venueResponse,
  venueSearchResponse,
} from "../contract/resources.ts";
import { type Auth, readAnswer } from "./answers.ts";
import { callJson, type Line } from "./call-json.ts";
import { DirectoryError } from "./errors.ts";
import { remember } from "./remember.ts";

export type { Auth };

/** A plain search by place (a point, or a name for the directory to understand) and words; without a place everywhere. */
export interface VenueSearch {
  ll?: LatLng | undefined;
  near?: string | undefined;
  query?: string | undefined;
  /** Up to 50. */
  limit?: number | undefined;
}

/** A listing to look for with intent=match: its name, where it is (a point, or a place by name), and what else is known. */
export type Listing = Pick<VenueSearch, "ll" | "near"> &
  Pick<AddVenueParameters, "name" | "address" | "city" | "state" | "zip" | "phone" | "twitter">;

export interface FoundVenues {
  venues: Venue[];
  /** Ours: the first may be accepted without a person. False where the directory does not say. */
  confident: boolean;
  /** How `near` was understood, where the directory says so. */
  geocode: Geocode | undefined;
}

export type DirectoryUser = z.output<typeof userResponse>["user"];

/** Every call throws DirectoryError and nothing else; none is ever sent again by itself. */
export interface DirectoryClient {
  /** interface, GET {base_url}/v2/venues/search. */
  searchVenues(auth: Auth, search: VenueSearch): Promise<FoundVenues>;
  /** The same with intent=match. `minScore` (ours, 0 to 1) moves the match cut; `limit` up to 50. */
  matchVenues(auth: Auth, listing: Listing, more?: { minScore?: number; limit?: number }): Promise<FoundVenues>;
  /**
   * interface, GET {base_url}/v2/venues/add: a GET with an effect. The same `idempotencyKey` and parameters add once;
   * after `unreachable` nobody knows whether it was added. `ignoreDuplicatesKey` comes from a `duplicate` error.
   */
  addVenue(
    auth: Auth,
    venue: AddVenueParameters,
    once: { idempotencyKey: string; ignoreDuplicatesKey?: string | undefined },
  ): Promise<Venue>;
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

export interface DirectoryClientOptions extends Line {
  /** `{base_url}` of the interface. */
  baseUrl: string;
  /** `v`, YYYYMMDD. */
  version: string;
}

/** The one way to the API host of a directory. */
export function createDirectoryClient(options: DirectoryClientOptions): DirectoryClient {
  const call = <S extends z.ZodType>(
    schema: S,
    path: string,
    auth: Auth,
    parameters: Parameters = {},
    more: More = {},
  ) => callDirectory(options, { schema, path, auth, parameters, ...more });
  const search = async (auth: Auth, parameters: Parameters): Promise<FoundVenues> => {
    const { venues, confident = false, geocode } = await call(venueSearchResponse, "venues/search", auth, parameters);
    return { venues, confident, geocode };
  };
  const loadCategories = async (auth: Auth) =>
    (await call(categoriesResponse, "venues/categories", auth, {}, { maxBytes: 5_000_000 })).categories;

  return {
    searchVenues: (auth, { ll, ...rest }) =>
      search(auth, { ...rest, ...(ll ? { ll: formatLl(ll) } : rest.near ? {} : { intent: "global" }) }),
    matchVenues: (auth, { ll, ...rest }, more) =>
      search(auth, { ...rest, ...(ll && { ll: formatLl(ll) }), intent: "match", ...more }),
    async addVenue(auth, { ll, ...rest }, { idempotencyKey, ignoreDuplicatesKey }) {
      const force = ignoreDuplicatesKey ? { ignoreDuplicates: "true", ignoreDuplicatesKey } : {};
      const headers = { "idempotency-key": idempotencyKey };
      const parameters = { ...rest, ll: formatLl(ll), ...force };
      return (await call(venueResponse, "venues/add", auth, parameters, { headers })).venue;
    },
    async venue(auth, id) {
      if (!VENUE_ID.test(id) || ENDPOINTS.test(id)) throw noSuchVenue();
      const { venue } = await call(venueResponse, `venues/${encodeURIComponent(id)}`, auth).catch(asMissing);
      return venue;
    },
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

const noSuchVenue = () => new DirectoryError("not_found", "There is no such venue. It may have been removed.");

/** A directory says 404, or that its one parameter is wrong (wire-format 3). */
function asMissing(error: unknown): never {
  const { kind, errorType } = error as DirectoryError;
  throw kind === "not_found" || errorType === "param_error" ? noSuchVenue() : error;
}

type Parameters = Record<string, string | number | undefined>;
interface More {
  headers?: Record<string, string>;
  maxBytes?: number;
}
interface Call<S extends z.ZodType> extends More {
  schema: S;
  path: string;
  auth: Auth;
  parameters: Parameters;
}

async function callDirectory<S extends z.ZodType>(
  options: DirectoryClientOptions,
  { schema, path, auth, parameters, headers = {}, maxBytes = 1_000_000 }: Call<S>,
): Promise<z.output<S>> {
  const url = new URL(`/v2/${path}`, options.baseUrl);
  const who =
    "token" in auth ? { oauth_token: auth.token } : { client_id: auth.clientId, client_secret: auth.clientSecret };
  for (const [name, value] of Object.entries({ v: options.version, ...parameters, ...who }))
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  const answer = await callJson(options, url, { headers, maxBytes });
  return readAnswer(schema, answer, auth);
}
