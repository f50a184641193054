import type { Pool, PoolClient } from "pg";
import { LOCKS } from "../../db/locks.ts";
import { type Db, execute, joinSql, queryRow, queryRows, rawSql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
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
export async function noteNormalization(db: Db): Promise<void> {
  const ours = rawSql(NORMALIZATION);
  await execute(db)`
    UPDATE directory.normalization n SET version = CASE WHEN is_empty THEN ${ours} ELSE least(n.version, ${ours}) END,
           target = NULL, written_to = NULL
      FROM (SELECT NOT EXISTS (SELECT 1 FROM directory.venue) AS is_empty) v
     WHERE n.version > ${ours} OR n.target > ${ours} OR (is_empty AND n.version < ${ours})`;
}

/**
 * Works in batches by id, each a transaction, so any process can continue it after an interruption. Searches use the
 * old forms meanwhile. Returns the number of changed venues.
 */
export async function renormalizeVenues(pool: Pool, { waits = false, log = () => {} }: Options = {}): Promise<number> {
  const old = await execute(pool)`SELECT FROM directory.normalization WHERE version < ${NORMALIZATION}`;
  if (old === 0) return 0;
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
  const state = await queryRow<State>(client)`
    SELECT version, target, written_to AS "writtenTo" FROM directory.normalization`;
  if (!state || state.version >= NORMALIZATION) return { written: 0, next: "done" };
  const isFirst = state.target !== NORMALIZATION;
  if (isFirst) await markPlacesStale(client);
  const venues = await readBatch(client, isFirst ? null : state.writtenTo);
  const written = await replace(client, venues);
  const last = venues.length < AT_A_TIME ? undefined : venues.at(-1);
  await execute(client)`
    UPDATE directory.normalization SET version = ${last ? state.version : NORMALIZATION},
           target = ${last ? NORMALIZATION : null}, written_to = ${last?.id ?? null}`;
  return { written, next: last ? "go on" : "done" };
}

/** The lock of imports avoids deadlocks between two writers of many venues. */
async function takeTurn(db: Db, waits: boolean): Promise<boolean> {
  const lock = waits
    ? sql`pg_advisory_xact_lock(${LOCKS.import}) IS NOT NULL`
    : sql`pg_try_advisory_xact_lock(${LOCKS.import})`;
  const row = await queryRow<{ taken: boolean }>(db)`SELECT ${lock} AS taken`;
  return row?.taken === true;
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

const readBatch = (db: Db, after: string | null): Promise<Venue[]> =>
  queryRows<Venue>(db)`
    SELECT id, name, phone, lat, lng, other_names AS "otherNames",
           name_norm AS "nameNorm", other_names_norm AS "otherNamesNorm", phone_norm AS "phoneNorm" FROM directory.venue
     WHERE id > ${after ?? ""} ORDER BY id LIMIT ${rawSql(AT_A_TIME)}`;

const DERIVED = ["nameNorm", "otherNamesNorm", "phoneNorm"] as const;

async function replace(db: Db, venues: Venue[]): Promise<number> {
  const changed = venues
    .map((venue) => ({ before: venue, id: venue.id, ...venueColumns(venue) }))
    .filter((after) => DERIVED.some((name) => after[name] !== after.before[name]));
  if (changed.length === 0) return 0;
  const columns = (["id", ...DERIVED] as const).map((name) => sql`${changed.map((after) => after[name])}::text[]`);
  await execute(db)`
    UPDATE directory.venue v SET name_norm = f.name_norm, other_names_norm = f.other_names_norm, phone_norm = f.phone_norm
      FROM unnest(${joinSql(columns)}) AS f(id, name_norm, other_names_norm, phone_norm) WHERE v.id = f.id`;
  return changed.length;
}
