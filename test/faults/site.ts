import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { readConfig } from "../../src/config.ts";
import { randomToken } from "../../src/crypto.ts";
import { openDatabase } from "../../src/db/database.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { createLogger } from "../../src/http/logger.ts";
import { createWeb } from "../../src/web/create-web.ts";
import { throughDirectory } from "../attacks/running-apps.ts";
import { createHttpClient } from "../support/http-client.ts";
import { collectLogs } from "../support/logs.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

const PROJECT = path.resolve(import.meta.dirname, "../..");

/** What can be killed. */
export const PARTS = ["worker 1", "worker 2", "directory", "app", "database"] as const;
export type Part = (typeof PARTS)[number];

/**
 * Samespot as it runs in earnest: app, directory and two workers, each in a process of its own, on a PostgreSQL that may be
 * killed as well. Somebody has logged in. What is killed is started again at once.
 */
export async function startSite() {
  const folder = dataFolder();
  mkdirSync(folder);
  const embedded = await startEmbedded({ dir: folder, settings: { fsync: "off" } });
  const addresses = await freeAddresses();
  const env = {
    ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, LOG_LEVEL: "warn" },
    ...{ ...addresses, DATABASE_URL: embedded.url, DATA_DIR: path.join(folder, "data") },
    ...{ SAMPLE_DATA: "on", RATE_LIMIT: "off", SESSION_SECRETS: randomToken(), ENCRYPTION_KEYS: randomToken() },
  };
  let output = "";
  const running = new Map<Part, ChildProcess>();
  /** Workers that have said so. */
  const working = new WeakSet<ChildProcess>();
  let isOver = false;
  const start = (part: Part, exitAt?: string) => {
    const isWorker = part.startsWith("worker");
    const child = spawn(process.execPath, [isWorker ? "test/faults/worker-child.ts" : "src/main.ts"], {
      cwd: PROJECT,
      env: { ...env, ROLES: isWorker ? "worker" : part, ...(exitAt && { EXIT_AT: exitAt }) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-20_000);
        if (text.includes("works")) working.add(child);
      });
    running.set(part, child);
    child.once("exit", () => !isOver && running.get(part) === child && start(part));
    return child;
  };
  start("directory");
  await answers(`${addresses.BASE_URL}/readyz`);
  for (const part of ["app", "worker 1", "worker 2"] as const) start(part);
  await answers(`${addresses.APP_URL}/readyz`);
  const [, password = ""] = /Demo account: demo \/ (\S+)/.exec(output) ?? [];
  const browser = createHttpClient(addresses.APP_URL);
  const at = createHttpClient(addresses.AUTH_URL);
  await browser.get(await throughDirectory(at, (await browser.get("/login")).location, { handle: "demo", password }));

  const database = openDatabase(embedded.url);
  const log = createLogger({ level: "silent", destination: collectLogs() });
  const config = readConfig({ ...env, ROLES: "app" });
  const web = createWeb({ config, database, url: embedded.url, log });
  const account = await database.prisma.account.findFirstOrThrow();
  return {
    ...{ database, deps: web.harmonizer, accountId: account.id },
    /** The end of what they have printed. */
    output: () => output,
    /** With `exitAt` a worker is started again as one that ends at that point. Resolves once the part is there again. */
    async kill(part: Part, exitAt?: string | undefined): Promise<void> {
      if (part === "database") {
        killServer(folder);
        return until(() => database.pool.query("SELECT 1"));
      }
      const child = running.get(part);
      const next = start(part, exitAt);
      child?.kill("SIGKILL");
      if (part === "app") return answers(`${addresses.APP_URL}/readyz`);
      if (part === "directory") return answers(`${addresses.BASE_URL}/readyz`);
      return until(async () => working.has(next) || next.exitCode !== null || next.signalCode !== null);
    },
    /** Stands still for so long, and then goes on as if nothing had happened. */
    freeze(part: Part, seconds: number): void {
      const child = running.get(part);
      child?.kill("SIGSTOP");
      setTimeout(() => child?.kill("SIGCONT"), seconds * 1000).unref();
    },
    async close(): Promise<void> {
      isOver = true;
      const ends = [...running.values()].map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit"));
      for (const child of running.values()) child.kill("SIGKILL");
      await Promise.all(ends);
      await web.close();
      await database.close();
      await embedded.stop();
    },
  };
}

export type Site = Awaited<ReturnType<typeof startSite>>;

function killServer(folder: string): void {
  try {
    const [pid = ""] = readFileSync(path.join(folder, "pg", "postmaster.pid"), "utf8").split("\n");
    if (Number(pid) > 1) process.kill(Number(pid), "SIGKILL");
  } catch {
    // it is starting again from the last time
  }
}

const answers = (url: string) => until(async () => (await fetch(url)).ok);

async function until(isThere: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    if (await isThere().catch(() => false)) return;
    await after(100);
  }
  throw new Error("A part did not come back within a minute.");
}
