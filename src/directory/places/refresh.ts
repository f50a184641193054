import type { Pool, PoolClient } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { slowly } from "../../db/bulk/slowly.ts";
import type { Prisma } from "../../db/generated/client.ts";
import { LOCKS } from "../../db/locks.ts";
import { rebuildStreets } from "../map/gather-streets.ts";
import { gatherPlaces } from "./gather.ts";
import { type Address, keyOf, PLACE_COLUMNS, PLACE_KINDS, type Place, placesOf } from "./place.ts";

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

export async function markPlacesStale(client: PoolClient): Promise<void> {
  await client.query("DELETE FROM directory.setup_step WHERE name = $1", [STEP]);
}

/** Stale means that PostgreSQL has analysed the table since, as it does after a tenth of it has changed. */
async function isStale(client: Pool | PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ fresh: boolean }>(
    `SELECT EXISTS (SELECT FROM directory.setup_step
                     WHERE name = $1 AND coalesce(directory.venues_analyzed_at(), '-infinity') <= done_at) AS fresh`,
    [STEP],
  );
  return rows[0]?.fresh !== true;
}

async function refreshIf(client: PoolClient, isNeeded: (client: PoolClient) => Promise<boolean>): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query("SET LOCAL work_mem = '64MB'");
    await slowly(client, `SELECT pg_advisory_xact_lock(${LOCKS.places})`); // another process may be refreshing
    if (await isNeeded(client)) await rebuild(client);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // keeps the first error
    throw error;
  }
}

async function rebuild(client: PoolClient): Promise<void> {
  await client.query(
    `INSERT INTO directory.setup_step (name, done_at) VALUES ($1, clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at`,
    [STEP],
  );
  // Read before the venues, so that a place added meanwhile is in neither list and stays.
  const before = await storedPlaces(client);
  const now = await gatherPlaces(client);
  const changed = [...now].flatMap(([key, place]) => (before.get(key) === rowOf(place) ? [] : place));
  await inBatches(client, UPSERT, changed.sort(inOrder).map(rowOf));
  await inBatches(
    client,
    DELETE,
    [...before].filter(([key]) => !now.has(key)).map(([, row]) => row),
  );
  await rebuildStreets(client);
  // ANALYZE and REFRESH need the owner's rights. Searches use the words to correct spelling.
  await slowly(client, "SELECT directory.analyze_places(), directory.refresh_name_words()");
}

/** All writers lock rows in this order, to avoid deadlocks. */
const inOrder = (a: Place, b: Place) =>
  PLACE_KINDS.indexOf(a.kind) - PLACE_KINDS.indexOf(b.kind) || (keyOf(a) < keyOf(b) ? -1 : 1);

async function storedPlaces(client: PoolClient): Promise<Map<string, string>> {
  const { rows } = await slowly<Place>(client, `SELECT ${PLACE_COLUMNS} FROM directory.place p`);
  return new Map(rows.map((place) => [keyOf(place), rowOf(place)]));
}

const rowOf = ({ kind, nameNorm, state, cc, name, lat, lng, south, west, north, east, venues }: Place): string =>
  JSON.stringify({ kind, name_norm: nameNorm, state, cc, name, lat, lng, south, west, north, east, venues });

const UPSERT = `INSERT INTO directory.place
  SELECT * FROM json_populate_recordset(NULL::directory.place, $1)
  ON CONFLICT (kind, name_norm, state, cc) DO UPDATE SET (name, lat, lng, south, west, north, east, venues) =
    (excluded.name, excluded.lat, excluded.lng, excluded.south, excluded.west, excluded.north, excluded.east,
     excluded.venues)`;

const DELETE = `DELETE FROM directory.place p
  USING json_populate_recordset(NULL::directory.place, $1) gone
  WHERE (p.kind, p.name_norm, p.state, p.cc) = (gone.kind, gone.name_norm, gone.state, gone.cc)`;

async function inBatches(client: PoolClient, text: string, rows: string[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH)
    await client.query(text, [`[${rows.slice(from, from + BATCH).join(",")}]`]);
}

/** Adds the places that the addresses are the first to name. */
export async function recordPlaces(tx: Prisma.TransactionClient, addresses: readonly (Address & LatLng)[]) {
  const data = firstPlaces(addresses);
  if (data.length > 0) await tx.place.createMany({ data, skipDuplicates: true });
}

/** The same in a transaction of PostgreSQL's client. */
export async function recordPlacesWith(client: PoolClient, addresses: readonly (Address & LatLng)[]): Promise<void> {
  const places = firstPlaces(addresses);
  await inBatches(client, INSERT, places.map(rowOf));
}

const INSERT = `INSERT INTO directory.place SELECT * FROM json_populate_recordset(NULL::directory.place, $1)
  ON CONFLICT (kind, name_norm, state, cc) DO NOTHING`;

function firstPlaces(addresses: readonly (Address & LatLng)[]): Place[] {
  const places = addresses.flatMap((address) => {
    const { lat, lng } = address;
    const spread = { lat, lng, south: lat, west: lng, north: lat, east: lng, venues: 1 };
    return placesOf(address).map((place): [string, Place] => [keyOf(place), { ...place, ...spread }]);
  });
  return [...new Map(places.toReversed()).values()].sort(inOrder);
}
