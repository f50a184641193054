import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { readAllCheckins, type StoredCheckin } from "../../checkins/read.ts";
import { BYTE_ORDER_MARK, csvLines } from "../../harmonize/export/csv.ts";
import { parseParameters } from "../../http/parameters.ts";
import type { Web } from "../base/deps.ts";
import { sendFile } from "../base/download.ts";
import type { Member } from "../base/members.ts";
import { filterOf, filterQuery } from "./filter.ts";

const FILES = {
  csv: { name: "check-ins.csv", mediaType: "text/csv; charset=utf-8", text: csvOf },
  geojson: { name: "check-ins.geojson", mediaType: "application/geo+json; charset=utf-8", text: geoJsonOf },
};

const query = filterQuery.extend({
  format: z.enum(["csv", "geojson"], "format must be csv or geojson").default("csv"),
});

/** `GET /checkins/download`: the copy as it is, with the filter of the page. */
export function sendDownload(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member): FastifyReply {
  const { format, ...filter } = parseParameters(query, request.query);
  const pieces = readAllCheckins(web, member.id, filterOf(filter));
  const { text, ...file } = FILES[format];
  return sendFile(request, reply, file, text(pieces));
}

type Pieces = AsyncIterable<StoredCheckin[]>;
type Cell = string | number | null;

/** Names are those of the interface where it has them. */
const properties = (checkin: StoredCheckin): Record<string, Cell> => ({
  id: checkin.id,
  time: timeOf(checkin),
  time_zone_offset: checkin.timeZoneOffset,
  venue_id: checkin.venueId,
  venue_name: checkin.venueName,
  category: checkin.category,
  address: checkin.address,
  city: checkin.town,
  shout: checkin.shout,
  attribution: checkin.credit,
});

/** RFC 3339, on the clocks of the place: 2026-03-04T09:30:00-05:00. */
function timeOf({ seconds, timeZoneOffset }: StoredCheckin): string | null {
  if (!Number.isFinite(seconds)) return null;
  const local = new Date((seconds + timeZoneOffset * 60) * 1000).toISOString().slice(0, 19);
  const hours = Math.trunc(Math.abs(timeZoneOffset) / 60);
  const minutes = Math.abs(timeZoneOffset) % 60;
  const two = (number: number) => String(number).padStart(2, "0");
  return `${local}${timeZoneOffset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`;
}

async function* csvOf(pieces: Pieces): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([COLUMNS]);
  for await (const piece of pieces)
    yield csvLines(
      piece.map((each) => Object.values({ ...properties(each), lat: each.lat, lng: each.lng }).map(cellOf)),
    );
}

const COLUMNS = [
  "id",
  "time",
  "time_zone_offset",
  "venue_id",
  "venue_name",
  "category",
  "address",
  "city",
  "shout",
  "attribution",
  "lat",
  "lng",
];

const cellOf = (cell: Cell): string => (cell === null ? "" : String(cell));

/** RFC 7946. */
async function* geoJsonOf(pieces: Pieces): AsyncGenerator<string> {
  let before = '{"type":"FeatureCollection","features":[\n';
  for await (const piece of pieces) {
    yield before + piece.map((each) => JSON.stringify(featureOf(each))).join(",\n");
    before = ",\n";
  }
  yield before.startsWith("{") ? `${before}]}\n` : "\n]}\n";
}

function featureOf(checkin: StoredCheckin) {
  const { id, lat, lng } = checkin;
  const geometry = lat === null || lng === null ? null : { type: "Point", coordinates: [lng, lat] };
  return { type: "Feature", id, geometry, properties: properties(checkin) };
}
