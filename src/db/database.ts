import { setTimeout as after } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { createPool, withOptions } from "./connections.ts";
import { PrismaClient } from "./generated/client.ts";

/**
 * The database, two ways.
 *
 * `prisma` reads and writes rows that plain values name; `pool` runs hand-written SQL. docs/architecture.md says when to use
 * which. A named statement of `pool` is three times cheaper: it is planned once for each connection, for any parameters.
 *
 * Both fail instead of hanging: without a free connection after `connectMs`, without an answer after `patience`.
 * Whether an error says so is for isUnavailable() to tell.
 */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  close(): Promise<void>;
}

interface Options {
  log?: (message: string) => void;
  /** Milliseconds a statement may take. Commands and jobs, where nobody waits for a page, may give it longer. */
  patience?: number;
  /** Milliseconds until there is a connection: on a busy machine it takes seconds. */
  connectMs?: number;
}

const CONNECT_MS = 1400;
/** Where nobody waits for a page. */
export const PATIENT_CONNECT_MS = 10_000;
const CLOSE_MS = 3000;

/** Opens the database at `url`. Connects with the first query, so it never fails itself. */
export function openDatabase(
  url: string,
  { log = () => {}, patience = 1400, connectMs = CONNECT_MS }: Options = {},
): Database {
  const common: pg.PoolConfig = {
    connectionString: url,
    application_name: "samespot",
    connectionTimeoutMillis: connectMs,
    // The server gives up first where it can, so that it does not work on for nobody.
    statement_timeout: Math.round(patience * 0.9),
    query_timeout: patience,
    // Of a connection that leads nowhere any more the server hears nothing: its locks would stay for hours.
    idle_in_transaction_session_timeout: Math.max(5000, patience * 3),
    keepAlive: true,
  };
  const onLost = (error: Error) => log(`A database connection was lost: ${error.message}`);
  const prismaPool = createPool({ ...common, max: 10 }, onLost);
  const connectionString = withOptions(url, "-c plan_cache_mode=force_generic_plan");
  const pool = createPool({ ...common, max: 4, connectionString }, onLost);
  const prisma = new PrismaClient({
    errorFormat: "minimal", // the longer ones quote the values of the call
    adapter: new PrismaPg(prismaPool),
    transactionOptions: { maxWait: connectMs, timeout: patience * 3 },
  });
  let closing: Promise<unknown> | undefined;
  const close = async () => {
    closing ??= prisma.$disconnect().then(() => Promise.all([prismaPool.end(), pool.end()]));
    await Promise.race([closing, after(CLOSE_MS, undefined, { ref: false })]); // a frozen server never says goodbye
  };
  return { prisma, pool, close };
}
