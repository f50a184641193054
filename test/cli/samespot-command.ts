import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { PRODUCTION } from "../support/production.ts";

const CLI = path.resolve(import.meta.dirname, "../../src/cli.ts");
const HOST = path.join(import.meta.dirname, "command-child.ts");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Order {
  env: Record<string, string>;
  args: string[];
  input: string;
}

interface Way {
  input?: string;
  file?: string;
  /** Of the user and their group, if not this one's. */
  uid?: number;
}

/** Runs `samespot` in its own process, with only PATH and compiled modules of this environment, and PRODUCTION. */
export function spawnCommand(env: Record<string, string>, args: string[], { input = "", file = CLI, uid }: Way = {}) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...PRODUCTION, ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  child.stdin.on("error", () => {}).end(input);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  const ended = once(child, "close").then(([code]): Ended => ({ code, ...output }));
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

/** By the authorities that they trust, which Node reads as a process starts. */
const hosts = new Map<string, ReturnType<typeof startHost>>();
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `samespot` like spawnCommand(), but in a process that all commands of this worker share, one after another, and with
 * cheap passwords. For commands whose own process is not the subject.
 */
export function runCommand(env: Record<string, string>, args: string[], { input = "" } = {}): Promise<Ended> {
  const { NODE_EXTRA_CA_CERTS: authorities = "" } = env;
  const host = hosts.get(authorities) ?? startHost(authorities);
  hosts.set(authorities, host);
  const { child, over } = host;
  const { PATH = "" } = process.env;
  const ended = last.then(async () => {
    const answer = Promise.race([once(child, "message"), over]);
    child.send({ env: { PATH, ...PRODUCTION, ...env }, args, input } satisfies Order);
    return (await answer)[0] as Ended;
  });
  last = ended.catch(() => {});
  return ended;
}

function startHost(authorities: string) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...PRODUCTION, NODE_EXTRA_CA_CERTS: authorities };
  const child = fork(HOST, { env, execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
  child.unref();
  child.channel?.unref();
  const over = once(child, "exit").then((): never => {
    hosts.delete(authorities);
    throw new Error("The process of the commands has ended.");
  });
  over.catch(() => {});
  return { child, over };
}
