import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics, Histogram, register } from "prom-client";

const requests = new Histogram({
  name: "samespot_http_request_seconds",
  help: "Time to answer, by listener, route and status",
  labelNames: ["listener", "method", "route", "status"],
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
});

/** Counts and times every request of a listener. Routes are patterns, so that no address becomes a label. */
export function measureRequests(app: FastifyInstance, listener: string): void {
  app.addHook("onResponse", async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    requests.observe({ listener, method, route: routeOptions.url ?? "none", status: statusCode }, elapsedTime / 1000);
  });
}

/** Prometheus metrics of this process at http://host:port/metrics (METRICS_PORT). */
export async function serveMetrics({ host, port }: { host: string; port: number }): Promise<Server> {
  collectDefaultMetrics();
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": register.contentType }).end(await register.metrics());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return server;
}
