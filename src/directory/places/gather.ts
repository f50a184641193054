import type { PoolClient } from "pg";
import { combine, type Spread, STRAY } from "./combine.ts";
import { keyOf, type NamedPlace, type Place, placesOf } from "./place.ts";
import { slowly } from "./slowly.ts";

/**
 * Every place that the venues name, by its key. Two passes over the table: zips, then cities with state and country,
 * which make up the larger places. Needs a transaction.
 */
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
  /** Venues of the largest part. */
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
    // Of several ways to write it, the most usual is shown.
    if (spread.venues > known.largest) Object.assign(known, { place, largest: spread.venues });
  }
}

interface Group extends Spread {
  name: string | null;
  state: string | null;
  cc: string | null;
}

/** Of a ZIP+4 the first five digits. */
const ZIP = "CASE WHEN length(zip) = 10 AND zip ~ '^[0-9]{5}-[0-9]{4}$' THEN left(zip, 5) ELSE zip END";

/** East of these countries' west: longitudes beyond the 180th meridian count on, so that their middle is in the middle. */
const LNG = "CASE WHEN lng < 0 AND cc IN ('FJ', 'KI', 'NZ', 'RU') THEN lng + 360 ELSE lng END";

const SHARES = `ARRAY[${STRAY}, 0.5, ${1 - STRAY}]`;
const AT_A_TIME = 5_000;

/** Middle and bounds of the venues by name (an expression over the table), state and country. */
async function* spreads(client: PoolClient, name: string): AsyncGenerator<Group> {
  await client.query(`DECLARE spreads NO SCROLL CURSOR FOR
    SELECT name, state, cc, lats[2] AS lat, lngs[2] AS lng, lats[1] AS south, lngs[1] AS west, lats[3] AS north,
           lngs[3] AS east, venues
      FROM (SELECT (${name}) COLLATE "C" AS name, state COLLATE "C" AS state, cc COLLATE "C" AS cc, count(*)::int AS venues,
                   percentile_cont(${SHARES}) WITHIN GROUP (ORDER BY lat) AS lats,
                   percentile_cont(${SHARES}) WITHIN GROUP (ORDER BY ${LNG}) AS lngs
              FROM directory.venue GROUP BY 1, 2, 3) groups`);
  for (;;) {
    const { rows } = await slowly<Group>(client, `FETCH ${AT_A_TIME} FROM spreads`);
    yield* rows;
    if (rows.length < AT_A_TIME) break;
  }
  await client.query("CLOSE spreads");
}
