// What PostgreSQL leaves in its data folder about the server that runs there, or ran.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";

/** postmaster.pid: process id in the first line, port in the fourth. */
export function pidFile(data: string): { pid: number; port: number } {
  try {
    const lines = readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]) || 0, port: Number(lines[3]) || 0 };
  } catch {
    return { pid: 0, port: 0 };
  }
}

/** Whether the process of the pid file is this cluster's server, not a zombie or a newcomer with its number. */
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

/**
 * PostgreSQL ignores a stale pid file only when no process has its number. So give it a number that none can
 * have; the rest of the file stays, by which PostgreSQL knows whether parts of the old server still live.
 */
export function disownPid(data: string): void {
  const file = path.join(data, "postmaster.pid");
  if (existsSync(file)) writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, "2147483647"));
}

/** The port of the last start, or 0. */
export function lastPort(data: string): number {
  const file = path.join(data, "postmaster.opts");
  return existsSync(file) ? Number(/port=(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0) : 0;
}

/** `preferred` when it is free, else any free port. */
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
