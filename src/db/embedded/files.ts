import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import net from "node:net";
import path from "node:path";

/** Reads postmaster.pid: the process id is in line 1, the port in line 4. */
export function pidFile(data: string): { pid: number; port: number } {
  try {
    const lines = readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]) || 0, port: Number(lines[3]) || 0 };
  } catch {
    return { pid: 0, port: 0 };
  }
}

/** Whether the process in the pid file is this cluster's server, not a zombie or another process with its id. */
export function serverLives(data: string): boolean {
  const { pid } = pidFile(data);
  try {
    if (!pid) return false;
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(data);
  } catch {
    return false;
  }
}

// PostgreSQL ignores a stale pid file only if no process has its id, so this writes an impossible one. The other lines stay:
// by them PostgreSQL detects surviving processes of the old server.
export function disownPid(data: string): void {
  const file = path.join(data, "postmaster.pid");
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, "2147483647"));
}

export function lastPort(data: string): number {
  const file = path.join(data, "postmaster.opts");
  return existsSync(file) ? Number(/port=(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0) : 0;
}

export async function freePort(preferred: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().listen(preferred, "127.0.0.1");
    probe.once("error", (error) => (preferred ? resolve(freePort(0)) : reject(error)));
    probe.once("listening", () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** PostgreSQL takes its log of writes in files of 16 MB: with less than two of them it may stop, and cannot start again. */
const LEAST_BYTES = 32 * 2 ** 20;

/** Each table, index and file of that log is a file. */
const LEAST_FILES = 32;

/**
 * Returns undefined if there is space, otherwise what is wrong and what to do. An `error` shows what cannot be measured: a quota, or space
 * that was given back since.
 */
export async function lackOfSpace(folder: string, error?: unknown): Promise<string | undefined> {
  const { bytes, files } = await freeSpace(folder);
  const left = `${Math.floor(bytes / 2 ** 20)} MB`;
  const fullDisk = (lack: string) => `The disk is full: ${lack}; nothing stored is lost.`;
  if (bytes < LEAST_BYTES)
    return fullDisk(
      `${left} are left in ${folder}, and the database needs 32 MB to go on. Free space there or enlarge the volume`,
    );
  if (files < LEAST_FILES)
    return fullDisk(
      `only ${files} more files (inodes) can be made in ${folder}. Delete files there or enlarge the volume`,
    );
  if (!saysFull(error)) return undefined;
  return fullDisk(
    `the system gives no more space in ${folder}, although ${left} are left. Free space there, or enlarge the volume or the quota`,
  );
}

/** Of a file system that does not limit the number of files, `files` is Infinity. */
export async function freeSpace(folder: string): Promise<{ bytes: number; files: number }> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
}

/** In the words or by the code of Node, SQLite or PostgreSQL. */
function saysFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, cause } = error as Error & { code?: string };
  return FULL_CODES.test(code ?? "") || FULL_WORDS.test(message) || saysFull(cause);
}

const FULL_CODES = /^(ENOSPC|EDQUOT|53100)$/;
const FULL_WORDS = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|database or disk is full/i;
