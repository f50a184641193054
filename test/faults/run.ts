// `npm run faults [-- --rounds 300] [--postgres-kills 100] [--seed 7]`: runs kill-rounds.test.ts with that many rounds, or only
// its kills of PostgreSQL. Prints the rounds, the faults in the results, and what was killed, frozen or cut off how often. Exits
// with 1 if any result is wrong or any process ended by itself.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { parseArgs } from "node:util";

const text = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: { rounds: text("300"), "postgres-kills": { type: "string" }, seed: text("1") },
});
const kills = values["postgres-kills"];
const only = kills === undefined ? [] : ["-t", "PostgreSQL ends"];
const ROOT = path.resolve(import.meta.dirname, "../..");
const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", "test/faults/kill-rounds.test.ts", ...only], {
  cwd: ROOT,
  env: { ...process.env, FAULT_ROUNDS: values.rounds, FAULT_SEED: values.seed, FAULT_POSTGRES_KILLS: kills },
  stdio: "inherit",
});
const [code] = await once(child, "exit");
process.exitCode = code ?? 1;
