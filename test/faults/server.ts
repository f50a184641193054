import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";

/** Kills the PostgreSQL whose data is in `folder`; whoever keeps it starts it again. Resolves once there is another. */
export async function killServer(folder: string): Promise<void> {
  const pid = postmaster(folder);
  signal(pid, "SIGKILL");
  // Its connections outlive it by a moment; its file names no process between the two.
  while ([pid, 0, GIVEN_UP].includes(postmaster(folder))) await after(50);
}

/** What src/db/embedded-files.ts puts in place of a process that is gone. */
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
