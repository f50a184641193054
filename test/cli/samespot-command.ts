import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const CLI = path.resolve(import.meta.dirname, "../../src/cli.ts");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `samespot` in a process of its own with nothing of this environment but PATH. */
export function spawnCommand(env: Record<string, string>, args: string[], { input = "", file = CLI } = {}) {
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env.PATH, ...env } });
  child.stdin.on("error", () => {}).end(input);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  const ended = once(child, "close").then(([code]): Ended => ({ code, ...output }));
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}
