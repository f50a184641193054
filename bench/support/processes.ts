// Figures from /proc, on Linux only; elsewhere NaN.
import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "pg";

export interface Usage {
  cpuMs: number;
  megabytes: number;
}

/** /proc counts in hundredths of a second. */
const TICK_MS = 10;

/** Of a process and its children. Those that have ended count for the time. */
export function usageOf(pid: number): Usage {
  if (process.platform !== "linux") return { cpuMs: Number.NaN, megabytes: Number.NaN };
  const tree = treeOf(pid);
  const sum = (of: (pid: number) => number) => tree.reduce((total, each) => total + of(each), 0);
  return { cpuMs: sum(cpuMs), megabytes: sum(megabytes) };
}

export const peakMegabytes = (pid: number): number => kilobytes(read(pid, "status"), "VmHWM") / 1024;

/** The parent of all processes of PostgreSQL. */
export async function postmaster(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return parentOf(Number(rows[0]?.pid));
}

const parentOf = (pid: number): number => Number(fields(pid)[1]);

function treeOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const each of readdirSync("/proc")) if (/^\d+$/.test(each)) parents.set(Number(each), parentOf(Number(each)));
  const tree = [pid];
  for (const parent of tree) for (const [each, of] of parents) if (of === parent) tree.push(each);
  return tree;
}

/** Of its own, and of ended children. */
function cpuMs(pid: number): number {
  const ticks = fields(pid).slice(11, 15);
  return ticks.reduce((total, each) => total + Number(each) * TICK_MS, 0);
}

/** Shared memory counts in parts, so that the sum over the backends of PostgreSQL is right. */
const megabytes = (pid: number): number => (kilobytes(read(pid, "smaps_rollup"), "Pss") || 0) / 1024;

/** From the third field on: the second, the program's name, may contain spaces. */
const fields = (pid: number): string[] =>
  read(pid, "stat")
    .replace(/^.*\) /s, "")
    .trim()
    .split(" ");

const kilobytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? Number.NaN);

/** Returns "" for a process that has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
