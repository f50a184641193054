import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { Pool } from "pg";

/** How PostgreSQL ends: all connections by order, also those that are just being made; one of them, killed, and so all; at once; or killed. */
export const SERVER_ENDS = ["connections ended", "connection killed", "shut down", "server killed"] as const;
export type ServerEnd = (typeof SERVER_ENDS)[number];

/** @param freeze lets all who are connected stand still until what it answers is called */
export async function endServer(folder: string, how: ServerEnd, pool: Pool, freeze: () => () => void): Promise<void> {
  if (how === "server killed") return killServer(folder);
  if (how === "shut down") return killServer(folder, "SIGQUIT");
  if (how === "connection killed") {
    const { rows } = await pool.query(`SELECT pid FROM (${OTHERS}) AS others ORDER BY random() LIMIT 1`);
    return signal(rows[0]?.pid ?? 0, "SIGKILL"); // the server then ends all, and recovers
  }
  const until = performance.now() + STORM_MS;
  while (performance.now() < until) {
    // Who has not read an answer yet reads it together with the end: as one does that has much to do.
    const goOn = freeze();
    await after(10);
    await pool.query(`SELECT pg_terminate_backend(pid) FROM (${OTHERS}) AS others`).catch(() => {}); // its own among them
    await after(10);
    goOn();
    await after(chanceMs());
  }
}

const STORM_MS = 1500;
/** From one end to the next, so that each finds its connections at another point. */
const chanceMs = () => Math.random() * 40;
const OTHERS = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

/** Kills the PostgreSQL whose data is in `folder`; whoever keeps it starts it again. Resolves once there is another. */
export async function killServer(folder: string, how: "SIGKILL" | "SIGQUIT" = "SIGKILL"): Promise<void> {
  const pid = postmaster(folder);
  signal(pid, how);
  // Its connections outlive it by a moment; its file names no process between the two.
  while ([pid, 0, GIVEN_UP].includes(postmaster(folder))) await after(50);
}

/** What src/db/embedded/files.ts puts in place of a process that is gone. */
const GIVEN_UP = 2147483647;

/** Lets PostgreSQL, with all of its processes, stand still until what it answers is called. */
export function freezeServer(folder: string): () => void {
  const pid = postmaster(folder);
  signal(pid, "SIGSTOP"); // first, so that it begins no further process
  const children = pid > 1 ? childrenOf(pid) : [];
  for (const child of children) signal(child, "SIGSTOP");
  return () => {
    for (const each of [...children, pid]) signal(each, "SIGCONT");
  };
}

/** 0 where there is none: it is starting again from the last time. */
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
