import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { isUnavailable } from "../../db/unavailable.ts";
import type { Harmonization } from "./harmonizations.ts";

export interface RecentResult<T> {
  value: T | undefined;
  /** Milliseconds. */
  age: number;
  /** The current measurement has not finished: ask again soon. */
  isLate: boolean;
}

interface Options {
  waitMs?: number | undefined;
  /** Only one long measurement runs at a time, and callers share its result. */
  isLong: boolean;
}

const WAIT_MS = 700;
const AT_LEAST_MS = 1000;
const SHARE_OF_TIME = 0.1;
const FORGET_MS = 60_000;

interface Entry {
  known?: { value: unknown; at: number };
  running?: Promise<void> | undefined;
  validUntil: number;
}

interface Measurements {
  entries: Map<string, Entry>;
  last: Promise<unknown>;
}

const measurements = new WeakMap<Pool, Measurements>();

/**
 * Returns the result of `measure` for `key`, or a recent one. Waits at most `waitMs`. Long measurements take at most a
 * tenth of the time. Does not throw because the database is unavailable.
 */
export async function recentResult<T>(
  pool: Pool,
  key: string,
  measure: (before: T | undefined) => Promise<T>,
  { waitMs = WAIT_MS, isLong }: Options,
): Promise<RecentResult<T>> {
  const all = measurements.get(pool) ?? { entries: new Map(), last: Promise.resolve() };
  measurements.set(pool, all);
  const now = performance.now();
  for (const [each, { validUntil, running }] of all.entries)
    if (!running && validUntil < now - FORGET_MS) all.entries.delete(each);
  const entry: Entry = all.entries.get(key) ?? { validUntil: now };
  all.entries.set(key, entry);
  let isLate = false;
  if (now >= entry.validUntil || !isLong) {
    const timer = new AbortController();
    const tooLate = sleep(waitMs, true, { signal: timer.signal }).catch(() => true);
    const running = (isLong && entry.running) || refresh(entry, isLong ? inTurn(all, measure) : measure);
    if (isLong) entry.running = running;
    isLate = await Promise.race([running.then(() => false), tooLate]).finally(() => timer.abort());
  }
  const { known } = entry;
  isLate ||= !known;
  return { value: known?.value as T | undefined, age: known ? performance.now() - known.at : 0, isLate };
}

export const forget = (pool: Pool, key: string): void => void measurements.get(pool)?.entries.delete(key);

async function refresh<T>(entry: Entry, measure: (before: T | undefined) => Promise<T>): Promise<void> {
  const at = performance.now();
  try {
    const value = await measure(entry.known?.value as T | undefined);
    entry.known = { value, at };
    entry.validUntil = at + Math.max(AT_LEAST_MS, (performance.now() - at) / SHARE_OF_TIME);
  } catch (error) {
    entry.validUntil = performance.now() + AT_LEAST_MS; // what was known before stays
    if (!isUnavailable(error)) throw error;
  } finally {
    entry.running = undefined;
  }
}

function inTurn<T>(all: Measurements, measure: (before: T | undefined) => Promise<T>) {
  return (before: T | undefined): Promise<T> => {
    const mine = all.last.then(() => measure(before));
    all.last = mine.catch(() => undefined);
    return mine;
  };
}

/** Listings. */
const LARGE = 50_000;

/** Like recentResult(), for a harmonization that is not at work: cached if it is large, current if small. */
export function recentResultOf<T>(
  pool: Pool,
  h: Harmonization,
  what: string,
  measure: () => Promise<T>,
  waitMs?: number,
): Promise<RecentResult<T>> {
  const { id, listingCount, state, acceptFrom, reviewFrom, matchedAt, task } = h;
  const key = JSON.stringify([id, what, state, acceptFrom, reviewFrom, matchedAt, task]);
  return recentResult(pool, key, measure, { isLong: listingCount >= LARGE, waitMs });
}
