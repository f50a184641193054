import type { LocatedAddress } from "../../../contract/addresses.ts";
import type { LatLng } from "../../../contract/parameters.ts";
import { distanceBetween } from "../../../matching/distance.ts";

export interface House extends LatLng {
  number: number;
}

/** House numbers to the next known one, and metres between two known ones: beyond, the street may take another course. */
const FARTHEST_NUMBER = 200;
const WIDEST_GAP = 500;
/** The same without a known house on the other side. */
const CLOSE_NUMBER = 10;

/**
 * Returns the point of a house number: that of the venues with it, otherwise one between its neighbours, on its own side
 * of the street if that is known.
 */
export function positionOnStreet(number: number, houses: readonly House[]): LocatedAddress | undefined {
  const same = houses.filter((house) => house.number === number);
  if (same.length > 0) return { ...middleOf(same), estimated: false };
  const isAcross = (house: House) => (house.number - number) % 2 !== 0;
  return (
    between(
      number,
      houses.filter((house) => !isAcross(house)),
    ) ?? between(number, houses)
  );
}

function between(number: number, houses: readonly House[]): LocatedAddress | undefined {
  const below = nearest(houses, (house) => number - house.number);
  const above = nearest(houses, (house) => house.number - number);
  if (below && above && distanceBetween(below, above) <= WIDEST_GAP) {
    const share = (number - below.number) / (above.number - below.number);
    const at = (from: number, to: number) => from + share * (to - from);
    return { lat: at(below.lat, above.lat), lng: at(below.lng, above.lng), estimated: true };
  }
  const [close] = [below, above].filter((house) => house && Math.abs(house.number - number) <= CLOSE_NUMBER);
  return close && { lat: close.lat, lng: close.lng, estimated: true };
}

function nearest(houses: readonly House[], away: (house: House) => number): House | undefined {
  const beyond = houses.filter((house) => away(house) > 0 && away(house) <= FARTHEST_NUMBER);
  const least = Math.min(...beyond.map(away));
  const first = beyond.filter((house) => away(house) === least);
  return first[0] && { number: first[0].number, ...middleOf(first) };
}

/** The median, so that one venue in a wrong place does not count. */
const middleOf = (houses: readonly House[]): LatLng => ({
  lat: median(houses.map(({ lat }) => lat)),
  lng: median(houses.map(({ lng }) => lng)),
});

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] as number;
