import type { Pool } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { isDistributed } from "../../db/citus/distributed.ts";
import type { Listing } from "../../matching/prepare.ts";
import { boxArray, contains, distanceOnMap, formatBox, mercatorY } from "./mercator.ts";
import { venuesCalled } from "./phones.ts";
import {
  CLOSE,
  LEAST_LIKENESS,
  MOST_NAMESAKES,
  NEAREST,
  type Probe,
  probesOf,
  reachOfOtherNames,
  SIMILAR,
} from "./probe.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";
import { inTile, type Tile } from "./tiles.ts";

/**
 * Finds venues with the listing's phone number, close venues with a similar name, also by their other names, and venues on the same
 * spot. Unless a close one has a very similar name, adds similar names farther away and the nearest venues. Returns at most 190
 * rows, usually a few, in one statement, or in one for each tile if the venues are on several servers.
 */
export async function candidatesOf(pool: Pool, listing: Listing): Promise<VenueRow[]> {
  return (await candidatesOfEach(pool, [listing]))[0] ?? [];
}

/** A few dozen listings are the most that one statement has time for. */
export async function candidatesOfEach(pool: Pool, listings: readonly Listing[]): Promise<VenueRow[][]> {
  const probes = listings.flatMap((listing, at) => probesOf(pool, listing, at));
  const [called, ...answers] = await Promise.all([
    isDistributed(pool) ? venuesCalled(pool, listings) : [],
    ...[...Map.groupBy(probes, ({ tile }) => tile)].map(([tile, own]) => askTile(pool, tile, own)),
  ]);
  const found = Map.groupBy(answers.flat(), ({ probe }) => probe.listing);
  return listings.map((listing, at) => {
    const rows = [...merged(listing, found.get(at) ?? []), ...(called[at] ?? [])];
    return [...new Map(rows.map((row) => [row.id, row])).values()];
  });
}

async function askTile(pool: Pool, tile: Tile, probes: readonly Probe[]): Promise<Found[]> {
  const column = <T>(value: (probe: Probe) => T): T[] => probes.map(value);
  const boxes = (name: "spot" | "near" | "close" | "wide") => boxArray(column((probe) => formatBox(probe[name])));
  const [names, points, phones] = [column(({ name }) => name), column(({ point }) => point), column((q) => q.phones)];
  const values = [names, points, boxes("spot"), boxes("near"), boxes("close"), boxes("wide"), phones, tile];
  const query = { name: "candidates", text: tile === null ? OF_WHOLE_MAP : OF_TILE, values };
  const { rows } = await pool.query<VenueRow & { probe: number; likeness?: number; isByOtherName?: boolean }>(query);
  return rows.map((row) => {
    const { probe, likeness = 0, isByOtherName = false } = row;
    return { row, likeness, isByOtherName, probe: probes[probe - 1] as Probe };
  });
}

const alike = (tile: Tile, box: string, condition = "true") => `
  SELECT * FROM (SELECT v.*, similarity(v.name_norm, q.name) AS likeness, false AS is_by_other_name FROM directory.venue v
                  WHERE ${condition} AND ${inTile("v", "$8", tile)} AND v.closed_at IS NULL AND v.name_norm % q.name AND v.point <@ ${box}
                  ORDER BY v.point <-> q.point, v.id COLLATE "C" LIMIT ${MOST_NAMESAKES.looked}) near
   ORDER BY likeness DESC, id COLLATE "C" LIMIT ${MOST_NAMESAKES.taken}`;

/**
 * By other names, in addition to all that is found without them, in the region of `reachOfOtherNames`. The index of joined names
 * finds no fewer than each name would, but some without a similar one.
 */
const alikeByOtherName = (tile: Tile) => `
  SELECT * FROM (SELECT v.*, named.likeness, true FROM directory.venue v
                  CROSS JOIN LATERAL (SELECT max(similarity(name, q.name)) AS likeness
                                        FROM unnest(string_to_array(v.other_names_norm, '|')) AS name) named
                  WHERE ${inTile("v", "$8", tile)} AND v.closed_at IS NULL AND v.other_names_norm %> q.name
                    AND v.point <@ CASE WHEN (SELECT enough FROM found) THEN q.near WHEN (SELECT resembled FROM found) THEN q.close ELSE q.wide END
                    AND named.likeness >= ${LEAST_LIKENESS}
                  ORDER BY v.point <-> q.point, v.id COLLATE "C" LIMIT ${MOST_NAMESAKES.looked}) near
   ORDER BY likeness DESC, id COLLATE "C" LIMIT ${MOST_NAMESAKES.taken}`;

/**
 * Planned without the values: with a constant name PostgreSQL would run `%` on statistics, slower than the search. Of a
 * tile also returns the likeness, which is 0 for venues that are not asked by name.
 */
const candidatesIn = (
  tile: Tile,
) => `SELECT q.probe::int, ${tile === null ? "" : 'v.likeness, v.is_by_other_name AS "isByOtherName",'} ${VENUE_COLUMNS.text}
  FROM unnest($1::text[], $2::point[], $3::box[], $4::box[], $5::box[], $6::box[], $7::text[])
       WITH ORDINALITY q (name, point, spot, near, close, wide, phones, probe)
  CROSS JOIN LATERAL (
    WITH close AS MATERIALIZED (${alike(tile, "q.close")}),
         found AS MATERIALIZED (SELECT likeness >= ${CLOSE.likeness} AS enough, likeness >= ${SIMILAR} AS resembled
                                  FROM (SELECT max(likeness) AS likeness FROM close) most)
    SELECT * FROM close
    UNION ALL (${alike(tile, "q.wide", "(SELECT enough FROM found) IS NOT TRUE")})
    UNION ALL (${alikeByOtherName(tile)})
    UNION ALL (SELECT *, 0, false FROM directory.venue n
                WHERE ${inTile("n", "$8", tile)} AND n.closed_at IS NULL
                  AND n.point <@ CASE WHEN (SELECT enough FROM found) THEN q.spot ELSE q.wide END
                ORDER BY n.point <-> q.point, n.id COLLATE "C" LIMIT ${NEAREST})
    UNION ALL (SELECT *, 0, false FROM directory.venue p
                WHERE ${inTile("p", "$8", tile)} AND p.closed_at IS NULL AND p.phone_norm = ANY (string_to_array(q.phones, ','))
                ORDER BY (p.point <-> q.point) + 0, p.id COLLATE "C" LIMIT ${NEAREST})) v`;

const OF_WHOLE_MAP = candidatesIn(null);
const OF_TILE = candidatesIn(0);

interface Found {
  row: VenueRow;
  /** Of its own name, or of another one; 0 if it was not asked by name. */
  likeness: number;
  isByOtherName: boolean;
  probe: Probe;
}

/** Of what the tiles of a listing returned, takes what one statement on all of them would return, in its order. */
function merged(place: LatLng, found: readonly Found[]): VenueRow[] {
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
    .slice(0, MOST_NAMESAKES.looked)
    .sort((a, b) => b.likeness - a.likeness || byId(a, b))
    .slice(0, MOST_NAMESAKES.taken);

const nearestFirst = (a: Near, b: Near): number => a.distance - b.distance || byId(a, b);

/** As COLLATE "C". */
const byId = (a: Near, b: Near): number => (a.row.id < b.row.id ? -1 : Number(a.row.id > b.row.id));
