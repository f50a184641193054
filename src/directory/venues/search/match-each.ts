import type { Pool } from "pg";
import type { SearchParameters } from "../../../contract/search-parameters.ts";
import { isGone } from "../../../db/unavailable.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { atMost } from "../../../shared/at-most.ts";
import { unavailable } from "../../../shared/errors.ts";
import { candidatesOfEach } from "../candidates.ts";
import { heldNear } from "../held.ts";
import type { VenueRow } from "../rows.ts";
import { tileOfPlace } from "../tiles.ts";
import { type Whereabouts, whereaboutsOf } from "./by-address.ts";
import { candidatesAmongNeighbours } from "./neighbours.ts";
import {
  isMatch,
  listingAt,
  matchAmong,
  matchByAddress,
  matchInPlace,
  positionedListing,
  type SearchResult,
  searchVenues,
} from "./search.ts";
import { dueDate, turn } from "./turns.ts";

/** Listings per statement, unless it takes too long. */
const SLICE = 50;

/** Listings of which no two are likely to be neighbours. */
const FEW = 20;

/** Searches without a position that run at once, to leave database connections to other callers. */
const AT_ONCE = 2;

interface Failed {
  error: unknown;
}

/**
 * Returns results and errors in order; failed listings keep their error. After `until` (performance.now()), the
 * remaining ones fail as `unavailable`. Throws if the database is unavailable.
 */
export async function matchEach(
  pool: Pool,
  listings: readonly (SearchParameters | Failed)[],
  until: number,
  { due = dueDate(listings.length), held = [] }: { due?: number; held?: readonly VenueRow[] } = {},
): Promise<(SearchResult | Failed)[]> {
  const late = { error: noTimeLeft() };
  const matched = listings.map((each): SearchResult | Failed => ("error" in each ? each : late));
  const isLate = () => performance.now() > until;
  const positioned: Positioned[] = [];
  const others = new Map<number, Unplaced>();
  for (const [at, parameters] of listings.entries()) {
    if ("error" in parameters) continue;
    const listing = positionedListing(parameters);
    if (listing) positioned.push({ at, parameters, listing });
    else others.set(at, { at, parameters });
  }
  positioned.push(...(await placedByAddress(pool, [...others.values()])));
  for await (const [each, candidates] of eachWithCandidates(pool, positioned, { isLate, due })) {
    await turn(due);
    const found =
      "error" in candidates
        ? candidates
        : attempt(() => matchPlaced(each, [...candidates, ...heldNear(held, each.listing)]));
    const other = others.get(each.at);
    if (!other || ("venues" in found && isMatch(found))) {
      matched[each.at] = found;
      others.delete(each.at);
    } else if ("venues" in found) other.there = found;
  }
  await atMost(AT_ONCE, [...others.values()], async ({ at, parameters, where, there }) => {
    if (isLate()) return;
    await turn(due);
    const searching = where
      ? matchInPlace(pool, { ...parameters, held }, where, there)
      : searchVenues(pool, parameters, held);
    matched[at] = await searching.catch((error: unknown) => ({ error }));
  });
  return matched;
}

/** A listing without `ll`. */
interface Unplaced {
  at: number;
  parameters: SearchParameters;
  /** Known if it has a name, and a place that the directory knows. */
  where?: Whereabouts;
  /** What was found at the position by its address, if that is no match. */
  there?: SearchResult;
}

interface Positioned {
  at: number;
  parameters: SearchParameters;
  listing: Listing;
  where?: Whereabouts;
}

const matchPlaced = ({ parameters, listing, where }: Positioned, candidates: VenueRow[]): SearchResult =>
  where ? matchByAddress(parameters, listing, where, candidates) : matchAmong(parameters, listing, candidates);

/** Notes where the listings are, and returns those with a position by their address. */
async function placedByAddress(pool: Pool, others: Unplaced[]): Promise<Positioned[]> {
  const asked = others.filter(({ parameters: { name, query } }) => name ?? query);
  const found = await whereaboutsOf(
    pool,
    asked.map(({ parameters }) => parameters),
  ).catch(unlessGone);
  if ("error" in found) return [];
  return asked.flatMap((each, index) => {
    const where = found[index];
    if (!where) return [];
    each.where = where;
    const listing = listingAt(each.parameters, where);
    return listing ? [{ ...each, listing, where }] : [];
  });
}

function attempt<T>(work: () => T): T | Failed {
  try {
    return work();
  } catch (error) {
    return { error };
  }
}

type WithCandidates = [Positioned, VenueRow[] | Failed];

/** First those that share their neighbourhood with others, then the rest. */
async function* eachWithCandidates(
  pool: Pool,
  all: readonly Positioned[],
  { isLate, due }: { isLate: () => boolean; due: number },
): AsyncGenerator<WithCandidates> {
  const rest: Positioned[] = [];
  const found = all.length < FEW || isLate() ? [] : await amongNeighbours(pool, all, due);
  for (const [at, each] of all.entries()) {
    if (isLate()) return;
    const candidates = found[at];
    if (candidates) yield [each, candidates];
    else rest.push(each);
  }
  yield* eachBySlices(pool, tileByTile(pool, rest), isLate);
}

/** Leaves all listings to the other way if this one fails. */
async function amongNeighbours(
  pool: Pool,
  all: readonly Positioned[],
  due: number,
): Promise<(VenueRow[] | undefined)[]> {
  const listings = all.map(({ listing }) => listing);
  const found = await candidatesAmongNeighbours(pool, listings, due).catch(unlessGone);
  return "error" in found ? [] : found;
}

const tileByTile = (pool: Pool, all: readonly Positioned[]): Positioned[] =>
  [...Map.groupBy(all, ({ listing }) => tileOfPlace(pool, listing)).values()].flat();

/** Halves a slice that fails, down to single listings. */
async function* eachBySlices(
  pool: Pool,
  all: readonly Positioned[],
  isLate: () => boolean,
): AsyncGenerator<WithCandidates> {
  let size = SLICE;
  let from = 0;
  while (from < all.length && !isLate()) {
    const slice = all.slice(from, from + size);
    const listings = slice.map(({ listing }) => listing);
    const found = await candidatesOfEach(pool, listings).catch(unlessGone);
    if ("error" in found && slice.length > 1) {
      size = Math.ceil(slice.length / 2);
      continue;
    }
    for (const [index, each] of slice.entries()) yield [each, "error" in found ? found : (found[index] ?? [])];
    from += slice.length;
  }
}

/** Throws if the database is unavailable. A timed-out statement may have had too many listings. */
function unlessGone(error: unknown): Failed {
  if (isGone(error)) throw error;
  return { error };
}

const noTimeLeft = () => unavailable("This listing was not processed in time. Send it again.");
