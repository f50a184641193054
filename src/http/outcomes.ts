import { Counter } from "prom-client";

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
