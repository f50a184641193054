import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { connect as open } from "../connections.ts";
import { EMBEDDED_SETTINGS } from "../server-settings.ts";
import { type Binaries, findBinaries, run } from "./binaries.ts";
import { disownPid, freePort, lastPort, pidFile, serverLives } from "./files.ts";
import { clusterHome, OUTSIDE } from "./outside.ts";
import { requireEntry, type ServerUser, serverUser } from "./user.ts";

export interface Cluster {
  data: string;
  binaries: Binaries;
  user: ServerUser | undefined;
  password: string;
  settings: Record<string, string>;
}

const SETTINGS = {
  ...EMBEDDED_SETTINGS,
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
};

const LOCALE: Partial<Record<NodeJS.Platform, string>> = { darwin: "en_US.UTF-8", win32: "en-US" };

/** Opens the cluster in `dir`, and creates it first if there is none. Throws if it cannot be used here. */
export async function openCluster(
  dir: string,
  settings: Record<string, string>,
  outside: string[] = OUTSIDE,
): Promise<Cluster> {
  const home = clusterHome(dir, outside);
  const data = path.join(home, "pg");
  const user = serverUser(data);
  requireEntry(home, user);
  const binaries = await findBinaries(user, outside);
  const secretFile = path.join(home, "pg.secret");
  if (existsSync(data)) requireFit(data, binaries);
  else await createCluster(home, data, secretFile, binaries, user);
  const password = readFileSync(secretFile, "utf8").trim();
  return { data, binaries, user, password, settings: { ...SETTINGS, ...settings } };
}

function requireFit(data: string, binaries: Binaries): void {
  const owner = statSync(data).uid;
  const me = process.getuid?.();
  if (me && owner !== me) {
    throw new Error(`${data} belongs to user id ${owner}: start as that user, or choose another DATA_DIR.`);
  }
  const major = Number(readFileSync(path.join(data, "PG_VERSION"), "utf8"));
  if (major === binaries.major) return;
  throw new Error(
    `${data} was made by PostgreSQL ${major}, but this release carries PostgreSQL ${binaries.major}. ` +
      `Go back to the release that made it, or choose another DATA_DIR to start empty.`,
  );
}

async function createCluster(
  home: string,
  data: string,
  secretFile: string,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  // Renamed when complete, so that a killed first start leaves nothing that looks finished.
  const fresh = path.join(home, "pg.new");
  rmSync(fresh, { recursive: true, force: true });
  rmSync(secretFile, { force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(secretFile, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
  if (user) for (const file of [fresh, secretFile]) chownSync(file, user.uid, user.gid);
  const locale = LOCALE[process.platform] ?? "C.UTF-8";
  const args = [`--pgdata=${fresh}`, "--username=postgres", `--pwfile=${secretFile}`, "--auth=scram-sha-256"];
  args.push("--encoding=UTF8", `--locale=${locale}`, "--lc-messages=C");
  args.push("--locale-provider=builtin", "--builtin-locale=C.UTF-8"); // sorts the same on every platform
  await run(binaries.initdb, args, user);
  renameSync(fresh, data);
}

/** Finds the running server (`adopted`) or starts it. Uses exactly `port` if given; otherwise prefers the last one. */
export async function ensureRunning(cluster: Cluster, port?: number): Promise<{ port: number; adopted: boolean }> {
  const deadline = Date.now() + 60_000;
  // The server may be starting, recovering from a crash, or stopping.
  while (serverLives(cluster.data)) {
    const current = pidFile(cluster.data).port;
    if (current && (await answers(cluster, current))) return { port: current, adopted: true };
    if (Date.now() > deadline) {
      const { pid } = pidFile(cluster.data);
      throw new Error(`PostgreSQL runs in ${cluster.data} (process ${pid}) but has not answered for 60 s.`);
    }
    await sleep(100);
  }
  disownPid(cluster.data);
  const chosen = port ?? (await freePort(lastPort(cluster.data)));
  await start(cluster, chosen);
  return { port: chosen, adopted: false };
}

async function start({ data, binaries, user, settings }: Cluster, port: number): Promise<void> {
  const log = path.join(data, "server.log");
  const options = Object.entries({ ...settings, port }).map(([name, value]) => `-c ${name}=${value || "''"}`);
  // pg_ctl starts the server in its own session, so Ctrl-C does not reach it.
  const args = ["start", "-w", "-t", "300", "-D", data, "-l", log, "-o", options.join(" ")];
  for (let attempt = 1; ; attempt++) {
    try {
      await run(binaries.pg_ctl, args, user);
      return;
    } catch {
      const reason = readFileSync(log, "utf8").trim().split("\n").slice(-4).join("\n");
      if (attempt < 20 && /still in use/.test(reason)) await sleep(250);
      else throw new Error(`The embedded PostgreSQL did not start. The end of ${log}:\n${reason}`);
    }
  }
}

export async function stopServer({ data, binaries, user }: Cluster): Promise<void> {
  if (serverLives(data)) await run(binaries.pg_ctl, ["stop", "-w", "-t", "60", "-m", "fast", "-D", data], user);
}

/** Connects as superuser. The caller ends the connection. */
export function connect(cluster: Cluster, port: number, database: string, name: string): Promise<pg.Client> {
  return open({
    connectionString: clusterUrl(cluster, port, database),
    application_name: name,
    connectionTimeoutMillis: 2000,
    query_timeout: 10_000,
  });
}

export const clusterUrl = (cluster: Cluster, port: number, database: string) =>
  `postgresql://postgres:${cluster.password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;

async function answers(cluster: Cluster, port: number): Promise<boolean> {
  try {
    await (await connect(cluster, port, "postgres", "samespot start")).end();
    return true;
  } catch {
    return false;
  }
}
