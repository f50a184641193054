import type { Pool } from "pg";
import { decideMatches } from "../../matching/decide.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { type Match, matchListing } from "../../matching/match.ts";
import type { Area, IncompleteListing } from "../../matching/match-incomplete.ts";
import { KnownError } from "../../shared/errors.ts";
import { withCategories } from "../categories/tree.ts";
import { resolvePlace } from "../places/geocode.ts";
import type { Place } from "../places/refresh.ts";
import { candidatesOf } from "../venues/candidates.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import { addressOf } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { decideIncomplete, type RankedMatches, rowsIn } from "../venues/search/match.ts";
import { testOf } from "./conditions.ts";
import { typesOfVenue } from "./properties.ts";
import type { Wanted } from "./wanted.ts";

const LEAST_SCORE = 0.01;

/** Without a name or a position, only a venue with the same name and telephone number is confident. */
export async function findCandidates(pool: Pool, wanted: Wanted): Promise<RankedMatches> {
  const { listing, categories } = wanted;
  const admitted = admitting(wanted);
  const weigh = (matches: Match<VenueRow>[]) => lowerOtherTypes(matches, categories);
  const { name, lat, lng } = listing;
  if (name !== undefined && lat !== undefined && lng !== undefined) {
    const complete = { ...listing, name, lat, lng };
    const rows = admitted(await candidatesOf(pool, complete));
    return decideMatches(weigh(matchListing(complete, withCategories(rows))), LEAST_SCORE);
  }
  const { rows, area } = await rowsFor(pool, wanted);
  return decideIncomplete(listing, area, admitted(rows), { minScore: LEAST_SCORE, weigh });
}

/** A query may give an id as the name ("A Note on Candidate Retrieval and Scoring"). */
export async function findByIds(pool: Pool, wanted: Wanted): Promise<VenueRow[]> {
  const ids = [...wanted.ids, wanted.listing.name ?? ""].filter((id) => VENUE_ID.test(id));
  if (ids.length === 0) return [];
  return admitting(wanted)([...(await findVenues(pool, ids)).values()]);
}

function admitting({ required }: Wanted): (rows: VenueRow[]) => VenueRow[] {
  const tests = required.map(testOf);
  return (rows) => rows.filter((venue) => tests.every((fits) => fits(venue)));
}

/**
 * Log-odds, set by hand. The type is often a guess (OpenRefine derives it from ten names), so it excludes nothing; the
 * protocol leaves that to the service ("Structure of a Reconciliation Query").
 */
const OTHER_TYPE = -1.5;

/** A venue without a category may have any type. */
function lowerOtherTypes(matches: Match<VenueRow>[], categories: Set<string> | undefined): Match<VenueRow>[] {
  if (!categories) return matches;
  return matches
    .map((match) => {
      const { categoryId } = match.venue;
      return categoryId === null || categories.has(categoryId) ? match : lower(match);
    })
    .sort((a, b) => b.score - a.score);
}

function lower(match: Match<VenueRow>): Match<VenueRow> {
  const odds = match.score * Math.exp(OTHER_TYPE);
  return {
    venue: match.venue,
    score: odds / (1 - match.score + odds),
    mayBePart: match.mayBePart,
    needsReview: match.needsReview,
    isAtAddress: match.isAtAddress,
    get evidence() {
      const told = [...match.evidence, { comparison: "otherType", weight: OTHER_TYPE, text: "different type" }];
      return told.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
    },
  };
}

async function rowsFor(pool: Pool, { listing, place }: Wanted): Promise<{ rows: VenueRow[]; area: Area }> {
  const { name, lat, lng } = listing;
  if (lat !== undefined && lng !== undefined)
    return { rows: await candidatesOf(pool, { ...listing, name: "", lat, lng }), area: "anywhere" };
  return rowsIn(pool, listing, name === undefined ? undefined : await placeMeant(pool, place));
}

/** Ignores a place of another kind than its column. */
async function placeMeant(pool: Pool, { zip, city, state, country }: Wanted["place"]): Promise<Place | undefined> {
  const around = [state, country];
  const columns: [Place["kind"], (string | undefined)[]][] = [
    ["zip", zip ? [zip, ...around] : []],
    ["city", city ? [city, ...around] : []],
    ["state", state ? around : []],
    ["country", [country]],
  ];
  for (const [kind, parts] of columns) {
    const text = parts.filter(Boolean).join(", ");
    const place = text ? await placeCalled(pool, text) : undefined;
    if (place?.kind === kind) return place;
  }
  return undefined;
}

async function placeCalled(pool: Pool, text: string): Promise<Place | undefined> {
  try {
    return (await resolvePlace(pool, text)).place;
  } catch (error) {
    if (error instanceof KnownError && error.code === "failed_geocode") return undefined;
    throw error;
  }
}

/** `value` is log-odds: positive for a match, negative against it. */
interface Feature {
  id: string;
  name: string;
  value: number | boolean;
}

export interface Candidate {
  id: string;
  name: string;
  description?: string;
  /** Percent. */
  score: number;
  match: boolean;
  type: { id: string; name: string }[];
  features: Feature[];
}

export function candidateOf(found: Match<VenueRow>, listing: IncompleteListing, match: boolean): Candidate {
  const { venue, score, evidence } = found;
  const features = evidence.map(({ comparison, weight }) => ({
    id: comparison,
    name: inWords(comparison),
    value: weight,
  }));
  const { lat, lng } = listing;
  if (lat !== undefined && lng !== undefined) {
    const value = Math.round(distanceBetween({ lat, lng }, venue));
    features.push({ id: "metres", name: "Metres apart", value });
  }
  return { ...describeVenue(venue), score: Math.round(1000 * score) / 10, match, type: typesOfVenue(venue), features };
}

/** Only our own ids match automatically: others may be names, such as the bookshop "1984". */
export function candidateOfId(venue: VenueRow, isOnly: boolean): Candidate {
  const features = [{ id: "sameId", name: "Same id", value: true }];
  const match = isOnly && /^[0-9a-f]{24}$/.test(venue.id);
  return { ...describeVenue(venue), score: 100, match, type: typesOfVenue(venue), features };
}

export function describeVenue(venue: VenueRow): { id: string; name: string; description?: string } {
  const { id, name, lat, lng } = venue;
  const address = addressOf(venue).join(", ");
  return { id, name, description: address || `${lat.toFixed(5)}, ${lng.toFixed(5)}` };
}

function inWords(comparison: string): string {
  const words = comparison.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
