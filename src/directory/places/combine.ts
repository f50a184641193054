import type { Place } from "./place.ts";

/** Where the venues lie that share a spelling of a place; longitudes may go beyond 180 where they cross that meridian. */
export type Spread = Pick<Place, "lat" | "lng" | "south" | "west" | "north" | "east" | "venues">;

/** Of the venues on each side that bounds may leave out: strays, and those with a wrong address. */
export const STRAY = 0.02;

/** The spreads of the parts of a place as that of the whole: middle and bounds by weight, so that strays move nothing. */
export function combine(parts: Spread[]): Spread {
  const [only, second] = parts;
  const venues = parts.reduce((sum, part) => sum + part.venues, 0);
  const at = (share: number, value: (part: Spread) => number) => weighted(parts, share * venues, value);
  const whole =
    only && !second
      ? only
      : {
          lat: at(0.5, ({ lat }) => lat),
          lng: at(0.5, ({ lng }) => lng),
          south: at(STRAY, ({ south }) => south),
          west: at(STRAY, ({ west }) => west),
          north: at(1 - STRAY, ({ north }) => north),
          east: at(1 - STRAY, ({ east }) => east),
        };
  return { ...whole, lng: turn(whole.lng), west: turn(whole.west), east: turn(whole.east), venues };
}

/** The value that this many venues do not exceed. */
function weighted(parts: Spread[], count: number, value: (part: Spread) => number): number {
  let seen = 0;
  let last = Number.NaN;
  for (const part of parts.toSorted((a, b) => value(a) - value(b))) {
    last = value(part);
    seen += part.venues;
    if (seen >= count) break;
  }
  return last;
}

const turn = (lng: number): number => (lng > 180 ? lng - 360 : lng);
