// `npm run alerts`: checks and tests the alert rules with Prometheus' own promtool. As root on Debian installs it if needed;
// otherwise prints that it was skipped. Ends with "N passed, N failed", and with code 1 on failure.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { installDebian } from "../support/debian.ts";

const RULES = path.resolve(import.meta.dirname, "../../deploy/prometheus");
const CHECKS = [
  ["check", "rules", "samespot.rules.yml"],
  ["test", "rules", "samespot.rules.test.yml"],
];

const isInstalled = spawnSync("promtool", ["--version"], { stdio: "ignore" }).error === undefined;
const missing = isInstalled ? undefined : installDebian("prometheus");
if (missing === undefined) check();
else console.log(`skipped: the alert rules were not tested, because of promtool ${missing}\n0 passed, 0 failed`);

function check(): void {
  const run = (args: string[]) => spawnSync("promtool", args, { cwd: RULES, stdio: "inherit" }).status === 0;
  const passed = CHECKS.map(run).filter(Boolean).length;
  console.log(`${passed} passed, ${CHECKS.length - passed} failed`);
  process.exitCode = passed === CHECKS.length ? 0 : 1;
}
