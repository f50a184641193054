import type { Pool } from "pg";
import type { LocatedAddress } from "../../../contract/addresses.ts";
import { normalizeName } from "../../../matching/normalize/normalize.ts";
import { atMost } from "../../../shared/at-most.ts";
import { type HouseAddress, houseAddress } from "../../map/gather-streets.ts";
import { keyOf, type Place, placesOf } from "../../places/refresh.ts";
import type { VenueRow } from "../rows.ts";
import { venuesReading } from "../text/index-terms.ts";
import { readingInAddress } from "../text/readings.ts";
import { boxesOf } from "./match.ts";
import { type House, positionOnStreet } from "./street-position.ts";

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
