import type { LatLng } from "../../contract/parameters.ts";
import { queryRows } from "../../db/sql.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Look } from "./look.ts";

/** All positions are off from their venues in the same way, as with another datum or projection. */
export interface Shift {
  metres: number;
  /** "north", "north-east"… */
  direction: string;
  matches: number;
}

const SAMPLE = 4000;

export async function findShift({ db }: Look, { id, listingCount }: Harmonization): Promise<Shift | undefined> {
  const rows = await queryRows<{ lat: number; lng: number; north: number; east: number }>(db)`
    SELECT lat, lng, lat - (best ->> 'lat')::float8 AS north, lng - (best ->> 'lng')::float8 AS east
       FROM generate_series(1, ${listingCount}::int, ${1 + Math.floor(listingCount / SAMPLE)}::int) AS n
       JOIN LATERAL (SELECT (l.query -> 'll' ->> 'lat')::float8 AS lat, (l.query -> 'll' ->> 'lng')::float8 AS lng,
                            l.candidates -> 0 AS best
                       FROM app.listing l
                      WHERE l.harmonization_id = ${id} AND l.number = n AND l.is_clear AND l.query ? 'll'
                        AND l.decision IS DISTINCT FROM 'rejected' AND coalesce(l.venue_id, l.best_id) = l.best_id OFFSET 0) AS l ON true
      WHERE best ->> 'id' IS NOT NULL AND best -> 'isByAddress' IS NULL`;
  return shiftOf(rows.map(({ lat, lng, north, east }) => ({ at: { lat, lng }, north, east })));
}

/** Metres; less occurs in any list. */
const LEAST = 100;
const FEWEST_MATCHES = 20;
const METRES_OF_A_DEGREE = 111_195;

/** @param offsets in degrees from the venue to the listing, with its position */
export function shiftOf(offsets: { at: LatLng; north: number; east: number }[]): Shift | undefined {
  if (offsets.length < FEWEST_MATCHES) return undefined;
  const metres = offsets.map(({ at, north, east }) => ({
    north: north * METRES_OF_A_DEGREE,
    east: east * METRES_OF_A_DEGREE * Math.cos((at.lat * Math.PI) / 180),
  }));
  const north = median(metres.map((each) => each.north));
  const east = median(metres.map((each) => each.east));
  const size = Math.hypot(north, east);
  const spread = median(metres.map((each) => Math.hypot(each.north - north, each.east - east)));
  // Errors in all directions have a median near 0, or a spread as large as it.
  if (size <= LEAST || spread > size / 2) return undefined;
  return { metres: size, direction: directionOf(north, east), matches: offsets.length };
}

const DIRECTIONS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

const directionOf = (north: number, east: number): string =>
  DIRECTIONS[Math.round((Math.atan2(east, north) / Math.PI) * 4 + 8) % 8] ?? "";

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return ((sorted[middle] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2;
}
