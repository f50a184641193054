import type { Pool } from "pg";
import type { LatLng } from "../../../contract/parameters.ts";
import { distanceBetween } from "../../../matching/distance.ts";
import { boxesAround } from "../mercator.ts";
import type { Area } from "../nearest.ts";
import type { VenueRow } from "../rows.ts";
import { nearestCalled, nearestOfKind, venuesAnywhere, venuesReading } from "./index-terms.ts";
import { textQuality } from "./quality.ts";
import type { Reading, Term } from "./readings.ts";

/** Where a term is searched: around the centre, or in the boxes where there are some. */
export interface Scope extends Area {
  /** Metres; it has no say where there are boxes. */
  radius: number;
  /** Venues wanted. */
  count: number;
}

export interface Ranked {
  venue: VenueRow;
  /** How well it answers the term, 0 to 1. */
  quality: number;
}

/** Asks for the venues that answer one of the readings, and ranks them by the term. */
export type Ask = (term: Term, readings: readonly Reading[]) => Promise<Ranked[]>;

/** Venues fetched for a reading beyond those that are wanted: the best need not be the nearest. */
const MARGIN = 20;

/** Below this quality a venue does not answer the term. */
const ACCEPTED = 0.62;

/** What a name that the term is all of has before one that goes on. */
const WHOLE_NAME = 0.12;

/** Metres around the centre for a reading that very many venues answer. */
const CLOSER = 3_000;

/** Metres that count at most for a venue in a town that the term names. */
const IN_TOWN = 3_000;

/** The venues of a scope that answer, best first. */
export const askIn =
  (pool: Pool, scope: Scope): Ask =>
  async (term, readings) => {
    const boxes = scope.boxes ?? boxesAround(scope.center, scope.radius);
    const area = { ...scope, boxes };
    const count = scope.count + MARGIN;
    const answers = await venuesReading(pool, readings, area, count);
    const common = readings.filter((_, number) => answers[number]?.hasMore);
    const nearest = await Promise.all(common.map((reading) => nearestOf(pool, reading, scope, area, count)));
    const venues = [...answers.flatMap((each) => each.venues), ...nearest.flat()];
    const isWithin = (venue: VenueRow) => scope.boxes || distanceBetween(scope.center, venue) <= scope.radius;
    return rank(term, venues.filter(isWithin), scope.center);
  };

/** The nearest venues of a reading that so many answer that any of them were read. */
async function nearestOf(pool: Pool, { query, inName, ids }: Reading, scope: Scope, area: Area, count: number) {
  if (inName) return nearestCalled(pool, inName, area, count);
  if (ids) return nearestOfKind(pool, ids, area, count);
  if (scope.boxes) return [];
  const closer = { ...area, boxes: boxesAround(area.center, CLOSER) };
  const [found] = await venuesReading(pool, [{ query }], closer, count);
  return found?.venues ?? [];
}

/** The venues of the whole directory that answer, best first. A term that names a kind of place means names that hold it. */
export const askEverywhere =
  (pool: Pool, count: number, categoryIds: readonly string[] | undefined): Ask =>
  async (term, readings) => {
    const named = readings.filter(({ ids }) => !ids);
    return rank(term, await venuesAnywhere(pool, term.text, named, categoryIds, count));
  };

/**
 * Best first: the quality of the text and how much of the name it is, less a little for every doubling of the distance.
 * What does not answer the term is left out.
 */
function rank(term: Term, venues: VenueRow[], center?: LatLng): Ranked[] {
  return [...new Map(venues.map((venue) => [venue.id, venue])).values()]
    .map((venue) => {
      const { quality, covered, isInTown } = textQuality(term, venue);
      const metres = center ? distanceBetween(center, venue) : 0;
      const away = Math.log2(1 + (isInTown ? Math.min(metres, IN_TOWN) : metres) / 250);
      return { venue, quality, order: quality + WHOLE_NAME * covered - 0.05 * away };
    })
    .filter(({ quality }) => quality >= ACCEPTED)
    .sort((a, b) => b.order - a.order || (a.venue.id < b.venue.id ? -1 : 1));
}
