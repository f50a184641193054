import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const SQLITE_BUSY = 5;

/** Runs `work` while holding the lock of `file`. Throws if the lock is not free within `patience` milliseconds. */
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
 * Takes the lock and returns its release, or undefined if it is held. SQLite's lock ends with the process; a file with a
 * process id would survive a kill, and in a container the next process often has the same id.
 */
export function tryFileLock(file: string): (() => void) | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY"); // a journal in a file cannot begin on a full disk
    lock.exec("BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}
