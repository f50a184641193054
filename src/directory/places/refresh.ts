import type { Pool, PoolClient } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { queryWithoutLimit } from "../../db/bulk.ts";
import type { Prisma } from "../../db/generated/client.ts";
import { LOCKS } from "../../db/locks.ts";
import { type Db, execute, queryRow, type Sql, sql } from "../../db/sql.ts";
import { transactionOn } from "../../db/transactions.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryName, stateKey, stateName } from "../../matching/normalize/regions.ts";
import { rebuildStreets } from "../map/gather-streets.ts";

const BATCH = 1_000;
/** The row of directory.setup_step with the time of the last refresh. */
const STEP = "places and streets";

/** Readers see the old places until the transaction ends; adding a venue waits only while differences are written. */
export const refreshPlaces = (client: PoolClient): Promise<void> => refreshIf(client, async () => true);

/** Refreshes only if enough venues have changed. The check takes less than a millisecond. */
export async function refreshStalePlaces(pool: Pool): Promise<void> {
  if (!(await isStale(pool))) return;
  const client = await pool.connect();
  await refreshIf(client, isStale).finally(() => client.release(true)); // closing it ends an interrupted transaction
}

export async function markPlacesStale(db: Db): Promise<void> {
  await execute(db)`DELETE FROM directory.setup_step WHERE name = ${STEP}`;
}

/** Stale means that PostgreSQL has analysed the table since, as it does after a tenth of it has changed. */
async function isStale(db: Db): Promise<boolean> {
  const row = await queryRow<{ fresh: boolean }>(db)`
    SELECT EXISTS (SELECT FROM directory.setup_step
                    WHERE name = ${STEP} AND coalesce(directory.venues_analyzed_at(), '-infinity') <= done_at) AS fresh`;
  return row?.fresh !== true;
}

async function refreshIf(client: PoolClient, isNeeded: (client: PoolClient) => Promise<boolean>): Promise<void> {
  await transactionOn(client, async () => {
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query("SET LOCAL work_mem = '64MB'");
    await queryWithoutLimit(client, `SELECT pg_advisory_xact_lock(${LOCKS.places})`); // another process may be refreshing
    if (await isNeeded(client)) await rebuild(client);
  });
}

async function rebuild(client: PoolClient): Promise<void> {
  await execute(client)`
    INSERT INTO directory.setup_step (name, done_at) VALUES (${STEP}, clock_timestamp())
    ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at`;
  // Read before the venues, so that a place added meanwhile is in neither list and stays.
  const before = await storedPlaces(client);
  const now = await gatherPlaces(client);
  const changed = [...now].flatMap(([key, place]) => (before.get(key) === rowOf(place) ? [] : place));
  await inBatches(client, upsertPlaces, changed.sort(inOrder).map(rowOf));
  await inBatches(
    client,
    deletePlaces,
    [...before].filter(([key]) => !now.has(key)).map(([, row]) => row),
  );
  await rebuildStreets(client);
  // ANALYZE and REFRESH need the owner's rights. Searches use the words to correct spelling.
  await queryWithoutLimit(client, "SELECT directory.analyze_places(), directory.refresh_name_words()");
}

/** All writers lock rows in this order, to avoid deadlocks. */
const inOrder = (a: Place, b: Place) =>
  PLACE_KINDS.indexOf(a.kind) - PLACE_KINDS.indexOf(b.kind) || (keyOf(a) < keyOf(b) ? -1 : 1);

async function storedPlaces(client: PoolClient): Promise<Map<string, string>> {
  const { rows } = await queryWithoutLimit<Place>(client, `SELECT ${PLACE_COLUMNS} FROM directory.place p`);
  return new Map(rows.map((place) => [keyOf(place), rowOf(place)]));
}

const rowOf = ({ kind, nameNorm, state, cc, name, lat, lng, south, west, north, east, venues }: Place): string =>
  JSON.stringify({ kind, name_norm: nameNorm, state, cc, name, lat, lng, south, west, north, east, venues });

const upsertPlaces = (places: Sql): Sql => sql`
  INSERT INTO directory.place SELECT * FROM ${places}
  ON CONFLICT (kind, name_norm, state, cc) DO UPDATE SET (name, lat, lng, south, west, north, east, venues) =
    (excluded.name, excluded.lat, excluded.lng, excluded.south, excluded.west, excluded.north, excluded.east,
     excluded.venues)`;

const deletePlaces = (places: Sql): Sql => sql`
  DELETE FROM directory.place p USING ${places} gone
   WHERE (p.kind, p.name_norm, p.state, p.cc) = (gone.kind, gone.name_norm, gone.state, gone.cc)`;

/** @param write a statement about places as a relation */
async function inBatches(db: Db, write: (places: Sql) => Sql, rows: string[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH) {
    const json = `[${rows.slice(from, from + BATCH).join(",")}]`;
    await execute(db)`${write(sql`json_populate_recordset(NULL::directory.place, ${json})`)}`;
  }
}

/** Adds the places that the addresses are the first to name. */
export async function recordPlaces(tx: Prisma.TransactionClient, addresses: readonly (Address & LatLng)[]) {
  const data = firstPlaces(addresses);
  if (data.length > 0) await tx.place.createMany({ data, skipDuplicates: true });
}

/** The same in a transaction of PostgreSQL's client. */
export async function recordPlacesWith(db: Db, addresses: readonly (Address & LatLng)[]): Promise<void> {
  const places = firstPlaces(addresses);
  await inBatches(db, insertPlaces, places.map(rowOf));
}

const insertPlaces = (places: Sql): Sql => sql`
  INSERT INTO directory.place SELECT * FROM ${places} ON CONFLICT (kind, name_norm, state, cc) DO NOTHING`;

function firstPlaces(addresses: readonly (Address & LatLng)[]): Place[] {
  const places = addresses.flatMap((address) => {
    const { lat, lng } = address;
    const spread = { lat, lng, south: lat, west: lng, north: lat, east: lng, venues: 1 };
    return placesOf(address).map((place): [string, Place] => [keyOf(place), { ...place, ...spread }]);
  });
  return [...new Map(places.toReversed()).values()].sort(inOrder);
}

/** Reads the table twice: by zip, then by city with state and country. Requires a transaction. */
async function gatherPlaces(client: PoolClient): Promise<Map<string, Place>> {
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
    const { rows } = await queryWithoutLimit<Group>(client, `FETCH ${AT_A_TIME} FROM spreads`);
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

const PLACE_KINDS = ["zip", "city", "state", "country"] as const;
type Kind = (typeof PLACE_KINDS)[number];

/** `state` and `cc` are empty if the venues name none. */
export interface PlaceKey {
  kind: Kind;
  nameNorm: string;
  /** As returned by `stateKey`. */
  state: string;
  /** ISO 3166-1 alpha-2. */
  cc: string;
}

export const keyOf = ({ kind, nameNorm, state, cc }: PlaceKey): string => JSON.stringify([kind, nameNorm, state, cc]);

interface NamedPlace extends PlaceKey {
  name: string;
}

/** Degrees; `west > east` across the 180th meridian. */
export interface Place extends NamedPlace {
  lat: number;
  lng: number;
  south: number;
  west: number;
  north: number;
  east: number;
  venues: number;
}

export const PLACE_COLUMNS =
  'p.kind, p.name_norm AS "nameNorm", p.state, p.cc, p.name, p.lat, p.lng, p.south, p.west, p.north, p.east, p.venues';

interface Address {
  city?: string | null | undefined;
  state?: string | null | undefined;
  zip?: string | null | undefined;
  cc?: string | null | undefined;
}

/** In the order of PLACE_KINDS. */
export function placesOf(address: Address): NamedPlace[] {
  const { city, zip } = address;
  const cc = address.cc ?? "";
  const state = stateKey(address.state ?? "", cc);
  const places: NamedPlace[] = [
    { kind: "zip", nameNorm: normalizeZip(zip ?? ""), state, cc, name: shortZip(zip ?? "") },
    { kind: "city", nameNorm: normalizeName(city ?? ""), state, cc, name: city ?? "" },
    { kind: "state", nameNorm: normalizeName(state), state, cc, name: stateName(state, cc) },
    { kind: "country", nameNorm: cc.toLowerCase(), state: "", cc, name: countryName(cc) },
  ];
  return places.filter(({ nameNorm }) => nameNorm !== "");
}

const normalizeZip = (zip: string): string => normalizeName(shortZip(zip)).replaceAll(" ", "");

const shortZip = (zip: string): string => zip.replace(/^(\d{5})-\d{4}$/, "$1");
