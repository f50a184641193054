// When started by root, PostgreSQL runs as another user, who cannot enter folders below /root (mode 0700). What that user
// needs is then in a folder outside that is open to all.
import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { withFileLock } from "./file-lock.ts";
import { pidFile, serverLives } from "./files.ts";
import { closedFolder, type ServerUser, serverUser } from "./user.ts";

export const OUTSIDE = ["/var/lib/samespot", path.join(tmpdir(), "samespot")];

/** Returns the cluster's folder: `dir`, or one outside if the server's user cannot enter `dir`. Both then link to each other. */
export function clusterHome(dir: string, outside: string[]): string {
  if (existsSync(path.join(dir, "pg"))) return dir;
  const known = linkedHome(dir);
  if (known) return known;
  const user = serverUser(path.join(dir, "pg"));
  const base = user && closedFolder(dir, user) && openFolder(outside, user);
  if (!base) return dir;
  stopLeftovers(base, dir);
  const home = mkdtempSync(path.join(base, "cluster-"));
  chmodSync(home, 0o755);
  link(path.join(home, "data-dir"), dir);
  link(path.join(dir, "pg.home"), home);
  return home;
}

/** Returns the folder with the data, if there is a database, without changing anything. */
export function embeddedHome(dir: string): string {
  const forth = path.join(dir, "pg.home");
  return existsSync(path.join(dir, "pg")) || !existsSync(forth) ? dir : realpathSync(forth);
}

function linkedHome(dir: string): string | undefined {
  const forth = path.join(dir, "pg.home");
  if (!existsSync(forth)) return undefined;
  const home = realpathSync(forth);
  const back = path.join(home, "data-dir");
  if (!isSame(back, dir)) {
    // If the folder that data-dir names still links here, `dir` is a copy of it; otherwise `dir` was moved.
    if (isSame(path.join(back, "pg.home"), home)) return undefined;
    link(back, dir);
  }
  return home;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function link(file: string, target: string): void {
  rmSync(file, { force: true });
  symlinkSync(target, file);
}

/** Stops servers of deleted and recreated data folders. Their files stay, because the folder may have been moved instead. */
function stopLeftovers(base: string, dir: string): void {
  for (const home of readdirSync(base).map((name) => path.join(base, name))) {
    const data = path.join(home, "pg");
    if (isSame(path.join(home, "data-dir"), dir) && serverLives(data)) process.kill(pidFile(data).pid, "SIGINT");
  }
}

/** Returns the package's folder, or a copy outside if `user` cannot enter it. Each version is copied once. */
export async function openPackage(root: string, user: ServerUser | undefined, outside: string[]): Promise<string> {
  const base = user && closedFolder(path.join(root, "native", "bin"), user) && openFolder(outside, user);
  if (!base) return root;
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  const copy = path.join(base, `postgresql-${version}`);
  await withFileLock(path.join(base, "lock"), 120_000, async () => {
    if (existsSync(copy)) return;
    const fresh = `${copy}.new`;
    rmSync(fresh, { recursive: true, force: true });
    await cp(path.join(root, "native"), path.join(fresh, "native"), { recursive: true, verbatimSymlinks: true });
    await promisify(execFile)("chmod", ["-R", "u+w,go=rX", fresh]); // the umask may have closed it
    renameSync(fresh, copy);
  });
  return copy;
}

/** Returns the first folder that can be made, that only root can write to, and that `user` can enter. */
function openFolder(folders: string[], user: ServerUser): string | undefined {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = lstatSync(folder);
      if (uid !== 0 || mode & 0o022) continue; // in a temporary folder anybody could have made it
      chmodSync(folder, 0o755); // fails on a read-only file system
      if (!closedFolder(folder, user)) return realpathSync(folder);
    } catch {}
  }
  return undefined;
}
