import type { LatLng } from "../../contract/parameters.ts";
import { contains, distanceOnMap, mercatorY } from "./mercator.ts";
import { CLOSE, NAMESAKES, NEAREST, type Probe, reachOfOtherNames } from "./probe.ts";
import type { VenueRow } from "./rows.ts";

export interface Found {
  row: VenueRow;
  /** Of its own name, or of another one; 0 if it was not asked by name. */
  likeness: number;
  isByOtherName: boolean;
  probe: Probe;
}

/** Of what the tiles of a listing returned, takes what one statement on all of them would return, in its order. */
export function merged(place: LatLng, found: readonly Found[]): VenueRow[] {
  if (found.every(({ probe }) => probe.tile === found[0]?.probe.tile)) return found.map(({ row }) => row);
  const near = found.map((each) => ({ ...each, ...onMap(place, each) })).sort(nearestFirst);
  const byOwn = near.filter(({ likeness, isByOtherName }) => likeness > 0 && !isByOtherName);
  const named = [...new Map(byOwn.map((each) => [each.row.id, each])).values()];
  const close = mostAlike(named.filter(({ isClose }) => isClose));
  const likeness = Math.max(0, ...close.map((each) => Math.fround(each.likeness)));
  const isEnough = likeness >= CLOSE.likeness;
  const wide = isEnough ? [] : mostAlike(named);
  const reach = reachOfOtherNames(likeness);
  const byOther = near.filter((each) => each.isByOtherName && contains(each.probe[reach], each.x, each.y));
  const others = near.filter((each) => each.likeness === 0 && (each.isOnSpot || !isEnough)).slice(0, NEAREST);
  return [...close, ...wide, ...mostAlike(byOther), ...others].map(({ row }) => row);
}

interface Near extends Found {
  /** In Mercator degrees. */
  x: number;
  y: number;
  distance: number;
  isClose: boolean;
  isOnSpot: boolean;
}

function onMap(place: LatLng, { row, probe }: Found) {
  const [x, y] = [row.lng, mercatorY(row.lat)];
  const distance = distanceOnMap(x - place.lng, y - mercatorY(place.lat));
  return { x, y, distance, isClose: contains(probe.close, x, y), isOnSpot: contains(probe.spot, x, y) };
}

const mostAlike = (nearest: readonly Near[]): Near[] =>
  nearest
    .slice(0, NAMESAKES.looked)
    .sort((a, b) => b.likeness - a.likeness || byId(a, b))
    .slice(0, NAMESAKES.taken);

const nearestFirst = (a: Near, b: Near): number => a.distance - b.distance || byId(a, b);

/** As COLLATE "C". */
const byId = (a: Near, b: Near): number => (a.row.id < b.row.id ? -1 : Number(a.row.id > b.row.id));
