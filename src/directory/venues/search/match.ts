import type { Pool } from "pg";
import { decideMatches } from "../../../matching/decide.ts";
import { degreesOf, radians } from "../../../matching/distance.ts";
import type { Match } from "../../../matching/match.ts";
import { type Area, type IncompleteListing, matchIncomplete } from "../../../matching/match-incomplete.ts";
import { withoutStoreNumber } from "../../../matching/normalize/store-number.ts";
import { nameOf } from "../../../matching/text/name.ts";
import { type Word, wordOf } from "../../../matching/text/word.ts";
import { withCategories } from "../../categories/tree.ts";
import { boundsOf } from "../../places/geocode.ts";
import type { Place } from "../../places/refresh.ts";
import { heldIn } from "../held.ts";
import { boxesBetween } from "../mercator.ts";
import { withPhone } from "../phones.ts";
import type { VenueRow } from "../rows.ts";
import { searchEverywhere, searchText } from "../text/search.ts";

export interface RankedMatches {
  /** Best first. */
  matches: Match<VenueRow>[];
  confident: boolean;
}

/** Matches a listing without a position. Does not use the place's middle as its position. */
export async function findMatchesInPlace(
  pool: Pool,
  place: Place | undefined,
  listing: IncompleteListing,
  { minScore, held = [] }: { minScore?: number | undefined; held?: readonly VenueRow[] } = {},
): Promise<RankedMatches> {
  const { rows, area } = await rowsIn(pool, listing, place);
  const own = heldIn({ boxes: place && boxesOf(place), held });
  return decideIncomplete(listing, area, [...rows, ...own], { minScore });
}

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
  /** Adjusts the scores before the decision; must keep the best first. */
  weigh?: (matches: Match<VenueRow>[]) => Match<VenueRow>[];
}

export function decideIncomplete(
  listing: IncompleteListing,
  area: Area,
  rows: VenueRow[],
  { minScore, weigh = (matches) => matches }: Deciding,
): RankedMatches {
  return decideMatches(weigh(matchIncomplete(listing, area, withCategories(rows))), minScore);
}

const NAMESAKES = 50;

/** Metres around a place to include, because its bounds leave out the outermost venues. */
const OUTSKIRTS = 3_000;

async function venuesNamedIn(
  pool: Pool,
  name: string,
  place: Place | undefined,
): Promise<{ rows: VenueRow[]; area: Area }> {
  const search = (name: string) => {
    const wanted = { term: withoutStoreNumber(name), count: NAMESAKES, isThorough: true };
    if (!place) return searchEverywhere(pool, wanted);
    const { lat, lng } = place;
    return searchText(pool, { ...wanted, center: { lat, lng }, boxes: boxesOf(place) });
  };
  let rows = await search(name);
  const bare = withoutRemark(name);
  for (const shorter of [bare, withoutLastTwo(bare)])
    if (rows.length === 0 && shorter !== "" && shorter !== name.trim()) rows = await search(shorter);
  return { rows, area: place ? AREAS[place.kind] : "anywhere" };
}

/**
 * Without what stands in brackets or behind a dash, "Jeha Citgo (closed Mondays)", "Aldo – Providence Place Mall": a search forgives one
 * word that no venue has. The match still compares the whole name.
 */
const withoutRemark = (name: string): string =>
  name
    .replace(/[([{（【][^)\]}）】]*[)\]}）】]?/gu, " ")
    .replace(/\s[-–—|]\s.*$/u, "")
    .trim();

/** Without the last two words, "Jeha Citgo Gas Mart"; empty if the rest tells no place. */
function withoutLastTwo(name: string): string {
  const rest = name.split(/\s+/).slice(0, -2).join(" ");
  const isTelling = ({ text, kinds, isFiller }: Word) => text.length > 3 && kinds === 0 && !isFiller;
  return nameOf({ name: rest }).words.map(wordOf).some(isTelling) ? rest : "";
}

const AREAS: Record<Place["kind"], Area> = { zip: "district", city: "town", state: "anywhere", country: "anywhere" };

/** The bounds of a place with its outskirts. */
export function boxesOf(place: Place): string[] {
  const { sw, ne } = boundsOf(place);
  const height = degreesOf(OUTSKIRTS);
  const width = height / Math.max(0.01, Math.cos(radians(place.lat)));
  return boxesBetween({ lat: sw.lat - height, lng: sw.lng - width }, { lat: ne.lat + height, lng: ne.lng + width });
}
