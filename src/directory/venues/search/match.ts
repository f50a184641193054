import type { Pool } from "pg";
import { decide } from "../../../matching/decide.ts";
import { degreesOf, radians } from "../../../matching/distance.ts";
import { type Match, matchListing } from "../../../matching/match.ts";
import { type Area, type IncompleteListing, matchIncomplete } from "../../../matching/match-incomplete.ts";
import { withoutStoreNumber } from "../../../matching/normalize/store-number.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { boundsOf } from "../../places/geocode.ts";
import type { Place } from "../../places/place.ts";
import { candidatesOf, withPhone } from "../candidates.ts";
import { boxesBetween } from "../mercator.ts";
import type { VenueRow } from "../rows.ts";
import { searchEverywhere, searchText } from "../text/search.ts";

/** The matches, best first, and whether the first may be taken without a person. */
export interface Decision {
  matches: Match<VenueRow>[];
  confident: boolean;
}

/** The venues that are probably the listing's, best first, and whether the first may be taken without a look. */
export async function findMatches(pool: Pool, listing: Listing): Promise<Decision> {
  return decide(matchListing(listing, await candidatesOf(pool, listing)));
}

/** As `findMatches`, for a listing without a position in a place, or anywhere: a place's middle is nobody's position. */
export async function findMatchesIn(
  pool: Pool,
  place: Place | undefined,
  listing: IncompleteListing,
  minScore?: number,
): Promise<Decision> {
  const { rows, area } = await rowsIn(pool, listing, place);
  return decideIncomplete(listing, area, rows, { minScore });
}

/** What could be a listing without a position: the venues named like it in the place, or anywhere, and those with its phone. */
export async function rowsIn(
  pool: Pool,
  { name, phone }: IncompleteListing,
  place: Place | undefined,
): Promise<{ rows: VenueRow[]; area: Area }> {
  const [called, named] = await Promise.all([
    withPhone(pool, phone),
    name ? venuesNamedIn(pool, name, place) : undefined,
  ]);
  const rows = new Map([...called, ...(named?.rows ?? [])].map((row) => [row.id, row]));
  return { rows: [...rows.values()], area: named?.area ?? "anywhere" };
}

interface Deciding {
  minScore?: number | undefined;
  /** Changes the scores before the decision; keeps the best first. */
  weigh?: (matches: Match<VenueRow>[]) => Match<VenueRow>[];
}

/** Nothing is certain of a listing that lacks its name or position, unless name and telephone number are the same. */
export function decideIncomplete(
  listing: IncompleteListing,
  area: Area,
  rows: VenueRow[],
  { minScore, weigh = (matches) => matches }: Deciding,
): Decision {
  const { matches, confident } = decide(weigh(matchIncomplete(listing, area, rows)), minScore);
  return { matches, confident: confident && listing.name !== undefined && isSamePhone(matches[0]) };
}

const isSamePhone = (match: Match<VenueRow> | undefined): boolean =>
  match?.evidence.some(({ comparison, weight }) => comparison === "phone" && weight > 0) ?? false;

/** Venues looked at for a name without a position. */
const NAMESAKES = 50;

/** Metres around a place that belong to it as well: its bounds leave out the outermost venues. */
const OUTSKIRTS = 3_000;

/** The venues with a name like this one in a place, everywhere without one, and how wide that is; at most 50. */
async function venuesNamedIn(
  pool: Pool,
  name: string,
  place: Place | undefined,
): Promise<{ rows: VenueRow[]; area: Area }> {
  const wanted = { term: withoutStoreNumber(name), count: NAMESAKES, isThorough: true };
  if (!place) return { rows: await searchEverywhere(pool, wanted), area: "anywhere" };
  const { lat, lng } = place;
  const rows = await searchText(pool, { ...wanted, center: { lat, lng }, boxes: boxesOf(place) });
  return { rows, area: AREAS[place.kind] };
}

const AREAS: Record<Place["kind"], Area> = { zip: "district", city: "town", state: "anywhere", country: "anywhere" };

function boxesOf(place: Place): string[] {
  const { sw, ne } = boundsOf(place);
  const height = degreesOf(OUTSKIRTS);
  const width = height / Math.max(0.01, Math.cos(radians(place.lat)));
  return boxesBetween({ lat: sw.lat - height, lng: sw.lng - width }, { lat: ne.lat + height, lng: ne.lng + width });
}
