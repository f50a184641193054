import type { LatLng } from "../../contract/parameters.ts";
import { isOnEarth, tidyDegrees } from "../../files/row/position.ts";
import type { Offset } from "../run/positions.ts";
import type { RowSlip, Slip } from "../run/problems/slips.ts";

const UNDO: Record<Slip, (is: LatLng) => LatLng> = {
  swapped: ({ lat, lng }) => ({ lat: lng, lng: lat }),
  "lng sign": ({ lat, lng }) => ({ lat, lng: 0 - lng }),
  "lat sign": ({ lat, lng }) => ({ lat: 0 - lat, lng }),
  "both signs": ({ lat, lng }) => ({ lat: 0 - lat, lng: 0 - lng }),
  "swapped, lng sign": ({ lat, lng }) => ({ lat: lng, lng: 0 - lat }),
  "swapped, lat sign": ({ lat, lng }) => ({ lat: 0 - lng, lng: lat }),
  "swapped, both signs": ({ lat, lng }) => ({ lat: 0 - lng, lng: 0 - lat }),
};

const UNDO_OF_ROW: Record<RowSlip, (is: LatLng) => LatLng> = {
  ...UNDO,
  "lat tenth": ({ lat, lng }) => tidyDegrees({ lat: lat * 10, lng }),
  "lng tenth": ({ lat, lng }) => tidyDegrees({ lat, lng: lng * 10 }),
  "both tenth": ({ lat, lng }) => tidyDegrees({ lat: lat * 10, lng: lng * 10 }),
  "lat tenfold": ({ lat, lng }) => tidyDegrees({ lat: lat / 10, lng }),
  "lng tenfold": ({ lat, lng }) => tidyDegrees({ lat, lng: lng / 10 }),
};

export const SLIPS = Object.keys(UNDO) as Slip[];
export const ROW_SLIPS = Object.keys(UNDO_OF_ROW) as RowSlip[];

/** Returns undefined if the position before the slip would be off the earth. */
export function undoSlip(slip: RowSlip, is: LatLng): LatLng | undefined {
  const was = UNDO_OF_ROW[slip](is);
  return isOnEarth(was) ? was : undefined;
}

/** Like undoSlip(). Wraps longitudes around the earth. */
export function undoShift({ north, east }: Offset, { lat, lng }: LatLng): LatLng | undefined {
  const was = { lat: lat - north, lng: wrapLongitude(lng - east) };
  return isOnEarth(was) ? was : undefined;
}

/** Wraps a longitude, or a difference of two, into -180 to 180. */
export const wrapLongitude = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);
