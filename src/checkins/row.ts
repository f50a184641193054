import type { Checkin } from "../contract/checkins.ts";
import { storable } from "../shared/storable.ts";

/** Comments of other directories may be longer than ours. */
const LONGEST = 1000;
const LONGEST_ID = 200;

type Row = ReturnType<typeof toRow>;

/** Returns check-ins as rows, each id once. Leaves out those whose id cannot be stored. */
export function toRows(checkins: Checkin[]): Row[] {
  const rows = checkins.filter(({ id }) => id.length <= LONGEST_ID && id === storable(id)).map(toRow);
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function toRow({ id, createdAt, timeZoneOffset = 0, shout, venue, editable }: Checkin) {
  const { lat, lng, address, city } = venue?.location ?? {};
  const hasPoint = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return {
    id,
    seconds: Math.abs(createdAt) < 1e11 ? Math.floor(createdAt) : null,
    time_zone_offset: Math.abs(timeZoneOffset) <= 1000 ? Math.round(timeZoneOffset) : 0,
    shout: text(shout),
    editable: editable ?? null,
    venue_id: text(venue?.id),
    venue_name: text(venue?.name),
    address: text(address),
    town: text(city),
    category: text(venue?.categories?.[0]?.name),
    credit: text(venue?.source?.attribution),
    ...(hasPoint ? { lat, lng } : { lat: null, lng: null }),
  };
}

const text = (value: string | undefined): string | null => (value ? storable(value, { longest: LONGEST }) : null);
