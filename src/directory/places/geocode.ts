import { createHash } from "node:crypto";
import type { Geocode } from "../../contract/geocode.ts";
import type { LatLng } from "../../contract/parameters.ts";
import { degreesOf, radians } from "../../matching/distance.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryName, stateName } from "../../matching/normalize/regions.ts";
import { keyOf, type Place } from "./place.ts";
import type { Reading } from "./reading.ts";

/** Presents `geocode` of venues/search (wire-format 6). */
export function presentGeocode({ place, what, where, saysState, saysCountry }: Reading): Geocode {
  const { kind, name, state, cc } = place;
  const isRegion = kind === "state" || kind === "country";
  const parts = [
    { text: name, isSaid: true },
    { text: isRegion ? "" : state, isSaid: saysState },
    { text: kind === "country" || cc === "" ? "" : countryName(cc), isSaid: saysCountry },
  ].filter(({ text }) => text !== "");
  const displayName = parts.map(({ text }) => text).join(", ");
  const id = createHash("sha256").update(keyOf(place)).digest();
  return {
    what: what.join(" "),
    where: where.join(" "),
    feature: {
      cc,
      name,
      displayName,
      matchedName: displayName,
      highlightedName: parts.map(({ text, isSaid }) => (isSaid ? `<b>${plain(text)}</b>` : plain(text))).join(", "),
      woeType: WOE_TYPES[kind],
      slug: normalizeName(isRegion ? name : `${name} ${stateName(state, cc)}`).replaceAll(" ", "-"),
      id: id.toString("hex", 0, 12),
      longId: String(id.readBigUInt64BE() >> 1n),
      geometry: { center: { lat: place.lat, lng: place.lng }, bounds: boundsOf(place) },
    },
    parents: [],
  };
}

const WOE_TYPES = { city: 7, state: 8, zip: 11, country: 12 };

/** Clients insert this as HTML, and the names come from users. */
const plain = (name: string): string => name.replace(/[<>&"]/g, "");

/** Smallest distance in metres from the middle to each side. */
const LEAST = 1_000;

/** `ne.lng < sw.lng` across the 180th meridian. */
export function boundsOf({ lat, lng, south, west, north, east }: Place): { ne: LatLng; sw: LatLng } {
  const height = degreesOf(LEAST);
  const width = height / Math.max(0.01, Math.cos(radians(lat)));
  const isTurned = west > east;
  const sw = { lat: Math.min(south, Math.max(-90, lat - height)), lng: isTurned ? west : Math.min(west, lng - width) };
  const ne = { lat: Math.max(north, Math.min(90, lat + height)), lng: isTurned ? east : Math.max(east, lng + width) };
  return { ne: { ...ne, lng: turn(ne.lng) }, sw: { ...sw, lng: turn(sw.lng) } };
}

const turn = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);
