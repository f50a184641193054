import type { Pool } from "pg";
import type { LocatedAddress } from "../../../contract/addresses.ts";
import type { AddVenueParameters, LatLng } from "../../../contract/parameters.ts";
import type { SearchParameters } from "../../../contract/search-parameters.ts";
import { BETTER_THAN_NONE, decideMatches, MATCH_CUT, WORTH_A_LOOK } from "../../../matching/decide.ts";
import { distanceBetween } from "../../../matching/distance.ts";
import { type Match, matchListing } from "../../../matching/match.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { KnownError } from "../../../shared/errors.ts";
import { descendantIds, withCategories } from "../../categories/tree.ts";
import { boundsOf, type Reading, resolvePlace } from "../../places/geocode.ts";
import { candidatesOf } from "../candidates.ts";
import { heldNear } from "../held.ts";
import { boxesAround, boxesBetween } from "../mercator.ts";
import { nearestVenues } from "../nearest.ts";
import type { VenueRow } from "../rows.ts";
import { FARTHEST, searchEverywhere, searchText } from "../text/search.ts";
import type { Whereabouts } from "./by-address.ts";
import { locateAddresses } from "./locate-addresses.ts";
import { findMatchesInPlace, type RankedMatches } from "./match.ts";

export interface SearchResult {
  venues: (VenueRow & Partial<Omit<Match<VenueRow>, "venue">>)[];
  confident: boolean;
  place?: Reading | undefined;
  /** That the venues were compared with, of a listing that has none. */
  position?: LocatedAddress | undefined;
  /** Metres around `ll` in which there is no such venue, if none was found. */
  nothingWithin?: number | undefined;
}

/** With the venues that only the caller may see (held.ts). */
export type Searching = SearchParameters & { held: readonly VenueRow[] };

/** Throws KnownError 400 param_error (a missing parameter, an unknown category), failed_geocode or geocode_too_big. */
export async function searchVenues(
  pool: Pool,
  given: SearchParameters,
  held: readonly VenueRow[] = [],
): Promise<SearchResult> {
  const { parameters: located, place } = await locate(pool, given);
  const parameters = { ...located, held };
  if (parameters.intent === "match") return { ...(await matchVenue(pool, parameters, place)), place };
  const venues = await INTENTS[parameters.intent](pool, parameters);
  return { venues, confident: false, place, ...(venues.length === 0 && { nothingWithin: reachOf(given) }) };
}

/** Metres around `ll` that a search there looks at. */
function reachOf({ intent, ll, near, radius, ...rest }: SearchParameters): number | undefined {
  if (intent !== "checkin" || !ll || near !== undefined) return undefined;
  return radius && (termOf(rest) || rest.categoryId) ? radius : FARTHEST;
}

const INTENTS = { checkin: searchNear, browse: searchRegion, global: searchGlobally };

/** Square metres of the largest box that can be browsed. */
const LARGEST_BOX = 10_000e6;

async function matchVenue(pool: Pool, parameters: Searching, place: Reading | undefined): Promise<SearchResult> {
  const candidates = async (listing: Listing) => [
    ...(await candidatesOf(pool, listing)),
    ...heldNear(parameters.held, listing),
  ];
  const positioned = positionedListing(parameters);
  if (positioned) return matchAmong(parameters, positioned, await candidates(positioned));
  if (!nameOf(parameters) || !place) throw missing("intent=match needs name, and ll or near");
  const [position] = await locateAddresses(pool, [{ address: parameters.address ?? "", place: place.place }]);
  const where = { place, position };
  const listing = listingAt(parameters, where);
  const there = listing && matchByAddress(parameters, listing, where, await candidates(listing));
  return there && isMatch(there) ? there : matchInPlace(pool, parameters, where, there);
}

const nameOf = ({ name, query }: SearchParameters): string | undefined => name ?? query;

/** @param parameters `positionByAddress`: of a venue to be added (wire-format 7) */
export const positionedListing = (
  parameters: SearchParameters & Pick<AddVenueParameters, "positionByAddress">,
): Listing | undefined => placed(parameters, parameters.positionByAddress === "true");

function placed({ name, query, ll, ...rest }: SearchParameters, isByAddress: boolean): Listing | undefined {
  const given = name ?? query;
  return given && ll ? { ...rest, name: given, ...ll, isByAddress } : undefined;
}

/** The listing at the position by its address. */
export const listingAt = (parameters: SearchParameters, { position }: Whereabouts): Listing | undefined =>
  position && placed({ ...parameters, ll: { lat: position.lat, lng: position.lng } }, true);

export const matchByAddress = (
  parameters: SearchParameters,
  listing: Listing,
  where: Whereabouts,
  candidates: VenueRow[],
): SearchResult => ({ ...matchAmong(parameters, listing, candidates), ...where });

/** Whether the first venue is a match. Otherwise the venue may be elsewhere in the place. */
export const isMatch = ({ venues: [first] }: SearchResult): boolean => (first?.score ?? 0) >= MATCH_CUT;

/** @param there what was found at the position by the address; returned unless the place has a better venue */
export async function matchInPlace(
  pool: Pool,
  parameters: Searching,
  where: Whereabouts,
  there?: SearchResult,
): Promise<SearchResult> {
  const { limit, minScore, held } = parameters;
  const listing = { ...parameters, name: nameOf(parameters) };
  const found = await findMatchesInPlace(pool, where.place.place, listing, { minScore, held });
  const scoreIn = ({ venues: [first] }: SearchResult) => first?.score ?? 0;
  const inPlace = { ...shown(found, limit), ...where };
  return there && scoreIn(there) >= scoreIn(inPlace) ? there : inPlace;
}

/** If `minScore` is at most WORTH_A_LOOK and no candidate reaches it, returns the best one that is BETTER_THAN_NONE. */
export function matchAmong(
  { minScore = MATCH_CUT, limit }: Pick<SearchParameters, "minScore" | "limit">,
  listing: Listing,
  candidates: VenueRow[],
): SearchResult {
  const known = withCategories(candidates);
  const from = (least: number) => decideMatches(matchListing(listing, known, least), least);
  const decided = from(minScore);
  const isEnough = decided.matches.length > 0 || minScore > WORTH_A_LOOK || minScore <= BETTER_THAN_NONE;
  return isEnough ? shown(decided, limit) : shown(from(BETTER_THAN_NONE), 1);
}

const shown = ({ matches, confident }: RankedMatches, limit: number): SearchResult => ({
  venues: matches
    .slice(0, limit)
    .map(({ venue, score, needsReview, evidence }) => ({ ...venue, score, needsReview, evidence })),
  confident,
});

async function searchNear(pool: Pool, parameters: Searching): Promise<VenueRow[]> {
  const { ll, near, limit, radius, held } = parameters;
  if (!ll) throw missing("send ll or near; or intent=browse with sw and ne; or intent=global with query");
  const term = termOf(parameters);
  const categoryIds = categoriesOf(parameters);
  if (term) return searchText(pool, { term, center: ll, count: limit, categoryIds, held, ...(radius && { radius }) });
  const boxes = categoryIds && radius ? boxesAround(ll, radius) : undefined;
  const venues = await nearestVenues(pool, { center: ll, boxes, categoryIds, held }, limit);
  // Those of a place by its name are in it, however large it is.
  const reach = boxes && radius ? radius : near === undefined ? FARTHEST : Number.POSITIVE_INFINITY;
  return venues.filter((venue) => distanceBetween(ll, venue) <= reach);
}

async function searchRegion(pool: Pool, parameters: Searching): Promise<VenueRow[]> {
  const { limit, held } = parameters;
  const region = regionOf(parameters);
  const term = termOf(parameters);
  const area = { ...region, categoryIds: categoriesOf(parameters), held };
  const venues = term
    ? await searchText(pool, { ...area, term, count: limit })
    : await nearestVenues(pool, area, limit);
  return venues.filter((venue) => distanceBetween(region.center, venue) <= region.radius);
}

async function searchGlobally(pool: Pool, parameters: Searching): Promise<VenueRow[]> {
  const term = termOf(parameters);
  if (!term) throw missing("intent=global needs query");
  return searchEverywhere(pool, { term, count: parameters.limit, held: parameters.held });
}

function regionOf({ ll, radius, sw, ne }: SearchParameters): { center: LatLng; boxes: string[]; radius: number } {
  if ((ll || radius) && (sw || ne)) throw missing("intent=browse takes either ll and radius, or sw and ne");
  if (sw && ne) {
    const { center, area } = measureBox(sw, ne);
    if (sw.lat > ne.lat) throw missing("sw must lie south of ne");
    if (area > LARGEST_BOX)
      throw new KnownError(400, "geocode_too_big", "The region is larger than 10,000 square kilometres.");
    return { center, boxes: boxesBetween(sw, ne), radius: Number.POSITIVE_INFINITY };
  }
  if (ll && radius) return { center: ll, boxes: boxesAround(ll, radius), radius };
  throw missing("intent=browse needs ll and radius, near, or sw and ne");
}

function measureBox(sw: LatLng, ne: LatLng): { center: LatLng; area: number } {
  const width = ne.lng < sw.lng ? ne.lng + 360 - sw.lng : ne.lng - sw.lng;
  const lat = (sw.lat + ne.lat) / 2;
  const east = sw.lng + width / 2;
  const across = distanceBetween({ lat, lng: 0 }, { lat, lng: Math.min(width, 180) });
  const center = { lat, lng: east > 180 ? east - 360 : east };
  return { center, area: across * distanceBetween({ ...sw, lng: 0 }, { ...ne, lng: 0 }) };
}

const termOf = ({ query, name }: Pick<SearchParameters, "query" | "name">): string | undefined => query ?? name;

function categoriesOf({ categoryId }: SearchParameters): string[] | undefined {
  if (categoryId === undefined) return undefined;
  const lists = categoryId.split(",").map((id) => descendantIds(id.trim()));
  if (lists.some((list) => list.length === 0))
    throw missing("categoryId must be a comma-separated list of category ids, see venues/categories");
  return [...new Set(lists.flat())];
}

const missing = (message: string) => new KnownError(400, "param_error", `${message}.`);

/**
 * Replaces `near` by its middle or, with `intent=browse` and no `radius`, by its bounds. With `intent=match` keeps it,
 * because a town's middle is nobody's position. Throws KnownError 400 failed_geocode, 400 param_error with `sw` and
 * `ne`.
 */
async function locate(
  pool: Pool,
  parameters: SearchParameters,
): Promise<{ parameters: SearchParameters; place: Reading | undefined }> {
  const { intent, near, ll, radius, sw, ne } = parameters;
  if (near === undefined || intent === "global" || (intent === "match" && ll)) return { parameters, place: undefined };
  if (intent === "browse" && (sw || ne))
    throw new KnownError(400, "param_error", "intent=browse takes either near, or sw and ne.");
  const found = await resolvePlace(pool, near, ll);
  if (intent === "match") return { parameters, place: found };
  const { lat, lng } = found.place;
  const area = intent === "browse" && !radius ? { ll: undefined, ...boundsOf(found.place) } : { ll: { lat, lng } };
  return { parameters: { ...parameters, ...area }, place: found };
}
