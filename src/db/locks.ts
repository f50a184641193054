import type { ClientBase, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { changedByOthers } from "../shared/errors.ts";
import { Prisma } from "./generated/client.ts";
import { execute, queryRow, type Sql } from "./sql.ts";

/** The advisory locks, in one place so that their numbers differ. */
export const LOCKS = {
  /** Preparing the directory. */
  setup: 72707370,
  /** Writing many venues: an import, or new normalized names. */
  import: 72707371,
  admins: 72707372,
  /** Rebuilding the places. */
  places: 72707373,
  keys: 72707374,
  clientSecret: 72707375,
  roles: 72707376,
  /** Building indexes in the background. */
  indexes: 72707377,
  /** Searching the directory for duplicates. */
  duplicates: 72707378,
  /** Writing pairs and groups of duplicates, for a moment. */
  duplicatePairs: 72707379,
} as const;

/** First key of the locks with two keys, which are others than those with one key above. */
const VENUES = 1;
/** Number of locks that the venues share by a hash: a transaction may name thousands of venues. */
const SLOTS = 1024;

/**
 * Locks venues until the transaction ends, always in the same order, to avoid deadlocks. Needed on several servers: a row's lock ends
 * when its server commits, which may be before the coordinator commits its own data about the venue.
 * @param mode shared: holders do not block each other, only an exclusive lock
 */
export function lockOnCoordinator(venueIds: readonly string[], mode: "exclusive" | "shared" = "exclusive"): Prisma.Sql {
  const lock = Prisma.raw(mode === "shared" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  return Prisma.sql`
    SELECT ${lock}(${VENUES}::int, slot)
      FROM (SELECT DISTINCT hashtext(id) & ${SLOTS - 1}::int AS slot FROM unnest(${venueIds}::text[]) id ORDER BY slot) slots`;
}

/** Milliseconds. */
const WAIT_MS = 5000;

/**
 * Runs a statement that takes locks, in a transaction. Waiting for others that hold them is no work of the statement, so it may take
 * longer than the pool's limit. Throws KnownError 503 if they hold them for longer than WAIT_MS.
 */
export async function takeLocks<Row extends QueryResultRow>(
  client: ClientBase,
  { text, values }: Sql,
): Promise<QueryResult<Row>> {
  // A statement without a limit keeps none.
  const row = await queryRow<{ usual: string; set_config: string }>(client)`
    SELECT usual, set_config('statement_timeout', CASE usual WHEN '0' THEN '0' ELSE ${`${WAIT_MS}`} END, true)
      FROM current_setting('statement_timeout') usual`;
  const query: QueryConfig & { query_timeout: number } = { text, values, query_timeout: WAIT_MS * 1.1 };
  const taken = await client.query<Row>(query).catch((error: Error & { code?: string }) => {
    throw error.code === "57014" ? changedByOthers(error) : error;
  });
  await execute(client)`SELECT set_config('statement_timeout', ${row?.usual ?? null}, true)`;
  return taken;
}
