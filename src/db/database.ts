import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { noteDistributed } from "./citus/distributed.ts";
import { type Address, createPool } from "./connections.ts";
import { PrismaClient } from "./generated/client.ts";

/**
 * `prisma`, and `pool` for SQL (docs/architecture.md, "Data"). Both fail instead of hanging: without a free connection after
 * `connectMs`, without a response after `patience`. isUnavailable() recognizes these errors.
 */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  close(): Promise<void>;
}

interface Options {
  /** In the metrics. */
  name?: string;
  log?: (message: string) => void;
  /** Milliseconds per statement. Commands and jobs may take longer than pages. */
  patience?: number;
  /** Milliseconds to wait for a connection. On a busy machine it takes seconds. */
  connectMs?: number;
  /** Set it if Citus distributes the venues, which cannot plan a statement without its values. */
  isDistributed?: boolean | undefined;
}

export const CONNECT_MS = 1400;
export const PATIENT_CONNECT_MS = 10_000;
const CLOSE_MS = 3000;

export function openDatabase(
  address: Address,
  { name = "command", log = () => {}, patience = 1400, connectMs = CONNECT_MS, isDistributed = false }: Options = {},
): Database {
  const common: pg.PoolConfig = {
    application_name: "samespot",
    connectionTimeoutMillis: connectMs,
    query_timeout: patience,
  };
  const limits = {
    // Slightly less, so that the server stops working once nobody waits.
    statement_timeout: Math.round(patience * 0.9),
    // Otherwise the server would keep the locks of a broken connection for hours.
    idle_in_transaction_session_timeout: Math.max(5000, patience * 3),
  };
  const onLost = (error: Error) => log(`A database connection was lost: ${error.message}`);
  const prismaPool = createPool(`${name} prisma`, address, { ...common, max: 10, settings: limits }, onLost);
  const settings = { ...limits, plan_cache_mode: isDistributed ? "auto" : "force_generic_plan" };
  const pool = createPool(name, address, { ...common, max: 4, settings }, onLost);
  if (isDistributed) {
    noteDistributed(pool);
    pool.on("connect", noteDistributed);
  }
  const prisma = new PrismaClient({
    errorFormat: "minimal", // the longer ones quote the values of the call
    adapter: new PrismaPg(prismaPool),
    transactionOptions: { maxWait: connectMs, timeout: patience * 3 },
  });
  let closing: Promise<unknown> | undefined;
  const close = async () => {
    closing ??= prisma.$disconnect().then(() => Promise.all([prismaPool.end(), pool.end()]));
    await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]); // a frozen server never says goodbye
  };
  return { prisma, pool, close };
}
