import type { Headers } from "undici";
import { z } from "zod";
import { type LocatedAddress, locateResponse } from "../contract/addresses.ts";
import type { Values } from "../contract/correction-parameters.ts";
import { type MapTile, type MapTileAddress, mapTileResponse } from "../contract/map.ts";
import { type AddVenueParameters, formatLl, type LatLng } from "../contract/parameters.ts";
import { type Proposal, proposalResponse, proposalsResponse } from "../contract/proposals.ts";
import {
  type Category,
  categoriesResponse,
  userResponse,
  type Venue,
  venueResponse,
  venueSearchResponse,
} from "../contract/resources.ts";
import type { Auth } from "./calls/answers.ts";
import {
  type Call,
  callDirectory,
  type DirectoryClientOptions,
  type More,
  type Parameters,
} from "./calls/call-directory.ts";
import { callJson } from "./calls/call-json.ts";
import { DirectoryError } from "./calls/errors.ts";
import { measured } from "./calls/outbound.ts";
import type { Features } from "./features.ts";
import {
  createWays,
  type FoundVenues,
  foundVenues,
  type Listing,
  listingParameters,
  type MatchOutcome,
  type MatchSettings,
  matchListings,
} from "./match-listings.ts";
import { remember } from "./remember.ts";
import { type CallsLeft, callsLeft, createThrottle } from "./throttle.ts";
import { type AskVenues, asMissing, type CheckinCalls, checkinCalls, createVenues, pathOf } from "./venues.ts";
import { createLines, type LinesClient } from "./write-lines.ts";

export type { Auth, FoundVenues, Listing, MatchOutcome };

export interface VenueSearch {
  ll?: LatLng | undefined;
  near?: string | undefined;
  query?: string | undefined;
  categoryId?: string | undefined;
  /** Metres around the place; has an effect only with `query` or `categoryId`. */
  radius?: number | undefined;
  limit?: number | undefined;
}

export type DirectoryUser = z.output<typeof userResponse>["user"];

/** Methods throw only DirectoryError, and never retry. */
export interface DirectoryClient extends LinesClient, CheckinCalls, ProposalCalls {
  searchVenues(auth: Auth, search: VenueSearch): Promise<FoundVenues>;
  matchVenues(auth: Auth, listing: Listing, more?: MatchSettings): Promise<FoundVenues>;
  /** Matches in as few calls as possible. Returns an outcome for each listing; throws only the reason of `signal`. */
  matchListings(
    auth: Auth,
    listings: Listing[],
    more: MatchSettings & { signal?: AbortSignal | undefined },
  ): Promise<MatchOutcome[]>;
  /**
   * Interface, GET {base_url}/v2/venues/add. The same key and parameters add once. After `unreachable` the outcome is
   * unknown. `ignoreDuplicatesKey` comes from a `duplicate` error.
   */
  addVenue(
    auth: Auth,
    venue: AddVenueParameters,
    once: { idempotencyKey: string; ignoreDuplicatesKey?: string | undefined },
  ): Promise<Venue>;
  /** Interface, venues/annotate, by POST (wire-format 8). Idempotent. Throws `conflict` with the `holder` of the id. */
  annotate(
    auth: Auth,
    venueId: string,
    annotation: { providerId: string; linkedId: string; url?: string | undefined },
    once: { idempotencyKey: string },
  ): Promise<void>;
  /** Whether an add repeated with its Idempotency-Key adds nothing. Throws DirectoryError if unknown. */
  honoursKeys(): Promise<boolean>;
  /** wire-format 6, complete venue. Throws `not_found`. */
  venue(auth: Auth, id: string): Promise<Venue>;
  /**
   * The same for many, in the order of `ids`, with `not_found` as an outcome. A merged venue is the one that it was merged
   * into. Throws only the reason of `signal`.
   */
  venues: AskVenues;
  /** Whether many venues can be asked for by their ids at once; otherwise it may not know a venue by its id at all. */
  looksUpVenues(): Promise<boolean>;
  /** Cached for ten minutes. */
  categories(auth: Auth): Promise<Category[]>;
  /** Not cached. The cheapest check of the application's credentials. */
  askCategories(auth: Auth): Promise<Category[]>;
  self(auth: Auth): Promise<DirectoryUser>;
  /**
   * Returns undefined if the directory knows neither the address nor its place, or has no such call. `near`: the town
   * with its state or country, or the postal code.
   */
  locate(auth: Auth, address: { address: string; near: string }): Promise<LocatedAddress | undefined>;
  /** Whether the directory has venues/propose. */
  takesProposals(): Promise<boolean>;
  /** Returns undefined at a directory without tiles. */
  mapTile(auth: Auth, tile: MapTileAddress): Promise<MapTile | undefined>;
  /** Those that one of the API host's processes reads from; none at a directory without `/readyz`. */
  replicas(): Promise<Replica[]>;
}

/** The only caller of the API host. */
export function createDirectoryClient(
  options: DirectoryClientOptions,
  features: () => Promise<Features>,
): DirectoryClient {
  const call = <S extends z.ZodType>(
    schema: S,
    path: string | URL,
    auth: Auth,
    parameters: Parameters = {},
    more: More = {},
  ) => callDirectory(options, { schema, path, auth, parameters, ...more });
  const search = async (auth: Auth, parameters: Parameters): Promise<FoundVenues> => {
    let calls: CallsLeft | undefined;
    const onHeaders = (headers: Headers) => {
      calls = callsLeft(headers);
    };
    const asked = { schema: venueSearchResponse, path: "venues/search", auth, parameters, onHeaders };
    return { ...foundVenues(await callDirectory(options, asked)), calls };
  };
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
    ...createLines(options, features),
    honoursKeys: async () => (await features()).honoursKeys,
    venue: async (auth, id) => (await call(venueResponse, pathOf(id), auth).catch(asMissing)).venue,
    venues: createVenues(options, throttle, features),
    looksUpVenues: async () => (await features()).lookupLines > 0,
    categories: remember(loadCategories, () => 600_000),
    askCategories: loadCategories,
    self: async (auth) => (await call(userResponse, "users/self", auth)).user,
    ...checkinCalls(call),
    async locate(auth, address) {
      const { locateUrl } = await features();
      return locateUrl && (await call(locateResponse, locateUrl, auth, address)).position;
    },
    takesProposals: async () => (await features()).proposeUrl !== undefined,
    ...proposalCalls(call),
    async mapTile(auth, tile) {
      const { mapTileUrl } = await features();
      return mapTileUrl && (await call(mapTileResponse, mapTileUrl, auth, tile)).tile;
    },
    replicas: () => askReplicas(options),
  };
}

const replica = z.object({ name: z.string(), lagSeconds: z.number().nullable(), isAsked: z.boolean() });
type Replica = z.output<typeof replica>;

const readiness = z.object({ replicas: z.array(replica) });

/** Asks `/readyz` of the API host, which is ours (docs/scaling.md). Returns none if it does not list any. */
async function askReplicas({ baseUrl, ...line }: DirectoryClientOptions): Promise<Replica[]> {
  const url = new URL("/readyz", baseUrl);
  const answer = await measured("api", () => callJson(line, url, { maxBytes: 65_536 })).catch((error) => {
    if (error instanceof DirectoryError) return undefined; // also from a directory that is not ready, which is no news of a replica
    throw error;
  });
  return readiness.safeParse(answer?.body).data?.replicas ?? [];
}

interface Proposing {
  venueId: string;
  /** "" takes a value away. */
  wanted: Values;
  /** What the proposal is based on. */
  was: Values;
  /** "" if it is no report of a duplicate. */
  duplicateOf: string;
  comment: string;
}

interface ProposalCalls {
  /** wire-format 6. Repeating an open proposal has no effect. Throws `rejected` with the reason. */
  propose(auth: Auth, proposal: Proposing): Promise<Proposal>;
  /** The user's proposals, newest first, and how many there are; with `venueId` those for a venue. */
  proposals(
    auth: Auth,
    page: { venueId?: string; limit?: number; offset?: number },
  ): Promise<{ count: number; items: Proposal[] }>;
  /** Takes an open proposal back. Throws `rejected` or `not_found` with the reason. */
  withdraw(auth: Auth, proposalId: string): Promise<Proposal>;
}

const proposalCalls = (call: Call): ProposalCalls => ({
  propose: async (auth, proposing) =>
    (await call(proposalResponse, "venues/propose", auth, proposalParameters(proposing), { method: "POST" })).proposal,
  proposals: async (auth, page) => (await call(proposalsResponse, "users/self/proposals", auth, page)).proposals,
  withdraw: async (auth, proposalId) =>
    (await call(proposalResponse, "venues/withdraw", auth, { proposalId }, { method: "POST" })).proposal,
});

/** Returns the parameters of venues/propose. Of `was` sends the former values of what is wanted. */
function proposalParameters({ wanted, was, ...rest }: Proposing): Parameters {
  const names = Object.keys(wanted) as (keyof Values)[];
  const empty = names.filter((name) => wanted[name] === "").join(",");
  const former =
    names.length > 0 ? JSON.stringify(Object.fromEntries(names.map((name) => [name, was[name] ?? ""]))) : "";
  return { ...wanted, empty, was: former, ...rest };
}
