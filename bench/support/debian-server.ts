import { execFile } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../src/db/embedded/files.ts";
import { serverUser } from "../../src/db/embedded/user.ts";
import { say } from "./report.ts";

const INSTALLED = "/usr/lib/postgresql";

export interface DebianServer {
  url: string;
  version: string;
  /** Runs a program of the same version, and returns the seconds. */
  run(program: string, args: string[]): Promise<number>;
}

/** Runs `work` with a server of Debian's newest installed PostgreSQL in `folder`; returns undefined if none is installed. */
export async function withDebianServer<Result>(
  folder: string,
  work: (server: DebianServer) => Promise<Result>,
): Promise<Result | undefined> {
  const version = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort().at(-1) : undefined;
  if (version === undefined || !existsSync(path.join(INSTALLED, version, "bin/initdb"))) {
    say("Debian's PostgreSQL is not installed: no comparison with pg_dump.");
    return undefined;
  }
  const data = path.join(folder, "debian");
  const user = serverUser(data);
  mkdirSync(data);
  if (user) chownSync(data, user.uid, user.gid);
  const call = (program: string, args: string[], options = {}) =>
    promisify(execFile)(path.join(INSTALLED, version, "bin", program), args, options);
  await call("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], {
    ...user,
    cwd: data,
  });
  const port = await freePort(0);
  const settings = `-p ${port} -k ${data} -c shared_buffers=1GB -c max_wal_size=2GB`; // as the embedded one
  const log = path.join(data, "log");
  await call("pg_ctl", ["start", "-w", "-D", data, "-l", log, "-o", settings], { ...user, cwd: data });
  try {
    return await work({
      url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
      version,
      async run(program, args) {
        const begun = performance.now();
        await call(program, args);
        return (performance.now() - begun) / 1000;
      },
    });
  } finally {
    await call("pg_ctl", ["stop", "-m", "fast", "-D", data], { ...user, cwd: data });
  }
}
