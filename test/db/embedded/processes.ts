import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

/** Creates a folder that all users may enter. The end of the test run deletes it and stops a server in it. */
export const newFolder = () => {
  const folder = mkdtempSync(path.join(inject("run").folder, "embedded-"));
  chmodSync(folder, 0o755);
  return folder;
};

interface Launch {
  seconds?: number;
  detached?: boolean;
  uid?: number;
  outside?: string;
}

const children: ChildProcess[] = [];

export function killChildren(): void {
  for (const child of children.splice(0)) child.kill("SIGKILL");
}

export async function launch(dir: string, { seconds = 0, detached = false, uid, outside }: Launch = {}) {
  const program = path.join(import.meta.dirname, "child.ts");
  const user = uid === undefined ? {} : { uid, gid: uid };
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const args = [program, dir, String(seconds), ...(outside ? [outside] : [])];
  const child = spawn(process.execPath, args, { detached, ...user, stdio: [...stdio] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "null");
  const { url, adopted } = (await next()) as { url: string; adopted: boolean };
  const exit = once(child, "exit");
  const end = async () => {
    child.kill("SIGTERM");
    await exit;
  };
  return { process: child, url, adopted, end, lastWords: next };
}

/** Returns the process id of the server whose cluster is in `home`, or 0. */
export function serverPid(home: string): number {
  try {
    return Number(readFileSync(path.join(home, "pg", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return 0;
  }
}

export function kill(pid: number): void {
  try {
    if (pid && pid !== process.pid) process.kill(pid, "SIGKILL");
  } catch {
    // it has ended
  }
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      return await work();
    } catch {
      await sleep(100);
    }
  }
  return work();
}
