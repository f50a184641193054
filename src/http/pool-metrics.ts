import { Gauge } from "prom-client";
import { poolsInUse } from "../db/connections.ts";

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
