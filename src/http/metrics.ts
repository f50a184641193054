import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { ALIVE, readiness } from "./health.ts";

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
