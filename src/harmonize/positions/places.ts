import type { Geocode } from "../../contract/geocode.ts";
import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { turn } from "../query/slips.ts";

/** Where a town lies that a file names. */
export interface Place {
  center: LatLng;
  /** Its corners; `ne.lng < sw.lng` where the 180th meridian runs through it. */
  bounds: { ne: LatLng; sw: LatLng } | undefined;
}

/** The place that the directory found by a name; undefined where it is in another country than the file says. */
export function placeOf(geocode: Geocode | undefined, country: string | undefined): Place | undefined {
  if (!geocode) return undefined;
  const { cc, geometry } = geocode.feature;
  if (country && cc && cc.toUpperCase() !== country) return undefined;
  return { center: geometry.center, bounds: geometry.bounds };
}

/** Metres to the edge of a place; 0 within. */
export function distanceTo({ center, bounds }: Place, { lat, lng }: LatLng): number {
  if (!bounds) return distanceBetween(center, { lat, lng });
  const { ne, sw } = bounds;
  const width = ne.lng < sw.lng ? ne.lng + 360 - sw.lng : ne.lng - sw.lng;
  const fromWest = (lng - sw.lng + 720) % 360;
  const edge = fromWest <= width ? lng : Math.abs(turn(lng - sw.lng)) < Math.abs(turn(lng - ne.lng)) ? sw.lng : ne.lng;
  return distanceBetween({ lat: Math.max(sw.lat, Math.min(ne.lat, lat)), lng: edge }, { lat, lng });
}

/** Metres beyond which a row lies neither in the town it names nor in one beside it. */
export const FAR = 200_000;
/** Metres within which a row lies in its town. */
export const NEAR = 50_000;
