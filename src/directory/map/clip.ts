import type { LatLng } from "../../contract/parameters.ts";
import type { Bounds } from "./tiles.ts";

/** Cuts a closed ring at the bounds (Sutherland and Hodgman's algorithm). Returns nothing if it lies outside. */
export function clipRing(ring: readonly LatLng[], { south, west, north, east }: Bounds): LatLng[] {
  const edges: Edge[] = [
    { isInside: ({ lat }) => lat >= south, cut: atLat(south) },
    { isInside: ({ lat }) => lat <= north, cut: atLat(north) },
    { isInside: ({ lng }) => lng >= west, cut: atLng(west) },
    { isInside: ({ lng }) => lng <= east, cut: atLng(east) },
  ];
  return edges.reduce(clipAt, [...ring]);
}

interface Edge {
  isInside: (point: LatLng) => boolean;
  cut: (a: LatLng, b: LatLng) => LatLng;
}

function clipAt(ring: LatLng[], { isInside, cut }: Edge): LatLng[] {
  return ring.flatMap((point, index) => {
    const before = ring.at(index - 1) ?? point;
    if (isInside(point)) return isInside(before) ? [point] : [cut(before, point), point];
    return isInside(before) ? [cut(before, point)] : [];
  });
}

const atLat = (lat: number) => (a: LatLng, b: LatLng) => {
  return { lat, lng: a.lng + ((lat - a.lat) / (b.lat - a.lat)) * (b.lng - a.lng) };
};

const atLng = (lng: number) => (a: LatLng, b: LatLng) => {
  return { lng, lat: a.lat + ((lng - a.lng) / (b.lng - a.lng)) * (b.lat - a.lat) };
};
