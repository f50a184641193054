import type { Pool } from "pg";
import type { LocatedAddress } from "../../../contract/addresses.ts";
import type { LatLng } from "../../../contract/parameters.ts";
import { distanceBetween } from "../../../matching/distance.ts";
import { normalizeName } from "../../../matching/normalize/normalize.ts";
import { atMost } from "../../../shared/at-most.ts";
import { type HouseAddress, houseAddress } from "../../map/gather-streets.ts";
import { keyOf, type Place, placesOf } from "../../places/refresh.ts";
import type { VenueRow } from "../rows.ts";
import { venuesReading } from "../text/index-terms.ts";
import { readingInAddress } from "../text/readings.ts";
import { boxesOf } from "./match.ts";

export interface Located {
  address: string;
  place: Place;
}

/** Venues read for each street. */
const MOST = 500;
/** Streets in one statement, and statements at once. */
const SLICE = 50;
const AT_ONCE = 2;

/**
 * Returns the position of each address by the directory's own venues, in order; undefined if it knows too little of the
 * street. Venues that have such a position themselves do not count. Streets of the same place share statements.
 */
export async function locateAddresses(pool: Pool, asked: readonly Located[]): Promise<(LocatedAddress | undefined)[]> {
  const found: (LocatedAddress | undefined)[] = asked.map(() => undefined);
  const wanted = asked.flatMap(({ address, place }, at) => {
    const house = houseAddress(address, place.cc);
    return house ? [{ at, place, house }] : [];
  });
  const slices = [...Map.groupBy(wanted, ({ place }) => keyOf(place)).values()].flatMap((each) =>
    Array.from({ length: Math.ceil(each.length / SLICE) }, (_, part) => each.slice(part * SLICE, (part + 1) * SLICE)),
  );
  await atMost(AT_ONCE, slices, async (slice) => {
    const [first] = slice;
    if (!first) return;
    const streets = await housesIn(
      pool,
      first.place,
      slice.map(({ house }) => house),
    );
    for (const { at, house } of slice) found[at] = positionOnStreet(house.number, streets.get(house.street) ?? []);
  });
  return found;
}

/** Reads the houses of the streets, and those with the same number by themselves, in case a street has very many. */
async function housesIn(pool: Pool, place: Place, wanted: HouseAddress[]): Promise<Map<string, House[]>> {
  const texts = new Set(wanted.flatMap(({ name, number }) => [name, `${number} ${name}`]));
  const readings = [...texts].map((text) => ({ query: readingInAddress(text) }));
  const area = { center: { lat: place.lat, lng: place.lng }, boxes: boxesOf(place) };
  const answers = await venuesReading(pool, readings, area, MOST);
  const venues = new Map(answers.flatMap((each) => each.venues.map((venue) => [venue.id, venue])));
  const streets = new Map<string, House[]>(wanted.map(({ street }) => [street, []]));
  for (const venue of venues.values()) {
    const house = venue.address ? houseAddress(venue.address, venue.cc ?? place.cc) : undefined;
    if (house && !venue.isByAddress && isWithin(place, venue))
      streets.get(house.street)?.push({ number: house.number, lat: venue.lat, lng: venue.lng });
  }
  return streets;
}

/** Neighbouring towns have streets of the same name. Other places than towns are taken by their bounds. */
function isWithin(place: Place, { city, state, zip, cc }: VenueRow): boolean {
  if (place.kind === "city" && !city) return false;
  return placesOf({ city, state, zip, cc }).some(
    ({ kind, nameNorm, state: of }) =>
      kind === place.kind &&
      (nameNorm === place.nameNorm || isShort(place, nameNorm)) &&
      (!place.state || of === place.state),
  );
}

const isShort = ({ kind, name }: Place, nameNorm: string) => kind === "city" && normalizeName(name) === nameNorm;

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
