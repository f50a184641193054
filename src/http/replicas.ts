import { Counter, Gauge } from "prom-client";
import type { Replicas } from "../db/replicas.ts";

const lag = new Gauge({
  name: "samespot_replica_lag_seconds",
  help: "How far each replica of READ_DATABASE_URL is behind; NaN if it does not answer",
  labelNames: ["replica"],
});
const asked = new Gauge({
  name: "samespot_replica_asked",
  help: "1 if readers are sent to the replica, 0 if it does not answer or is too far behind",
  labelNames: ["replica"],
});
const reads = new Counter({
  name: "samespot_replica_reads_total",
  help: "Statements sent to each replica, by outcome: answered, or failed and asked of the primary; none: sent to the primary",
  labelNames: ["replica", "outcome"],
});

export function measureReplicas({ status, readsOfPrimary }: Replicas): void {
  reads.reset();
  reads.inc({ replica: "none", outcome: "answered" }, readsOfPrimary());
  for (const { name: replica, lagSeconds, isAsked, reads: answered, failed } of status()) {
    lag.set({ replica }, lagSeconds ?? Number.NaN);
    asked.set({ replica }, Number(isAsked));
    reads.inc({ replica, outcome: "answered" }, answered);
    reads.inc({ replica, outcome: "failed" }, failed);
  }
}

/** For /readyz: information, never a reason not to be ready. */
export const aboutReplicas = ({ isConfigured, status }: Replicas) =>
  isConfigured ? { replicas: status().map(({ name, lagSeconds, isAsked }) => ({ name, lagSeconds, isAsked })) } : {};
