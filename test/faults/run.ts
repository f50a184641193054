// `npm run faults [-- --rounds 300] [--postgres-kills 100] [--seed 7]`: runs kill-rounds.test.ts with that many rounds, or only
// its kills of PostgreSQL. Prints the rounds, the faults in the results, and what was killed, frozen or cut off how often. Exits
// with 1 if any result is wrong or any process ended by itself. `npm run faults -- --whole`: runs the other tests that `npm test`
// repeats less often (test/support/rounds.ts), with all their rounds.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const text = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: {
    ...{ rounds: text("300"), "postgres-kills": { type: "string" }, seed: text("1") },
    whole: { type: "boolean", default: false },
  },
});
const kills = values["postgres-kills"];
const only = kills === undefined ? [] : ["-t", "PostgreSQL ends"];
const ROOT = path.resolve(import.meta.dirname, "../..");
const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
const files = values.whole ? repeated() : ["test/faults/kill-rounds.faults.test.ts", ...only];
const rounds = { FAULT_ROUNDS: values.rounds, FAULT_SEED: values.seed, FAULT_POSTGRES_KILLS: kills };
const child = spawn(process.execPath, [vitest, "run", ...files], {
  cwd: ROOT,
  env: { ...process.env, ...(values.whole ? { WHOLE_ROUNDS: "1" } : rounds) },
  stdio: "inherit",
});
const [code] = await once(child, "exit");
process.exitCode = code ?? 1;

/** Returns the paths of the test files that use roundsOf(). */
function repeated(): string[] {
  const names = readdirSync(path.join(ROOT, "test"), { recursive: true, encoding: "utf8" });
  const tests = names.filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"));
  return tests
    .map((name) => path.join("test", name))
    .filter((file) => readFileSync(path.join(ROOT, file), "utf8").includes("support/rounds.ts"));
}
