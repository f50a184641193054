// `npm run openrefine`: tests the real OpenRefine with a directory of sample venues. As root on Debian installs it if needed;
// otherwise prints that it was skipped. Ends with "N passed, N failed", and with code 1 on failure.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { installDebian } from "../support/debian.ts";

const PROGRAM = "/usr/bin/openrefine";
const ROOT = path.resolve(import.meta.dirname, "../..");

const missing = existsSync(PROGRAM) ? undefined : installDebian("openrefine");
if (missing === undefined) await check();
else console.log(`skipped: OpenRefine was not tested, because ${missing}\n0 passed, 0 failed`);

async function check(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-openrefine-"));
  const report = path.join(folder, "report.json");
  const args = ["run", "--config", "test/openrefine/vitest.config.ts", "--reporter=default", "--reporter=json"];
  const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, ...args, `--outputFile.json=${report}`], {
    cwd: ROOT,
    env: { ...process.env, OPENREFINE: PROGRAM },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  const { passed, failed } = countsIn(report);
  rmSync(folder, { recursive: true, force: true });
  // A file that could not start counts as one failure.
  console.log(`${passed} passed, ${code === 0 ? 0 : Math.max(1, failed)} failed`);
  process.exitCode = code === 0 && passed > 0 ? 0 : 1;
}

function countsIn(report: string): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
  return { passed: numPassedTests, failed: numFailedTests };
}
