import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, inject } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/http/logger.ts";
import { startSamespot as start } from "../../src/main.ts";
import { randomId } from "../../src/shared/crypto.ts";
import { DEMO_PASSWORD, testDatabase } from "./database/database.ts";
import { freePort } from "./free-port.ts";
import { collectLogs } from "./logs.ts";
import { PRODUCTION } from "./production.ts";

type Env = Record<string, string>;

export interface Running {
  webUrl: string;
  authUrl: string;
  demo: { handle: string; password: string };
}

interface Options {
  /** "sample": the sample venues and the demo account; "empty": only the category tree. */
  template?: "sample" | "empty";
  /** Overrides the usual test settings. */
  env?: Env | ((url: string) => Promise<Env>);
}

/**
 * Samespot in this process, on free ports, with its own database and logs at level trace. Call it at the top of a test file; it
 * closes after the file's last test.
 */
export async function startSamespot({ template = "sample", env = {} }: Options = {}) {
  const { url, database } = await testDatabase({ template: template === "sample" ? "demo" : "categories" });
  const addresses = await freeAddresses();
  const logs = collectLogs();
  const settings = readConfig({
    ...PRODUCTION,
    ...addresses,
    DATABASE_URL: url,
    DATA_DIR: dataFolder(),
    SAMPLE_DATA: template === "sample" ? "on" : "off",
    LOG_LEVEL: "trace",
    ...(typeof env === "function" ? await env(url) : env),
  });
  const config = { ...settings, demoPassword: () => DEMO_PASSWORD };
  const log = createLogger({ level: config.logLevel, destination: logs });
  const samespot = await start(config, log);
  afterAll(samespot.close);
  const demo = { handle: samespot.demo?.handle ?? "", password: samespot.demo?.password ?? "" };
  const [webUrl, authUrl, apiUrl] = [addresses.APP_URL, addresses.AUTH_URL, addresses.BASE_URL];
  return { webUrl, authUrl, apiUrl, demo, logs, config, database, close: samespot.close };
}

const PROJECT = path.resolve(import.meta.dirname, "../..");
const READY_WITHIN_MS = 180_000;

/**
 * Starts `node src/main.ts` with an environment of only PATH and PRODUCTION, and waits for its ready lines. Throws an Error with its output if it
 * ends or is silent for a minute.
 */
export async function spawnSamespot({ env, dataDir }: { env: Env; dataDir: string }) {
  const begun = performance.now();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["src/main.ts"], {
    cwd: PROJECT,
    env: { PATH, NODE_COMPILE_CACHE, ...PRODUCTION, LOG_LEVEL: "trace", DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const exited = once(child, "exit").then(([code, signal]: (number | string | null)[]) => {
    process.off("exit", end);
    return { code, signal };
  });

  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const expected = readyLines(env);
  const ready = () => expected.every((line) => line.test(output));
  while (!ready()) {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (isOver || performance.now() - begun > READY_WITHIN_MS) {
      end();
      throw new Error(`Samespot was not ready in time:\n${output}`);
    }
    await sleep(20);
  }
  const [, handle = "", password = ""] = DEMO_LINE.exec(output) ?? [];
  return {
    pid: child.pid,
    /** All output so far, with logs. */
    output: () => output,
    readyAfterMs: performance.now() - begun,
    demo: { handle, password },
    exited,
    /** Sends the signal and waits for the end. */
    kill(signal: NodeJS.Signals) {
      child.kill(signal);
      return exited;
    },
  };
}

const OPEN_LINE = /^Open http:\/\/localhost:\d+$/m;
const DEMO_LINE = /^Demo account: (\S+) \/ (\S+)$/m;

function readyLines({ ROLES: roles = "app,directory", SAMPLE_DATA: sample, DATABASE_URL: url }: Env): RegExp[] {
  const hasDemo = roles.includes("directory") && (sample ?? (url ? "off" : "on")) === "on";
  return [roles.includes("app") && OPEN_LINE, hasDemo && DEMO_LINE].filter((line) => line !== false);
}

/** Returns three free addresses as settings. */
export async function freeAddresses() {
  const [app, auth, api] = [await freePort(), await freePort(), await freePort()];
  const address = (port: number) => `http://localhost:${port}`;
  return { APP_URL: address(app), AUTH_URL: address(auth), BASE_URL: address(api) };
}

/** Returns the path of a new folder. The end of the test run deletes it and stops a PostgreSQL in it. */
export const dataFolder = (): string => path.join(inject("run").folder, `data-${randomId()}`);
