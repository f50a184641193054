import type { ClientBase, Pool, PoolClient } from "pg";
import { changedByOthers } from "../shared/errors.ts";
import type { PoolDb } from "./sql.ts";

/** Milliseconds that a transaction waits until it may begin. */
const TURN_MS = 10_000;

interface Turns {
  running: number;
  waiting: (() => void)[];
}

const turnsOf = new WeakMap<Pool, Turns>();

/**
 * Runs `work` in one transaction. At most half of the pool's connections are in one: the others wait here for their turn, because
 * transactions that wait for each other's locks would otherwise take all connections from pages that only read. Within `work` it must
 * not be called again. Throws KnownError 503 if its turn does not come in TURN_MS.
 */
export async function inTransaction<T>(db: PoolDb, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const pool = "pool" in db ? db.pool : db;
  const endTurn = await takeTurn(pool);
  try {
    const client = await pool.connect();
    let isOver = false;
    try {
      await client.query("BEGIN");
      const result = await work(client);
      await client.query("COMMIT");
      isOver = true;
      return result;
    } finally {
      client.release(!isOver); // on failure, closing the connection rolls back
    }
  } finally {
    endTurn();
  }
}

/** Runs `work` in one transaction of a connection that the caller keeps. If it fails, what it wrote is rolled back. */
export async function transactionOn<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone, and the transaction with it
    throw error;
  }
}

/** Returns what ends the turn. */
async function takeTurn(pool: Pool): Promise<() => void> {
  const turns = turnsOf.get(pool) ?? { running: 0, waiting: [] };
  turnsOf.set(pool, turns);
  if (turns.running < Math.max(1, (pool.options.max ?? 10) / 2)) turns.running += 1;
  else await inLine(turns);
  return () => {
    const next = turns.waiting.shift();
    if (next) next();
    else turns.running -= 1;
  };
}

function inLine({ waiting }: Turns): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(() => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(changedByOthers());
    }, TURN_MS);
    waiting.push(begin);
  });
}
