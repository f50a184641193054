import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryName, stateKey, stateName } from "./regions.ts";

/** In the order in which every writer of the table takes them, so that no two wait for each other's rows. */
export const PLACE_KINDS = ["zip", "city", "state", "country"] as const;
type Kind = (typeof PLACE_KINDS)[number];

/** What tells one place from another. `state` and `cc` are empty where the venues name none. */
export interface PlaceKey {
  kind: Kind;
  nameNorm: string;
  /** As `stateKey` writes it. */
  state: string;
  /** ISO 3166-1 alpha-2. */
  cc: string;
}

export const keyOf = ({ kind, nameNorm, state, cc }: PlaceKey): string => JSON.stringify([kind, nameNorm, state, cc]);

export interface NamedPlace extends PlaceKey {
  /** For people. */
  name: string;
}

/** A row of directory.place. Degrees; `west > east` where the 180th meridian runs through it. */
export interface Place extends NamedPlace {
  lat: number;
  lng: number;
  south: number;
  west: number;
  north: number;
  east: number;
  /** How many venues name it. */
  venues: number;
}

/** The columns of a Place, of a table or subselect named `p`. */
export const PLACE_COLUMNS =
  'p.kind, p.name_norm AS "nameNorm", p.state, p.cc, p.name, p.lat, p.lng, p.south, p.west, p.north, p.east, p.venues';

/** The attributes of a venue that name places. */
export interface Address {
  city?: string | null | undefined;
  state?: string | null | undefined;
  zip?: string | null | undefined;
  cc?: string | null | undefined;
}

/** The places that an address names, in the order of PLACE_KINDS. */
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

/** A postal code without spaces and hyphens; of a ZIP+4 the first five digits. */
export const normalizeZip = (zip: string): string => normalizeName(shortZip(zip)).replaceAll(" ", "");

const shortZip = (zip: string): string => zip.replace(/^(\d{5})-\d{4}$/, "$1");
