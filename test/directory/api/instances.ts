import { PassThrough } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { afterAll } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { buildApi } from "../../../src/directory/api/app.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { API_URL, type ApiHost, AUTH_URL, DOWNTOWN, V } from "./host.ts";

export const SEARCH = "/v2/venues/search";
export type Fields = Record<string, string>;

/** One of several processes on the same database, behind a proxy. */
export async function apiInstance({ deps }: ApiHost, rateLimit: Config["rateLimit"]): Promise<FastifyInstance> {
  const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });
  const address = { url: API_URL, host: "127.0.0.1", port: 0 };
  const config = {
    auth: { ...address, url: AUTH_URL },
    api: address,
    tls: undefined,
    trustProxy: ["127.0.0.1"],
    basemap: undefined,
    publicSearch: true,
    languages: ["en", "es"] as const,
  };
  const app = await buildApi({ ...deps, log, config: { ...config, rateLimit } });
  afterAll(() => app.close());
  return app;
}

export interface How {
  path?: string;
  fields?: Fields;
  method?: string;
  /** The client address that the proxy reports. */
  from?: string;
}

export async function call(app: FastifyInstance, { path = SEARCH, fields = {}, method = "GET", from }: How = {}) {
  const reply = await app.inject({
    method: method as "GET",
    url: `${path}?${new URLSearchParams({ v: V, ll: DOWNTOWN, ...fields })}`,
    headers: from ? { "x-forwarded-for": from, "x-forwarded-proto": "https" } : {},
  });
  const { meta = {}, response } = method === "HEAD" ? {} : reply.json();
  const header = (name: string) => Number(reply.headers[`x-ratelimit-${name}`] ?? Number.NaN);
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map(header);
  const retryAfter = Number(reply.headers["retry-after"] ?? Number.NaN);
  return { status: reply.statusCode, meta, response, limit, remaining, reset, retryAfter, headers: reply.headers };
}

/** Moves all counts so far into the past. */
export async function anHourPasses(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM directory.rate_count WHERE window_start < now() - interval '1 hour'");
  await pool.query("UPDATE directory.rate_count SET window_start = window_start - interval '1 hour'");
}
