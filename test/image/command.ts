import { spawnSync } from "node:child_process";

interface Options {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Returns the standard output without the last line end. Throws an Error with the end of all output on failure. */
export function run(command: string, args: string[], options: Options = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return stdout.trimEnd();
  const printed = `${stdout ?? ""}${stderr ?? ""}`.trimEnd().split("\n").slice(-20).join("\n");
  throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? `exit code ${status}`}\n${printed}`);
}

export const succeeds = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;
