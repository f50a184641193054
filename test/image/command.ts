import { spawnSync } from "node:child_process";

interface Options {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/**
 * What the command prints on standard output, without the last line end.
 *
 * @throws Error with the end of what it printed on both streams, when it fails
 */
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

/** Whether the command exits with 0. */
export const succeeds = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;
