import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { databaseTrustAdvice } from "../shared/trust.ts";
import { isDistributed, noteDistributed } from "./citus/distributed.ts";
import { createPool } from "./connections.ts";
import { prepared, queryRow, queryRows, sql } from "./sql.ts";

export interface Replicas {
  isConfigured: boolean;
  /**
   * Returns a pool with nothing but `query`, for SELECTs that must see what was written up to `position` of the
   * write-ahead log: a replica's, or the primary's. What fails at the replica is asked again at the primary.
   */
  reader(position?: number | null): pg.Pool;
  status(): ReplicaStatus[];
  /** Statements of readers that went to the primary, because no replica was far enough. */
  readsOfPrimary(): number;
  close(): Promise<void>;
}

interface ReplicaStatus {
  name: string;
  /** Null if it does not answer or is further behind than is known. */
  lagSeconds: number | null;
  /** Readers that need no position are sent there. */
  isAsked: boolean;
  /** Statements that it answered, and that the primary answered instead after an error. */
  reads: number;
  failed: number;
}

interface Options {
  primary: pg.Pool;
  role?: string | undefined;
  log: (message: string) => void;
  /** A replica that is further behind is not asked. */
  lagLimitMs?: number;
}

const POLL_MS = 250;
/** Together with the primary's patience less than a caller waits. */
const PATIENCE_MS = 600;
export const LAG_LIMIT_MS = 10_000;
const REMEMBERED_MS = 2 * LAG_LIMIT_MS;

export const noReplicas = (primary: pg.Pool): Replicas => ({
  isConfigured: false,
  reader: () => primary,
  status: () => [],
  readsOfPrimary: () => 0,
  close: async () => {},
});

/** Polls how far each replica is. A position only grows, so a replica that had it some time ago has it now. */
export function openReplicas(
  urls: readonly string[],
  { primary, role, log, lagLimitMs = LAG_LIMIT_MS }: Options,
): Replicas {
  const history: Point[] = [];
  const replicas = urls.map((url) => openReplica(url, { primary, role, log }));
  let turn = 0;
  let readsOfPrimary = 0;
  const query = (...given: Parameters<pg.Pool["query"]>) => {
    readsOfPrimary++;
    return primary.query(...given);
  };
  const isNear = (replica: Replica) => lagOf(replica) <= lagLimitMs;
  const ofPrimary = { query } as unknown as pg.Pool;
  if (isDistributed(primary))
    for (const reader of [ofPrimary, ...replicas.map(({ reader }) => reader)]) noteDistributed(reader);
  const poll = async () => {
    await notePrimary(primary, history).catch(() => {});
    await Promise.all(replicas.map((replica) => look(replica, history, log)));
  };
  const closing = new AbortController();
  const pollOn = async () => {
    while (!closing.signal.aborted) {
      await poll();
      await sleep(POLL_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  };
  const polling = pollOn();
  return {
    isConfigured: true,
    reader(position) {
      const able = replicas.filter((replica) => isNear(replica) && has(replica, position ?? 0));
      return able[turn++ % able.length]?.reader ?? ofPrimary;
    },
    status: () => replicas.map((replica) => ({ ...statusOf(replica), isAsked: isNear(replica) && has(replica, 0) })),
    readsOfPrimary: () => readsOfPrimary,
    async close() {
      closing.abort();
      await polling;
      await Promise.all(replicas.map(({ pool }) => pool.end()));
    },
  };
}

interface Point {
  at: number;
  position: number;
  system: string;
}

interface Replica extends Pick<ReplicaStatus, "name" | "reads" | "failed"> {
  pool: pg.Pool;
  reader: pg.Pool;
  /** What it has replayed at least; undefined if it must not be asked. */
  position: number | undefined;
  /** When the primary was where the replica is now, by performance.now(). */
  wasPrimaryAt: number;
  obstacle: string | undefined;
}

function openReplica(url: string, { primary, role, log }: Options): Replica {
  const settings = {
    ...(role !== undefined && { role }),
    statement_timeout: Math.round(PATIENCE_MS * 0.9),
    plan_cache_mode: isDistributed(primary) ? "auto" : "force_generic_plan",
  };
  const limits = { max: 4, connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
  const pool = createPool("replica", url, { application_name: "samespot reads", ...limits, settings }, (error) => {
    replica.position = undefined;
    log(`A connection to the replica ${replica.name} was lost: ${error.message}`);
  });
  const query = async (...given: Parameters<pg.Pool["query"]>) => {
    try {
      const result = await pool.query(...given);
      replica.reads++;
      return result;
    } catch (error) {
      replica.failed++;
      if (!(error instanceof pg.DatabaseError)) replica.position = undefined; // no answer: not asked until a poll gets one
      return primary.query(...given);
    }
  };
  const replica: Replica = {
    name: new URL(url).host,
    pool,
    reader: { query } as unknown as pg.Pool,
    reads: 0,
    failed: 0,
    position: undefined,
    wasPrimaryAt: Number.NEGATIVE_INFINITY,
    obstacle: undefined,
  };
  return replica;
}

const lagOf = ({ wasPrimaryAt }: Replica): number => performance.now() - wasPrimaryAt;

const has = (replica: Replica, position: number): boolean =>
  replica.position !== undefined && replica.position >= position;

const SYSTEM = sql`(SELECT system_identifier::text FROM pg_control_system()) AS system`;

async function notePrimary(primary: pg.Pool, history: Point[]): Promise<void> {
  const at = performance.now();
  // Flushed, because replicas get nothing else.
  const rows = await queryRows<Omit<Point, "at">>(prepared(primary))`
    SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS position, ${SYSTEM}`;
  history.push(...rows.map((row) => ({ at, ...row })));
  while ((history[0]?.at ?? at) < at - REMEMBERED_MS) history.shift();
}

interface Look {
  isReplica: boolean;
  position: number | null;
  system: string;
}

async function look(replica: Replica, history: readonly Point[], log: (message: string) => void): Promise<void> {
  const obstacle = await queryRow<Look>(prepared(replica.pool))`
    SELECT pg_is_in_recovery() AS "isReplica", ${SYSTEM},
           pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS position`
    .then((seen) => note(replica, history, seen))
    .catch(whyNot);
  if (obstacle !== undefined) replica.position = undefined;
  if (obstacle !== replica.obstacle)
    log(`The replica ${replica.name} ${obstacle === undefined ? "is asked" : `is not asked: ${obstacle}`}.`);
  replica.obstacle = obstacle;
}

function whyNot(error: Error & { code?: string }): string {
  const advice = databaseTrustAdvice(error.code, "READ_DATABASE_URL");
  return advice ? `${error.message}. ${advice.replace(/\.$/, "")}` : error.message;
}

/** Returns why the replica must not be asked. */
function note(replica: Replica, history: readonly Point[], found: Look | undefined): string | undefined {
  const { position, system } = found ?? {};
  if (!found?.isReplica || position === null || position === undefined) return "it is not a replica of a primary";
  const newest = history.at(-1);
  if (newest && newest.system !== system) return "it is a replica of another database server";
  replica.position = position;
  const passed = history.findLast((point) => point.position <= position);
  replica.wasPrimaryAt = passed?.at ?? Number.NEGATIVE_INFINITY;
  return undefined;
}

function statusOf(replica: Replica): Omit<ReplicaStatus, "isAsked"> {
  const { name, reads, failed } = replica;
  const lag = lagOf(replica) / 1000;
  const isKnown = replica.position !== undefined && Number.isFinite(lag);
  return { name, lagSeconds: isKnown ? Math.round(lag * 1000) / 1000 : null, reads, failed };
}
