import type { Headers } from "undici";

/** Returns 1 to 3600 seconds, by Retry-After (seconds or date) or X-RateLimit-Reset (epoch seconds); default 60. */
export function retryAfter(headers: Headers): number {
  const after = headers.get("retry-after") ?? "";
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const until = /^[A-Z][a-z]{2,8}, /.test(after) ? Date.parse(after) : Number.NaN; // Date.parse reads "-5" as a date
  const seconds = /^\d+$/.test(after) ? Number(after) : (until - Date.now()) / 1000;
  const left = /^\d{9,11}(\.\d+)?$/.test(reset) ? Number(reset) - Date.now() / 1000 : Number.NaN;
  const wait = [seconds, left].find(Number.isFinite) ?? 60;
  return Math.min(3600, Math.max(1, Math.ceil(wait)));
}

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** RFC 6749 section 2.3.1: both parts form-encoded. */
export function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  const encode = (part: string) => new URLSearchParams({ part }).toString().slice("part=".length);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}
