import { spawnSync } from "node:child_process";

const LONGEST_MS = 30_000;

/** Runs a program and returns what it prints. Throws with that if it fails or does not end. */
export function outputOf(program: string, args: string[], env: Record<string, string> = {}): string {
  const options = { env: { ...process.env, ...env }, encoding: "utf8", timeout: LONGEST_MS } as const;
  const { status, signal, stdout, stderr } = spawnSync(program, args, options);
  if (status === 0) return stdout + stderr;
  throw new Error(`${program} ${args.join(" ")} ended with ${status ?? signal}:\n${stdout}${stderr}`);
}
