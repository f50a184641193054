import type { Headers } from "undici";

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
