import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as after } from "node:timers/promises";
import { PRODUCTION } from "../../test/support/production.ts";
import type { Scratch } from "./scratch.ts";

const PROJECT = path.resolve(import.meta.dirname, "../..");
const PEAK_MEMORY = path.join(import.meta.dirname, "peak-memory.ts");
const READY_WITHIN_MS = 180_000;

/** Passes only PATH and what production needs, so that a developer's own settings are not measured. */
export const environment = ({ folder, url }: Scratch) => ({
  PATH: process.env.PATH,
  ...PRODUCTION,
  DATABASE_URL: url,
  DATA_DIR: path.join(folder, "data"),
});

/**
 * Runs a `samespot` command of the checkout in `folder` in its own process. Returns its result, the seconds and the peak megabytes;
 * throws if it fails.
 */
export async function samespot(scratch: Scratch, args: string[], input = "", folder = PROJECT) {
  const begun = performance.now();
  const child = spawn(process.execPath, ["--import", PEAK_MEMORY, "src/cli.ts", ...args, "--json"], {
    cwd: folder,
    env: environment(scratch),
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  child.stdin?.end(input);
  const [, , , peak] = child.stdio;
  if (!child.stdout || !peak || !("read" in peak)) throw new Error("The command has no streams.");
  const [answer, bytes, [code]] = await Promise.all([text(child.stdout), text(peak), once(child, "close")]);
  if (code !== 0) throw new Error(`samespot ${args[0]} ended with code ${code}.`);
  const seconds = (performance.now() - begun) / 1000;
  return { answer: JSON.parse(answer) as Record<string, unknown>, seconds, megabytes: Number(bytes) / 1024 ** 2 };
}

export interface Client {
  baseUrl: string;
  /** Parameters of every call. */
  credentials: Record<string, string>;
}

export async function addApplication(scratch: Scratch, owner: string): Promise<Client["credentials"]> {
  const args = ["application", "add", "--owner", owner, "--name", "Bench", "--redirect-uri", "http://localhost/back"];
  const { client_id, client_secret } = (await samespot(scratch, args)).answer;
  return { client_id: String(client_id), client_secret: String(client_secret), v: "20260101" };
}

let directories = 0;

/** Runs `work` with a directory in its own process, without rate limits, and an application's credentials. */
export async function withDirectory<Result>(
  scratch: Scratch,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const handle = `bench${++directories}`;
  await samespot(scratch, ["user", "add", "--handle", handle, "--password-stdin"], "a password of some length");
  const credentials = await addApplication(scratch, handle);
  const [AUTH_URL, BASE_URL] = [await freeAddress(), await freeAddress()];
  const env = { ROLES: "directory", AUTH_URL, BASE_URL, RATE_LIMIT: "off", SAMPLE_DATA: "off", LOG_LEVEL: "warn" };
  const child = start(["src/main.ts"], { ...environment(scratch), ...env });
  try {
    await ready(child, `${BASE_URL}/readyz`);
    return await work({ baseUrl: BASE_URL, credentials });
  } finally {
    await stop(child);
  }
}

/** Runs `work` with a Fastify that always returns the same: the limit of HTTP. */
export const withConstantServer = <Result>(work: (url: string) => Promise<Result>): Promise<Result> =>
  withServer("constant-server.ts", [], work);

/** Runs `work` with the search of typical tutorials, on a database that addTutorial() has prepared. */
export const withTutorialServer = <Result>({ url }: Scratch, work: (url: string) => Promise<Result>): Promise<Result> =>
  withServer("tutorial-server.ts", [url], work);

/** Starts a file of bench/support with the port and `args` as arguments. */
async function withServer<Result>(
  file: string,
  args: string[],
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const url = await freeAddress();
  const child = start([`bench/support/${file}`, new URL(url).port, ...args], {
    PATH: process.env.PATH,
    NODE_ENV: PRODUCTION.NODE_ENV,
  });
  try {
    await ready(child, url);
    return await work(url);
  } finally {
    await stop(child);
  }
}

export function start(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, { cwd: PROJECT, env, stdio: ["ignore", "ignore", "inherit"] });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

export async function ready(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await after(50);
  }
  throw new Error(`No server responds at ${url}.`);
}

export async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await once(server.close(), "close");
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
