// `npm run cluster`: two processes of each part behind haproxy, with PgBouncer and a streaming replica, while each is restarted
// twice and the primary fails over. Prints what failed, was lost or doubled. As root on Debian installs the two programs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { installDebian } from "../support/debian.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAMS = { haproxy: "/usr/sbin/haproxy", pgbouncer: "/usr/sbin/pgbouncer" };

for (const [name, program] of Object.entries(PROGRAMS)) {
  const missing = existsSync(program) ? undefined : installDebian(name);
  if (missing === undefined) continue;
  console.log(`skipped: the cluster was not tested, because of ${name} ${missing}`);
  process.exit(1);
}
const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
const args = [vitest, "run", "--config", "test/cluster/vitest.config.ts"];
const [code] = await once(spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" }), "exit");
process.exitCode = code ?? 1;
