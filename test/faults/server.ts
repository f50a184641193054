import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { Pool } from "pg";

/** How PostgreSQL ends: all connections terminated, also new ones; one killed, and so all; immediate shutdown; killed. */
export const SERVER_ENDS = ["connections ended", "connection killed", "shut down", "server killed"] as const;
export type ServerEnd = (typeof SERVER_ENDS)[number];

/** `freeze` stops all clients until the returned function is called. */
export async function endServer(folder: string, how: ServerEnd, pool: Pool, freeze: () => () => void): Promise<void> {
  if (how === "server killed") return killServer(folder);
  if (how === "shut down") return killServer(folder, "SIGQUIT");
  if (how === "connection killed") {
    const { rows } = await pool.query(`SELECT pid FROM (${OTHERS}) AS others ORDER BY random() LIMIT 1`);
    return signal(rows[0]?.pid ?? 0, "SIGKILL"); // the server then ends all connections, and recovers
  }
  const until = performance.now() + STORM_MS;
  while (performance.now() < until) {
    // A frozen client reads its last response together with the termination, like a busy one.
    const goOn = freeze();
    await after(10);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM (${OTHERS}) AS others`).catch(() => {}); // including our own
    await after(10);
    goOn();
    await after(chanceMs());
  }
}

const STORM_MS = 1500;
/** Random, so that each termination finds the connections at another point. */
const chanceMs = () => Math.random() * 40;
const OTHERS = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

/** Kills the PostgreSQL of `folder`. Resolves when its keeper has started another. */
export async function killServer(folder: string, how: "SIGKILL" | "SIGQUIT" = "SIGKILL"): Promise<void> {
  const pid = postmaster(folder);
  signal(pid, how);
  // Its connections outlive it briefly, and in between its file names no process.
  while ([pid, 0, GIVEN_UP].includes(postmaster(folder))) await after(50);
}

/** Impossible process id that src/db/embedded/files.ts writes. */
const GIVEN_UP = 2147483647;

/** Stops PostgreSQL with all its processes until the returned function is called. */
export function freezeServer(folder: string): () => void {
  const pid = postmaster(folder);
  signal(pid, "SIGSTOP"); // first, so that it starts no further process
  const children = pid > 1 ? childrenOf(pid) : [];
  for (const child of children) signal(child, "SIGSTOP");
  return () => {
    for (const each of [...children, pid]) signal(each, "SIGCONT");
  };
}

/** Returns 0 while it is restarting. */
function postmaster(folder: string): number {
  try {
    const [pid] = readFileSync(path.join(folder, "pg", "postmaster.pid"), "utf8").split("\n");
    return Number(pid);
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function signal(pid: number, name: NodeJS.Signals): void {
  if (!(pid > 1)) return;
  try {
    process.kill(pid, name);
  } catch {
    // it has ended
  }
}
