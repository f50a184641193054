import type { Pool } from "pg";
import type { SearchParameters } from "../../../contract/search-parameters.ts";
import { isGone } from "../../../db/unavailable.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { atMost } from "../../../shared/at-most.ts";
import { unavailable } from "../../../shared/errors.ts";
import { candidatesOfEach } from "../candidates.ts";
import type { VenueRow } from "../rows.ts";
import { tileOfPlace } from "../tiles.ts";
import { candidatesAmongNeighbours } from "./neighbours.ts";
import { matchAmong, positionedListing, type SearchResult, searchVenues } from "./search.ts";
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
  due = dueDate(listings.length),
): Promise<(SearchResult | Failed)[]> {
  const late = { error: noTimeLeft() };
  const matched = listings.map((each): SearchResult | Failed => ("error" in each ? each : late));
  const isLate = () => performance.now() > until;
  const positioned: Positioned[] = [];
  const others: [number, SearchParameters][] = [];
  for (const [at, parameters] of listings.entries()) {
    if ("error" in parameters) continue;
    const listing = positionedListing(parameters);
    if (listing) positioned.push({ at, parameters, listing });
    else others.push([at, parameters]);
  }
  for await (const [{ at, parameters, listing }, candidates] of eachWithCandidates(pool, positioned, { isLate, due })) {
    await turn(due);
    matched[at] = "error" in candidates ? candidates : attempt(() => matchAmong(parameters, listing, candidates));
  }
  await atMost(AT_ONCE, others, async ([at, parameters]) => {
    if (isLate()) return;
    await turn(due);
    matched[at] = await searchVenues(pool, parameters).catch((error: unknown) => ({ error }));
  });
  return matched;
}

interface Positioned {
  at: number;
  parameters: SearchParameters;
  listing: Listing;
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
