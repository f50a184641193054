import lookUp from "@photostructure/tz-lookup";
import type { LatLng } from "../contract/parameters.ts";

/** The IANA time zone at a position; at sea, one of whole hours. Near a border it may be the neighbour's. */
export const timeZoneAt = ({ lat, lng }: LatLng): string => lookUp(lat, lng);

/** Minutes east of UTC in a time zone at a moment, so in summer those of summer. */
export function offsetIn(timeZone: string, at: Date): number {
  const [, sign, hours, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(formatterOf(timeZone).format(at)) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes);
  return sign === "-" ? -offset : offset;
}

/** Making one takes a hundred times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  formatters.set(timeZone, made);
  return made;
}
