import type { Headers } from "undici";
import { DirectoryError, type DirectoryErrorKind } from "./calls/errors.ts";

const MOST_AT_ONCE = 16;

const TOO_MUCH: ReadonlySet<DirectoryErrorKind> = new Set(["rate_limited", "unreachable"]);

export type Throttle = <T>(call: () => Promise<T | undefined>) => Promise<T | undefined>;

/** Additive increase, multiplicative decrease: two calls at first, up to sixteen, in order of arrival. */
export function createThrottle(): Throttle {
  let width = 2;
  let running = 0;
  const waiting: (() => void)[] = [];
  const fill = () => {
    while (waiting.length > 0 && running < Math.floor(width)) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return async (call) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      fill();
    });
    try {
      const value = await call();
      if (value !== undefined) width = Math.min(MOST_AT_ONCE, width + 1 / width);
      return value;
    } catch (error) {
      if (error instanceof DirectoryError && TOO_MUCH.has(error.kind)) width = Math.max(1, width / 2);
      throw error;
    } finally {
      running -= 1;
      fill();
    }
  };
}

/** Of the calls an hour to a group of endpoints (wire-format 5). */
export interface CallsLeft {
  left: number;
  limit: number;
}

/** Returns undefined if the directory does not report both. */
export function callsLeft(headers: Headers): CallsLeft | undefined {
  const [left, limit] = ["remaining", "limit"].map((name) => Number(headers.get(`x-ratelimit-${name}`) || Number.NaN));
  return left !== undefined && limit !== undefined && left >= 0 && limit > 0 ? { left, limit } : undefined;
}
