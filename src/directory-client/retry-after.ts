import type { Headers } from "undici";

/**
 * Seconds to wait, 1 to 3600, from Retry-After (seconds or a date) or X-RateLimit-Reset (epoch seconds); 60 where they
 * say nothing that can be read.
 */
export function retryAfter(headers: Headers): number {
  const after = headers.get("retry-after") ?? "";
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const until = /^[A-Z][a-z]{2,8}, /.test(after) ? Date.parse(after) : Number.NaN; // Date.parse takes "-5" for a date
  const seconds = /^\d+$/.test(after) ? Number(after) : (until - Date.now()) / 1000;
  const left = /^\d{9,11}(\.\d+)?$/.test(reset) ? Number(reset) - Date.now() / 1000 : Number.NaN;
  const wait = [seconds, left].find(Number.isFinite) ?? 60;
  return Math.min(3600, Math.max(1, Math.ceil(wait)));
}
