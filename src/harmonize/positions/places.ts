import type { Geocode } from "../../contract/addresses.ts";
import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { wrapLongitude } from "../query/slips.ts";

export interface Place {
  center: LatLng;
  /** `ne.lng < sw.lng` if it crosses the 180th meridian. */
  bounds: { ne: LatLng; sw: LatLng } | undefined;
}

/** Returns undefined if the place is in another country than the row's. */
export function placeOf(geocode: Geocode | undefined, country: string | undefined): Place | undefined {
  if (!geocode) return undefined;
  const { cc, geometry } = geocode.feature;
  if (country && cc && cc.toUpperCase() !== country) return undefined;
  return { center: geometry.center, bounds: geometry.bounds };
}

/** Metres to the edge; 0 inside. */
export function distanceTo({ center, bounds }: Place, { lat, lng }: LatLng): number {
  if (!bounds) return distanceBetween(center, { lat, lng });
  const { ne, sw } = bounds;
  const width = ne.lng < sw.lng ? ne.lng + 360 - sw.lng : ne.lng - sw.lng;
  const fromWest = (lng - sw.lng + 720) % 360;
  const edge =
    fromWest <= width
      ? lng
      : Math.abs(wrapLongitude(lng - sw.lng)) < Math.abs(wrapLongitude(lng - ne.lng))
        ? sw.lng
        : ne.lng;
  return distanceBetween({ lat: Math.max(sw.lat, Math.min(ne.lat, lat)), lng: edge }, { lat, lng });
}

/** Metres: farther rows are in neither the town nor a neighbouring one. */
export const FAR = 200_000;
export const NEAR = 50_000;
