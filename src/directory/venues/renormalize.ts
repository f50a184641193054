import type { Pool, PoolClient } from "pg";
import { LOCKS } from "../../db/locks.ts";
import { NORMALIZATION } from "../../matching/normalize/normalize.ts";
import type { OtherName } from "../../matching/prepare.ts";
import { markPlacesStale } from "../places/refresh.ts";
import { venueColumns } from "./columns.ts";

/** Rows of one transaction, which stays well below the pool's time limit. */
const AT_A_TIME = 1_000;

interface Options {
  /** Waits for an import or another process; otherwise leaves the work to it. */
  waits?: boolean;
  log?: (message: string) => void;
}

/**
 * An empty directory gets this program's version. Venues of a newer program count as older, because this program will
 * add its own.
 */
export async function noteNormalization(pool: Pool): Promise<void> {
  await pool.query(
    `UPDATE directory.normalization n SET version = CASE WHEN is_empty THEN $1 ELSE least(n.version, $1) END,
            target = NULL, written_to = NULL
       FROM (SELECT NOT EXISTS (SELECT 1 FROM directory.venue) AS is_empty) v
      WHERE n.version > $1 OR n.target > $1 OR (is_empty AND n.version < $1)`,
    [NORMALIZATION],
  );
}

/**
 * Works in batches by id, each a transaction, so any process can continue it after an interruption. Searches use the
 * old forms meanwhile. Returns the number of changed venues.
 */
export async function renormalizeVenues(pool: Pool, { waits = false, log = () => {} }: Options = {}): Promise<number> {
  const isOld = await pool.query("SELECT FROM directory.normalization WHERE version < $1", [NORMALIZATION]);
  if (!isOld.rowCount) return 0;
  log("Updating the normalized names and telephone numbers of the venues.");
  let total = 0;
  while (!pool.ending) {
    const { written, next } = await inTransaction(pool, (client) => writeBatch(client, waits));
    total += written;
    if (next === "go on") continue;
    log(`Updated ${total} of them${next === "done" ? "." : "; an import or another process continues."}`);
    break;
  }
  return total;
}

async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    client.release(true); // ends the connection and its transaction
    throw error;
  }
}

interface State {
  version: number;
  target: number | null;
  writtenTo: string | null;
}

async function writeBatch(
  client: PoolClient,
  waits: boolean,
): Promise<{ written: number; next: "go on" | "done" | "leave it" }> {
  if (!(await takeTurn(client, waits))) return { written: 0, next: "leave it" };
  const { rows } = await client.query<State>(
    'SELECT version, target, written_to AS "writtenTo" FROM directory.normalization',
  );
  const [state] = rows;
  if (!state || state.version >= NORMALIZATION) return { written: 0, next: "done" };
  const isFirst = state.target !== NORMALIZATION;
  if (isFirst) await markPlacesStale(client);
  const venues = await readBatch(client, isFirst ? null : state.writtenTo);
  const written = await replace(client, venues);
  const last = venues.length < AT_A_TIME ? undefined : venues.at(-1);
  await client.query("UPDATE directory.normalization SET version = $1, target = $2, written_to = $3", [
    last ? state.version : NORMALIZATION,
    last ? NORMALIZATION : null,
    last?.id,
  ]);
  return { written, next: last ? "go on" : "done" };
}

/** The lock of imports avoids deadlocks between two writers of many venues. */
async function takeTurn(client: PoolClient, waits: boolean): Promise<boolean> {
  const lock = waits ? "pg_advisory_xact_lock($1) IS NOT NULL" : "pg_try_advisory_xact_lock($1)";
  const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock} AS taken`, [LOCKS.import]);
  return rows[0]?.taken === true;
}

interface Venue {
  id: string;
  name: string;
  otherNames: OtherName[] | null;
  phone: string | null;
  lat: number;
  lng: number;
  nameNorm: string;
  otherNamesNorm: string | null;
  phoneNorm: string | null;
}

async function readBatch(client: PoolClient, after: string | null): Promise<Venue[]> {
  const { rows } = await client.query<Venue>(
    `SELECT id, name, phone, lat, lng, other_names AS "otherNames",
            name_norm AS "nameNorm", other_names_norm AS "otherNamesNorm", phone_norm AS "phoneNorm" FROM directory.venue
      WHERE id > $1 ORDER BY id LIMIT ${AT_A_TIME}`,
    [after ?? ""],
  );
  return rows;
}

const DERIVED = ["nameNorm", "otherNamesNorm", "phoneNorm"] as const;

async function replace(client: PoolClient, venues: Venue[]): Promise<number> {
  const changed = venues
    .map((venue) => ({ before: venue, id: venue.id, ...venueColumns(venue) }))
    .filter((after) => DERIVED.some((name) => after[name] !== after.before[name]));
  if (changed.length === 0) return 0;
  await client.query(
    `UPDATE directory.venue v SET name_norm = f.name_norm, other_names_norm = f.other_names_norm, phone_norm = f.phone_norm
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS f(id, name_norm, other_names_norm, phone_norm) WHERE v.id = f.id`,
    [changed.map(({ id }) => id), ...DERIVED.map((name) => changed.map((after) => after[name]))],
  );
  return changed.length;
}
