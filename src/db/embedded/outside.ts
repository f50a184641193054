// Root's PostgreSQL runs as another user, who may not enter a project or data folder below /root (mode 0700).
// What that user needs then lies in a folder outside that is open to all.
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

/** The folders outside; the first that can be used is. */
export const OUTSIDE = ["/var/lib/samespot", path.join(tmpdir(), "samespot")];

/**
 * The folder that holds the cluster of the data folder `dir`: `dir` itself or, when that is closed to the server's
 * user, one outside. `dir`/pg.home leads there and its data-dir leads back. Callers hold the lock of `dir`.
 */
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

function linkedHome(dir: string): string | undefined {
  const forth = path.join(dir, "pg.home");
  if (!existsSync(forth)) return undefined;
  const home = realpathSync(forth);
  const back = path.join(home, "data-dir");
  if (!isSame(back, dir)) {
    // When the folder that data-dir names still leads here, `dir` is a copy of it, else `dir` is it, moved.
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

/**
 * Servers of clusters whose data folder was deleted and made anew. PostgreSQL itself ends when its own folder goes.
 * Their files stay: the data folder may as well have been moved, and another have taken its place.
 */
function stopLeftovers(base: string, dir: string): void {
  for (const home of readdirSync(base).map((name) => path.join(base, name))) {
    const data = path.join(home, "pg");
    if (isSame(path.join(home, "data-dir"), dir) && serverLives(data)) process.kill(pidFile(data).pid, "SIGINT");
  }
}

/** The package's folder or, when that is closed to `user`, a copy outside, which is made once per version. */
export async function openPackage(root: string, user: ServerUser | undefined, outside: string[]): Promise<string> {
  const base = user && closedFolder(path.join(root, "native", "bin"), user) && openFolder(outside, user);
  if (!base) return root;
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  const copy = path.join(base, `postgresql-${version}`);
  await withFileLock(path.join(base, "lock"), 120_000, async () => {
    if (existsSync(copy)) return;
    // Made beside and then renamed, so that a killed first start leaves nothing that looks finished.
    const fresh = `${copy}.new`;
    rmSync(fresh, { recursive: true, force: true });
    await cp(path.join(root, "native"), path.join(fresh, "native"), { recursive: true, verbatimSymlinks: true });
    await promisify(execFile)("chmod", ["-R", "u+w,go=rX", fresh]); // the umask may have closed it
    renameSync(fresh, copy);
  });
  return copy;
}

/** The first of the folders that can be made, is root's alone to write, and is open to `user`. */
function openFolder(folders: string[], user: ServerUser): string | undefined {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      const { uid, mode } = lstatSync(folder);
      if (uid !== 0 || mode & 0o022) continue; // in a temporary folder anybody can make it
      chmodSync(folder, 0o755); // fails where nothing can be written
      if (!closedFolder(folder, user)) return realpathSync(folder);
    } catch {
      // the next one
    }
  }
  return undefined;
}
