import type { PoolClient } from "pg";
import { slowly } from "../../db/bulk/slowly.ts";
import { keyOf, type NamedPlace, type Place, placesOf } from "./place.ts";

/** Reads the table twice: by zip, then by city with state and country. Requires a transaction. */
export async function gatherPlaces(client: PoolClient): Promise<Map<string, Place>> {
  const found = new Map<string, Gathered>();
  for await (const { name, state, cc, ...spread } of spreads(client, ZIP))
    gather(
      found,
      placesOf({ zip: name, state, cc }).filter(({ kind }) => kind === "zip"),
      spread,
    );
  for await (const { name, state, cc, ...spread } of spreads(client, "city"))
    gather(found, placesOf({ city: name, state, cc }), spread);
  return new Map([...found].map(([key, { place, parts }]) => [key, { ...place, ...combine(parts) }]));
}

interface Gathered {
  place: NamedPlace;
  parts: Spread[];
  largest: number;
}

function gather(found: Map<string, Gathered>, places: NamedPlace[], spread: Spread): void {
  for (const place of places) {
    const key = keyOf(place);
    const known = found.get(key);
    if (!known) {
      found.set(key, { place, parts: [spread], largest: spread.venues });
      continue;
    }
    known.parts.push(spread);
    // Shows the most frequent spelling.
    if (spread.venues > known.largest) Object.assign(known, { place, largest: spread.venues });
  }
}

interface Group extends Spread {
  name: string | null;
  state: string | null;
  cc: string | null;
}

const ZIP = "CASE WHEN length(zip) = 10 AND zip ~ '^[0-9]{5}-[0-9]{4}$' THEN left(zip, 5) ELSE zip END";

/** Countries across the 180th meridian: longitudes continue beyond 180, so that the middle is right. */
const LNG = "CASE WHEN lng < 0 AND cc IN ('FJ', 'KI', 'NZ', 'RU') THEN lng + 360 ELSE lng END";

/** Share of venues on each side that bounds leave out as strays or wrong addresses. */
const STRAY = 0.02;
const SHARES = `ARRAY[${STRAY}, 0.5, ${1 - STRAY}]`;
const AT_A_TIME = 5_000;

/** `name` is an SQL expression. */
async function* spreads(client: PoolClient, name: string): AsyncGenerator<Group> {
  await client.query(`DECLARE spreads NO SCROLL CURSOR FOR
    SELECT name, state, cc, lats[2] AS lat, lngs[2] AS lng, lats[1] AS south, lngs[1] AS west, lats[3] AS north,
           lngs[3] AS east, venues
      FROM (SELECT (${name}) COLLATE "C" AS name, state COLLATE "C" AS state, cc COLLATE "C" AS cc, count(*)::int AS venues,
                   percentile_cont(${SHARES}) WITHIN GROUP (ORDER BY lat) AS lats,
                   percentile_cont(${SHARES}) WITHIN GROUP (ORDER BY ${LNG}) AS lngs
              FROM directory.venue WHERE closed_at IS DISTINCT FROM 'infinity' GROUP BY 1, 2, 3) groups`);
  for (;;) {
    const { rows } = await slowly<Group>(client, `FETCH ${AT_A_TIME} FROM spreads`);
    yield* rows;
    if (rows.length < AT_A_TIME) break;
  }
  await client.query("CLOSE spreads");
}

/** The area of venues that share a spelling. Longitudes exceed 180 beyond that meridian. */
type Spread = Pick<Place, "lat" | "lng" | "south" | "west" | "north" | "east" | "venues">;

/** Weighted by venues, so that strays do not move the place. */
function combine(parts: Spread[]): Spread {
  const [only, second] = parts;
  const venues = parts.reduce((sum, part) => sum + part.venues, 0);
  const at = (share: number, value: (part: Spread) => number) => weighted(parts, share * venues, value);
  const whole =
    only && !second
      ? only
      : {
          lat: at(0.5, ({ lat }) => lat),
          lng: at(0.5, ({ lng }) => lng),
          south: at(STRAY, ({ south }) => south),
          west: at(STRAY, ({ west }) => west),
          north: at(1 - STRAY, ({ north }) => north),
          east: at(1 - STRAY, ({ east }) => east),
        };
  return { ...whole, lng: turn(whole.lng), west: turn(whole.west), east: turn(whole.east), venues };
}

function weighted(parts: Spread[], count: number, value: (part: Spread) => number): number {
  let seen = 0;
  let last = Number.NaN;
  for (const part of parts.toSorted((a, b) => value(a) - value(b))) {
    last = value(part);
    seen += part.venues;
    if (seen >= count) break;
  }
  return last;
}

const turn = (lng: number): number => (lng > 180 ? lng - 360 : lng);
