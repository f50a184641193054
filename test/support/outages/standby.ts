import { mkdirSync, readFileSync } from "node:fs";
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
import { replicate } from "./replicate.ts";

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
  return { ...server, replicate: async () => startServer(await replicate(home, dataFolder(), FAST)) };
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
