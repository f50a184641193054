import { setTimeout as after } from "node:timers/promises";
import type { Pool } from "pg";
import { isUnavailable } from "../../db/unavailable.ts";
import type { Harmonization } from "./harmonizations.ts";

/** The last measurement. */
export interface Lately<T> {
  /** Undefined where there has been none yet. */
  value: T | undefined;
  /** Milliseconds since it was measured. */
  age: number;
  /** A new one was not there in time: look again soon. */
  isLate: boolean;
}

interface Options {
  /** Milliseconds that somebody waits for it. */
  waitMs?: number | undefined;
  /** Only one long measurement runs at a time, and everybody who asks shares its result for a while. */
  isLong: boolean;
}

/** A page waits for this long, and then shows what is known. */
const WAIT_MS = 700;
const AT_LEAST_MS = 1000;
const SHARE_OF_TIME = 0.1;
/** A measurement that nobody has asked for in this time is forgotten. */
const FORGET_MS = 60_000;

interface Entry {
  known?: { value: unknown; at: number };
  running?: Promise<void> | undefined;
  /** By performance.now(). */
  validUntil: number;
}

interface Measurements {
  entries: Map<string, Entry>;
  /** The last of the long ones, behind which the next waits. */
  last: Promise<unknown>;
}

const measurements = new WeakMap<Pool, Measurements>();

/**
 * What `measure` returns, or returned lately. It does not fail because the database is slow, and a page waits no longer than
 * `waitMs`. A long measurement takes at most a tenth of the time.
 *
 * @param key of what is measured and all it depends on
 * @param measure gets the value before
 * @throws what `measure` throws within `waitMs`, unless the database is away or busy
 */
export async function lately<T>(
  pool: Pool,
  key: string,
  measure: (before: T | undefined) => Promise<T>,
  { waitMs = WAIT_MS, isLong }: Options,
): Promise<Lately<T>> {
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
    const tooLate = after(waitMs, true, { signal: timer.signal }).catch(() => true);
    const running = (isLong && entry.running) || refresh(entry, isLong ? inTurn(all, measure) : measure);
    if (isLong) entry.running = running;
    isLate = await Promise.race([running.then(() => false), tooLate]).finally(() => timer.abort());
  }
  const { known } = entry;
  isLate ||= !known;
  return { value: known?.value as T | undefined, age: known ? performance.now() - known.at : 0, isLate };
}

/** Forgets a measurement that no longer says anything about what comes next. */
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

/** Listings from which on a look at all of them is long. */
const LARGE = 50_000;

/** The same for a harmonization on which nothing runs: for a large one as it was lately, for a small one as it is now. */
export function latelyOf<T>(
  pool: Pool,
  h: Harmonization,
  what: string,
  measure: () => Promise<T>,
  waitMs?: number,
): Promise<Lately<T>> {
  const { id, listingCount, state, acceptFrom, reviewFrom, matchedAt, task } = h;
  const key = JSON.stringify([id, what, state, acceptFrom, reviewFrom, matchedAt, task]);
  return lately(pool, key, measure, { isLong: listingCount >= LARGE, waitMs });
}
