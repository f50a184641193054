import type { LatLng } from "../../../src/contract/parameters.ts";
import type { Venue } from "../../../src/contract/resources.ts";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import type { DirectoryClient, Listing, VenueSearch } from "../../../src/directory-client/client.ts";
import { judgeSpots } from "../../../src/harmonize/positions/judge-file.ts";
import { spotOf } from "../../../src/harmonize/positions/spots.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";

/** Rows may use another name than the directory, or the directory another position. */
interface Town extends LatLng {
  name: string;
}

export interface Row extends LatLng {
  name: string;
  town: string;
  country?: string;
}

/** A seeded generator of numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Towns in a grid around a point, some 30 km apart. */
export const townsAround = ({ lat, lng }: LatLng, count = 9, apart = 0.27): Town[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Town ${index}`,
    lat: lat + (Math.floor(index / 3) - 1) * apart,
    lng: wrap(lng + ((index % 3) - 1) * apart),
  }));

/** Places within some kilometres of their towns, in turn. */
export function rowsIn(towns: Town[], count: number, { within = 0.04, seed = 7 } = {}): Row[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const town = towns[index % towns.length] as Town;
    const at = () => (next() - 0.5) * 2 * within;
    return { name: `Place ${index}`, town: town.name, lat: town.lat + at(), lng: wrap(town.lng + at()) };
  });
}

const wrap = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

export const RHODE_ISLAND = { lat: 41.7, lng: -71.5 };
export const SPOILS: Record<string, (row: LatLng) => LatLng> = {
  swapped: ({ lat, lng }) => ({ lat: lng, lng: lat }),
  "lng sign": ({ lat, lng }) => ({ lat, lng: -lng }),
  "lat sign": ({ lat, lng }) => ({ lat: -lat, lng }),
  "both signs": ({ lat, lng }) => ({ lat: -lat, lng: -lng }),
  "swapped, lng sign": ({ lat, lng }) => ({ lat: -lng, lng: lat }),
};
export const spoil = (rows: Row[], slip: string, isSpoilt = (_index: number) => true) =>
  rows.map((row, index) => (isSpoilt(index) ? { ...row, ...SPOILS[slip]?.(row) } : row));
export const shift = (rows: Row[], north: number, east: number) =>
  rows.map((row) => ({ ...row, lat: row.lat + north, lng: wrap(row.lng + east) }));
/** Removes the towns from rows. */
export const without = (rows: Row[]) => rows.map((row) => ({ ...row, town: "" }));

interface Known {
  towns?: Town[];
  venues?: (LatLng & { name: string })[];
  cc?: string;
}

/** Judges a file with these rows at a directory with these towns and venues. */
export async function judge(rows: Row[], known: Known = {}) {
  const { directory, calls } = directoryOf(known);
  const columns = { name: 0, lat: 1, lng: 2, city: 3, country: 4 };
  const spots = rows.flatMap(({ name, lat, lng, town, country = "" }, index) => {
    return spotOf({ line: index + 2, cells: [name, String(lat), String(lng), town, country] }, columns) ?? [];
  });
  const signal = new AbortController().signal;
  return { ...(await judgeSpots({ directory, auth: { token: "t" }, signal, calls: signal }, spots)), calls };
}

function directoryOf({ towns = [], venues = [], cc = "" }: Known) {
  const calls = { near: 0, named: 0, matched: 0 };
  const found = venues.map(({ name, lat, lng }, index) => ({ id: `v${index}`, name, location: { lat, lng } }) as Venue);
  const townOf = (near: string | undefined) => towns.find(({ name }) => name === near?.split(",")[0]);
  const at = (a: LatLng, { location: { lat = 0, lng = 0 } = {} }: Venue) => distanceBetween(a, { lat, lng });
  const directory = {
    async searchVenues(_auth: unknown, { near, query }: VenueSearch) {
      if (query) calls.named += 1;
      else calls.near += 1;
      const town = townOf(near);
      if (near && !town) throw new DirectoryError("rejected", undefined, { errorType: "failed_geocode" });
      const all = found.filter((venue) => !query || venue.name === query);
      const geocode = town && { feature: { cc, geometry: { center: { lat: town.lat, lng: town.lng } } } };
      return { venues: town ? all.filter((venue) => at(town, venue) < 50_000) : all, confident: false, geocode };
    },
    async matchListings(_auth: unknown, listings: Listing[]) {
      calls.matched += listings.length;
      return listings.map(({ name, ll }) => {
        const first = found.find((venue) => venue.name === name && ll && at(ll, venue) < 200);
        return { found: { venues: first ? [{ ...first, score: 0.97 }] : [], confident: first !== undefined } };
      });
    },
  } as unknown as DirectoryClient;
  return { directory, calls };
}
