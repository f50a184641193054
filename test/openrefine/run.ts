// `npm run openrefine`: tests the real OpenRefine with a directory of sample venues. As root on Debian installs it if needed;
// otherwise prints that it was skipped. Ends with "N passed, N failed", and with code 1 on failure.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const PROGRAM = "/usr/bin/openrefine";
const ROOT = path.resolve(import.meta.dirname, "../..");

const missing = existsSync(PROGRAM) ? undefined : install();
if (missing === undefined) await check();
else console.log(`skipped: OpenRefine was not tested, because ${missing}\n0 passed, 0 failed`);

/** Returns why it cannot be installed, or undefined once it is. */
function install(): string | undefined {
  if (process.getuid?.() !== 0) return "it is not installed and only root can install it";
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-qq", "--no-install-recommends", "openrefine"],
  ]) {
    const { status, error } = spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"] });
    if (error) return "it needs apt-get to be installed";
    if (status !== 0) return `apt-get ${args[0]} failed`;
  }
  return undefined;
}

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
