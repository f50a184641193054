import { spawnSync } from "node:child_process";

/** Runs a program and returns what it prints. Throws with that if it fails. */
export function outputOf(program: string, args: string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  if (status === 0) return stdout + stderr;
  throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
}
