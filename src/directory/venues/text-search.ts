import type { Pool } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { normalizeName } from "../../matching/normalize.ts";
import { words } from "../../matching/similarity.ts";
import { descendantIds, searchCategories } from "../categories/tree.ts";
import { boxesAround, formatPoint } from "./mercator.ts";
import { type Area, nearestVenues } from "./nearest.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";
import { textQuality } from "./text-quality.ts";

/** Metres. A dense city answers within the first; the last is the widest search there is. */
const RADII = [2_000, 12_000, 100_000];

/** Metres: the search for the closest spelling looks at every name there is. */
const MISSPELT_RADIUS = 12_000;

/** Venues looked at for each word of the term. */
const PER_WORD = 200;

/** Below this quality a venue does not answer the term. */
const ACCEPTED = 0.62;

/** Quality of a venue whose category is what was searched for. */
const OF_CATEGORY = 0.95;

/**
 * The venues that answer a search term near a point: by name, by category, by name and street; tolerant of spelling.
 * Widens the search until there are enough, up to `radius` metres.
 */
export async function searchText(
  pool: Pool,
  { term, radius = 100_000, count, ...area }: { term: string; radius?: number; count: number } & Area,
): Promise<VenueRow[]> {
  if (area.boxes) return (await searchIn(pool, term, area, count)).slice(0, count);
  let found: VenueRow[] = [];
  for (const metres of [...RADII.filter((step) => step < radius), radius]) {
    const boxes = boxesAround(area.center, metres);
    const inBox = await searchIn(pool, term, { ...area, boxes }, count);
    found = inBox.filter((venue) => distanceBetween(area.center, venue) <= metres);
    if (found.length >= count) break;
  }
  return (found.length ? found : await searchMisspelt(pool, term, area, radius)).slice(0, count);
}

/** When no name holds anything like the term: the names that come closest, such as Starbucks for "strabucks". */
async function searchMisspelt(pool: Pool, query: string, { center, categoryIds }: Area, radius: number) {
  const term = normalizeName(query);
  const metres = Math.min(radius, MISSPELT_RADIUS);
  const { rows } = await pool.query<VenueRow>({
    name: "search-misspelt",
    text: `SELECT ${VENUE_COLUMNS} FROM unnest($2::box[]) box CROSS JOIN LATERAL (
             SELECT * FROM directory.venue n
              WHERE n.point <@ box AND ($3::text[] IS NULL OR n.category_id = ANY($3))
              ORDER BY n.name_norm <->> $1 LIMIT 50) v`,
    values: [term, boxArray(boxesAround(center, metres)), categoryIds ?? null],
  });
  return rank(term, new Set(), center, rows).filter((venue) => distanceBetween(center, venue) <= metres);
}

/** The venues of the whole directory whose names answer the term, best first. */
export async function searchEverywhere(pool: Pool, query: string, count: number): Promise<VenueRow[]> {
  const term = normalizeName(query);
  const { rows } = await pool.query<VenueRow>({
    name: "search-everywhere",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.name_norm %> $1 ORDER BY v.name_norm <->> $1 LIMIT $2`,
    values: [term, PER_WORD],
  });
  const ranked = rows.map((venue) => ({ venue, rank: textQuality(term, venue, 0) }));
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, count)
    .map(({ venue }) => venue);
}

async function searchIn(pool: Pool, query: string, area: Area, count: number): Promise<VenueRow[]> {
  const term = normalizeName(query);
  const wanted = new Set(searchCategories(query).flatMap(({ id }) => descendantIds(id)));
  const categoryIds = area.categoryIds?.filter((id) => wanted.has(id)) ?? [...wanted];
  const [named, categorized] = await Promise.all([
    namedLike(pool, term, area),
    categoryIds.length ? nearestVenues(pool, { ...area, categoryIds }, Math.max(PER_WORD, count)) : [],
  ]);
  const venues = new Map([...named, ...categorized].map((venue) => [venue.id, venue]));
  return rank(term, wanted, area.center, [...venues.values()]);
}

/** The nearest venues with a name that holds something like the term, or like one of its longer words. */
async function namedLike(pool: Pool, term: string, { center, boxes = [], categoryIds }: Area): Promise<VenueRow[]> {
  const longer = words(term).filter((word) => word.length >= 3);
  const probes = [...new Set([term, ...longer.sort((a, b) => b.length - a.length).slice(0, 4)])];
  const { rows } = await pool.query<VenueRow>({
    name: "named-like",
    text: `SELECT ${VENUE_COLUMNS}
             FROM unnest($1::text[]) probe CROSS JOIN unnest($2::box[]) box CROSS JOIN LATERAL (
                  SELECT * FROM directory.venue n
                   WHERE n.name_norm %> probe AND n.point <@ box AND ($4::text[] IS NULL OR n.category_id = ANY($4))
                   ORDER BY n.point <-> $3::point LIMIT ${PER_WORD}) v`,
    values: [probes, boxArray(boxes), formatPoint(center), categoryIds ?? null],
  });
  return rows;
}

/** box[] is the one array type whose elements are separated by semicolons. */
const boxArray = (boxes: string[]): string => `{${boxes.join(";")}}`;

/** Best first: quality of the text, less a little for every doubling of the distance. */
function rank(term: string, wanted: Set<string>, center: LatLng, venues: VenueRow[]): VenueRow[] {
  return venues
    .map((venue) => {
      const ofCategory = venue.categoryId && wanted.has(venue.categoryId) ? OF_CATEGORY : 0;
      const quality = textQuality(term, venue, ofCategory);
      return { venue, quality, order: quality - 0.05 * Math.log2(1 + distanceBetween(center, venue) / 250) };
    })
    .filter(({ quality }) => quality >= ACCEPTED)
    .sort((a, b) => b.order - a.order)
    .map(({ venue }) => venue);
}
