import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const SQLITE_BUSY = 5;

/**
 * Runs `work` while no other process (or call) runs work under the same file.
 * Throws when the lock is not free within `patience` milliseconds.
 */
export async function withFileLock<T>(file: string, patience: number, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const release = tryFileLock(file);
    if (release) {
      try {
        return await work();
      } finally {
        release();
      }
    }
    if (Date.now() > deadline) throw new Error(`Another process has been holding ${file} for ${patience / 1000} s.`);
    await sleep(50);
  }
}

/**
 * Takes the lock and returns its release, or undefined when somebody else has it.
 *
 * SQLite's lock on its file is the one lock of the operating system that Node can reach. It goes with
 * the process, however that ends. A file with a process id in it does not: after a kill it needs guessing,
 * and in a container the next process often has the very same id.
 */
export function tryFileLock(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}
