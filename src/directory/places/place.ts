import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryName, stateKey, stateName } from "../../matching/normalize/regions.ts";

export const PLACE_KINDS = ["zip", "city", "state", "country"] as const;
type Kind = (typeof PLACE_KINDS)[number];

/** `state` and `cc` are empty if the venues name none. */
export interface PlaceKey {
  kind: Kind;
  nameNorm: string;
  /** As returned by `stateKey`. */
  state: string;
  /** ISO 3166-1 alpha-2. */
  cc: string;
}

export const keyOf = ({ kind, nameNorm, state, cc }: PlaceKey): string => JSON.stringify([kind, nameNorm, state, cc]);

export interface NamedPlace extends PlaceKey {
  name: string;
}

/** Degrees; `west > east` across the 180th meridian. */
export interface Place extends NamedPlace {
  lat: number;
  lng: number;
  south: number;
  west: number;
  north: number;
  east: number;
  venues: number;
}

export const PLACE_COLUMNS =
  'p.kind, p.name_norm AS "nameNorm", p.state, p.cc, p.name, p.lat, p.lng, p.south, p.west, p.north, p.east, p.venues';

export interface Address {
  city?: string | null | undefined;
  state?: string | null | undefined;
  zip?: string | null | undefined;
  cc?: string | null | undefined;
}

/** In the order of PLACE_KINDS. */
export function placesOf(address: Address): NamedPlace[] {
  const { city, zip } = address;
  const cc = address.cc ?? "";
  const state = stateKey(address.state ?? "", cc);
  const places: NamedPlace[] = [
    { kind: "zip", nameNorm: normalizeZip(zip ?? ""), state, cc, name: shortZip(zip ?? "") },
    { kind: "city", nameNorm: normalizeName(city ?? ""), state, cc, name: city ?? "" },
    { kind: "state", nameNorm: normalizeName(state), state, cc, name: stateName(state, cc) },
    { kind: "country", nameNorm: cc.toLowerCase(), state: "", cc, name: countryName(cc) },
  ];
  return places.filter(({ nameNorm }) => nameNorm !== "");
}

const normalizeZip = (zip: string): string => normalizeName(shortZip(zip)).replaceAll(" ", "");

const shortZip = (zip: string): string => zip.replace(/^(\d{5})-\d{4}$/, "$1");
