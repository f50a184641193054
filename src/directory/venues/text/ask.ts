import type { Pool } from "pg";
import type { LatLng } from "../../../contract/parameters.ts";
import { distanceBetween } from "../../../matching/distance.ts";
import { heldIn } from "../held.ts";
import { boxesAround } from "../mercator.ts";
import type { Area } from "../nearest.ts";
import type { VenueRow } from "../rows.ts";
import { closestOfKind, nearestCalled, nearestOfKind, venuesAnywhere, venuesReading } from "./index-terms.ts";
import { textQuality } from "./quality.ts";
import type { Reading, Term } from "./readings.ts";

/** Boxes, if given, take precedence over the centre. */
export interface Scope extends Area {
  /** Metres; ignored with boxes. */
  radius: number;
  count: number;
}

export interface Ranked {
  venue: VenueRow;
  /** How well it fits the term, 0 to 1. */
  quality: number;
}

export type Ask = (term: Term, readings: readonly Reading[]) => Promise<Ranked[]>;

/** Additional venues fetched for each reading, because the best may not be the nearest. */
const MARGIN = 20;

const ACCEPTED = 0.62;

/** Bonus for a name that the term covers completely. */
const WHOLE_NAME = 0.12;

/** Metres around the centre for a reading with very many results. */
const CLOSER = 3_000;

/** Metres that count at most if the term names the venue's town. */
const IN_TOWN = 3_000;

export const askIn =
  (pool: Pool, scope: Scope): Ask =>
  async (term, readings) => {
    const boxes = scope.boxes ?? boxesAround(scope.center, scope.radius);
    const area = { ...scope, boxes };
    const count = scope.count + MARGIN;
    const close = await Promise.all(readings.map(({ ids }) => (ids ? closestOfKind(pool, ids, area, count) : [])));
    const others = readings.filter((_, number) => (close[number]?.length ?? 0) < count);
    const answers = others.length > 0 ? await venuesReading(pool, others, area, count) : [];
    const common = others.filter((_, number) => answers[number]?.hasMore);
    const nearest = await Promise.all(common.map((reading) => nearestOf(pool, reading, scope, area, count)));
    const venues = [...close.flat(), ...answers.flatMap((each) => each.venues), ...nearest.flat(), ...heldIn(area)];
    const isWithin = (venue: VenueRow) => scope.boxes || distanceBetween(scope.center, venue) <= scope.radius;
    return rank(term, venues.filter(isWithin), scope.center);
  };

async function nearestOf(pool: Pool, { query, inName, ids }: Reading, scope: Scope, area: Area, count: number) {
  if (inName) return nearestCalled(pool, inName, area, count);
  if (ids) return nearestOfKind(pool, ids, area, count);
  if (scope.boxes) return [];
  const closer = { ...area, boxes: boxesAround(area.center, CLOSER) };
  const [found] = await venuesReading(pool, [{ query }], closer, count);
  return found?.venues ?? [];
}

/** Finds venues in the whole directory. A term that names a kind of place searches names only. */
export const askEverywhere =
  (pool: Pool, count: number, { categoryIds, held }: Pick<Area, "categoryIds" | "held">): Ask =>
  async (term, readings) => {
    const named = readings.filter(({ ids }) => !ids);
    const found = await venuesAnywhere(pool, term.text, named, categoryIds, count);
    return rank(term, [...found, ...heldIn({ categoryIds, held })]);
  };

/** Subtracts a little for every doubling of the distance. */
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
