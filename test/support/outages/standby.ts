import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { afterAll } from "vitest";
import {
  type Cluster,
  clusterUrl,
  connect,
  ensureRunning,
  openCluster,
  stopServer,
} from "../../../src/db/embedded/cluster.ts";

import { dataFolder } from "../samespot.ts";

const DATABASE = "samespot";
const FAST = { fsync: "off", wal_keep_size: "512MB", shared_buffers: "64MB" };

export interface Server {
  url: string;
  /** As superuser, in the database. */
  admin: () => Promise<pg.Client>;
  stop(): Promise<void>;
  /** Ends it without a word to its clients and replicas. */
  kill(): void;
  start(): Promise<void>;
}

/** Starts a PostgreSQL with an empty database, and makes streaming replicas of it. They end after the file's last test. */
export async function startPrimary(): Promise<Server & { replicate(): Promise<Server> }> {
  const home = dataFolder();
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const cluster = await openCluster(home, FAST);
  const server = await startServer(cluster);
  const root = await connect(cluster, server.port, "postgres", "test");
  await root.query(`CREATE DATABASE ${DATABASE}`);
  await root.end();
  return { ...server, replicate: () => replicate(home, cluster, server) };
}

async function startServer(cluster: Cluster): Promise<Server & { port: number }> {
  const { port } = await ensureRunning(cluster);
  const stop = () => stopServer(cluster);
  afterAll(stop);
  return {
    ...{ port, stop, url: clusterUrl(cluster, port, DATABASE) },
    admin: () => connect(cluster, port, DATABASE, "test"),
    kill() {
      const [pid] = readFileSync(path.join(cluster.data, "postmaster.pid"), "utf8").split("\n");
      process.kill(Number(pid), "SIGQUIT");
    },
    start: async () => void (await ensureRunning(cluster, port)),
  };
}

/** As pg_basebackup does it, which the package lacks. */
async function replicate(home: string, primary: Cluster, { port, admin }: { port: number; admin: Server["admin"] }) {
  const copy = dataFolder();
  const data = path.join(copy, "pg");
  mkdirSync(copy, { recursive: true, mode: 0o755 });
  const client = await admin();
  await client.query("SELECT pg_backup_start('replica', true)");
  const inLog = path.join(primary.data, "pg_wal");
  const isCopied = (file: string) => path.dirname(file) !== inLog && !/postmaster\.(pid|opts)$/.test(file);
  await cp(primary.data, data, { recursive: true, filter: isCopied });
  const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
  await client.end();
  writeFileSync(path.join(data, "backup_label"), rows[0].labelfile);
  writeFileSync(path.join(data, "standby.signal"), "");
  for (const folder of ["archive_status", "summaries"])
    mkdirSync(path.join(data, "pg_wal", folder), { recursive: true });
  const about = `host=127.0.0.1 port=${port} user=postgres password=${primary.password}`;
  writeFileSync(path.join(data, "postgresql.auto.conf"), `primary_conninfo = '${about}'\n`);
  copyFileSync(path.join(home, "pg.secret"), path.join(copy, "pg.secret"));
  const { user } = primary;
  if (user) for (const file of allIn(data)) chownSync(file, user.uid, user.gid);
  chmodSync(data, 0o700);
  return startServer(await openCluster(copy, FAST));
}

const allIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    path.join(parentPath, name),
  ),
];
