import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { poolsInUse } from "../db/connections.ts";
import { ALIVE, readiness } from "./health.ts";

/** Sums a counter or gauge of this process, or the number of values of a histogram, by one of its labels; `only` those with other labels. */
export async function figuresOf(
  name: string,
  label: string,
  only: Record<string, string> = {},
): Promise<Map<string, number>> {
  const metric = await register.getSingleMetric(name)?.get();
  const figures = new Map<string, number>();
  for (const { labels, value, ...more } of metric?.values ?? []) {
    if ("metricName" in more && more.metricName !== `${name}_count`) continue; // buckets and sum of a histogram
    if (Object.entries(only).some(([other, wanted]) => labels[other] !== wanted)) continue;
    const key = String(labels[label] ?? "");
    figures.set(key, (figures.get(key) ?? 0) + value);
  }
  return figures;
}

const requests = new Histogram({
  name: "samespot_http_request_seconds",
  help: "Time to answer, by listener, route and status",
  labelNames: ["listener", "method", "route", "status"],
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
});

const build = new Gauge({
  name: "samespot_build_info",
  help: "Always 1; the version of Samespot and of Node.js",
  labelNames: ["version", "node"],
});

/** Labels are route patterns, so addresses stay out of the metrics. */
export function measureRequests(app: FastifyInstance, listener: string): void {
  app.addHook("onResponse", async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    requests.observe({ listener, method, route: routeOptions.url ?? "none", status: statusCode }, elapsedTime / 1000);
  });
}

const JSON_TYPE = "application/json; charset=utf-8";

interface Options {
  host: string;
  port: number;
  version: string;
  ready: () => Promise<string[]>;
  stopping: AbortSignal;
  about?: () => object | Promise<object>;
  refresh: () => Promise<void>;
}

/** Serves /metrics (Prometheus), /healthz and /readyz of this process at METRICS_PORT, in plain http. */
export async function serveMetrics({ host, port, version, refresh, ...ready }: Options): Promise<Server> {
  if (!register.getSingleMetric("process_cpu_seconds_total")) collectDefaultMetrics();
  build.set({ version, node: process.version }, 1);
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type }).end(body);
    if (request.url === "/healthz") return void send(200, JSON_TYPE, JSON.stringify(ALIVE));
    if (request.url === "/readyz") {
      const { status, body } = await readiness(ready);
      return void send(status, JSON_TYPE, JSON.stringify(body));
    }
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    await refresh();
    send(200, register.contentType, await register.metrics());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return server;
}

const connections = new Gauge({
  name: "samespot_database_connections",
  help: "Connections of this process to the database, by pool and state (idle, busy)",
  labelNames: ["pool", "state"],
});

const most = new Gauge({
  name: "samespot_database_connections_max",
  help: "Most connections that a pool of this process opens",
  labelNames: ["pool"],
});

const waiting = new Gauge({
  name: "samespot_database_waiting",
  help: "Calls of this process that wait for a connection, by pool",
  labelNames: ["pool"],
});

export function readPools(): void {
  for (const gauge of [connections, most, waiting]) gauge.reset();
  for (const { name: pool, max, idle, busy, waiting: calls } of poolsInUse()) {
    connections.inc({ pool, state: "idle" }, idle);
    connections.inc({ pool, state: "busy" }, busy);
    most.inc({ pool }, max);
    waiting.inc({ pool }, calls);
  }
}

const refusals = new Counter({
  name: "samespot_refusals_total",
  help: "Requests and connections refused by this process, by kind",
  labelNames: ["kind"],
});

const logIns = new Counter({
  name: "samespot_log_ins_total",
  help: "Log-ins that ended in this process, by program (app, directory) and outcome",
  labelNames: ["program", "outcome"],
});

/**
 * - `in_flight`: too many requests at once
 * - `rate_limit`: an hourly limit of an application, a token or a network
 * - `attempts`: too many wrong passwords or client secrets
 * - `connections`: too many connections of one network
 * - `stopping`: arrived after the listener closed
 */
type Refusal = "in_flight" | "rate_limit" | "attempts" | "connections" | "stopping";

export const countRefusal = (kind: Refusal): void => refusals.inc({ kind });

/** `outcome` must be one of few words. */
export const countLogIn = (program: "app" | "directory", outcome: string): void => logIns.inc({ program, outcome });
