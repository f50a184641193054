import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { withFileLock } from "../../src/db/embedded/file-lock.ts";

const FIVE_MINUTES = 300_000;
/** Makes an unreachable registry cost seconds instead of minutes. */
const NPM_CI =
  "ci --loglevel=error --prefer-offline --no-update-notifier --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=10000";

/**
 * Installs the clients of package.json unless they match package-lock.json; concurrent test runs wait for one installation.
 * Returns why they could not be installed and what to do, or undefined.
 */
export async function installClients(folder: string): Promise<string | undefined> {
  const lock = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  // Written last, so a killed installation does not count: npm first removes the folder.
  const receipt = path.join(folder, "node_modules", ".installed-lock.json");
  const isInstalled = () => existsSync(receipt) && readFileSync(receipt, "utf8") === lock;
  if (isInstalled()) return undefined;
  return withFileLock(path.join(folder, ".install.lock"), FIVE_MINUTES, async () => {
    if (isInstalled()) return undefined;
    const problem = await npmCi(folder);
    if (problem === undefined) writeFileSync(receipt, lock);
    return problem;
  });
}

async function npmCi(folder: string): Promise<string | undefined> {
  const npm = spawn("npm", NPM_CI.split(" "), { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const [output, [code]] = await Promise.all([text(npm.stderr), once(npm, "close")]);
  if (code === 0) return undefined;
  return `npm could not install the packages of test/clients. Run "npm ci --prefix test/clients" where it reaches its registry.\n${output}`;
}
