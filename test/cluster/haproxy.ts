import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, inject } from "vitest";

interface Route {
  port: number;
  to: number[];
}

/** Leads each host to all of its processes that are ready. */
export async function startHaproxy(hosts: Record<string, Route>): Promise<void> {
  const folder = mkdtempSync(path.join(inject("run").folder, "haproxy-"));
  chmodSync(folder, 0o755);
  const file = path.join(folder, "haproxy.cfg");
  writeFileSync(file, [COMMON, ...Object.entries(hosts).map(hostRoute)].join("\n"));
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const exited = once(child, "exit");
  afterAll(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  await after(1000);
  if (child.exitCode !== null) throw new Error(`haproxy ended:\n${output}`);
}

/**
 * Repeats nothing, so that a failure of one of our processes is seen. Sends no forwarded headers, since plain http is accepted
 * only from this machine itself.
 */
const COMMON = `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  retries 0`;

const hostRoute = ([name, { port, to }]: [string, Route]) => `listen ${name}
  bind 127.0.0.1:${port}
  option httpchk GET /readyz
${to.map((each, at) => `  server s${at} 127.0.0.1:${each} check inter 500ms fall 3 rise 1`).join("\n")}
`;
