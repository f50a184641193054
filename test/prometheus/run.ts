// `npm run alerts [-- --pictures FOLDER]`: checks and tests the alert rules with Prometheus' own promtool, and whether each panel of the dashboard has data
// while Prometheus scrapes a running Samespot. As root on Debian installs Prometheus if needed; otherwise prints that it was skipped.
// --pictures keeps pictures of Prometheus' graphs of all panels.
// Ends with "N passed, N failed", and with code 1 on failure.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { installDebian } from "../support/debian.ts";
import { testDashboard } from "./dashboard.ts";

const RULES = path.resolve(import.meta.dirname, "../../deploy/prometheus");
const CHECKS = [
  ["check", "rules", "samespot.rules.yml"],
  ["test", "rules", "samespot.rules.test.yml"],
];

const { pictures } = parseArgs({ options: { pictures: { type: "string" } } }).values;
const isInstalled = spawnSync("promtool", ["--version"], { stdio: "ignore" }).error === undefined;
const missing = isInstalled ? undefined : installDebian("prometheus");
if (missing === undefined) await check();
else console.log(`skipped: the alert rules were not tested, because of promtool ${missing}\n0 passed, 0 failed`);

async function check(): Promise<void> {
  const run = (args: string[]) => spawnSync("promtool", args, { cwd: RULES, stdio: "inherit" }).status === 0;
  const hasData = await testDashboard(pictures).then(
    () => true,
    (error: Error) => void console.log(`not ok the dashboard\n${error.message}`),
  );
  const results = [...CHECKS.map(run), hasData === true];
  const passed = results.filter(Boolean).length;
  console.log(`${passed} passed, ${results.length - passed} failed`);
  process.exitCode = passed === results.length ? 0 : 1;
}
