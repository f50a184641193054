import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const CLI = path.resolve(import.meta.dirname, "../../src/cli.ts");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `samespot` in its own process, with only PATH and compiled modules of this environment. */
export function spawnCommand(env: Record<string, string>, args: string[], { input = "", file = CLI } = {}) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [file, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
  child.stdin.on("error", () => {}).end(input);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  const ended = once(child, "close").then(([code]): Ended => ({ code, ...output }));
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}
