import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** The user that the server runs as, if not this process's. */
export interface ServerUser {
  uid: number;
  gid: number;
}

export const ELSEWHERE = "Or set DATABASE_URL to a PostgreSQL (15 or newer) of your own.";

/** PostgreSQL refuses to run as root: for root, returns the owner of existing data, otherwise `postgres` or `nobody`. */
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

export function requireEntry(folder: string, user: ServerUser | undefined): void {
  const closed = closedFolder(folder, user);
  if (!user || !closed) return;
  throw new Error(
    `The embedded PostgreSQL does not run as root but as user id ${user.uid}, which may not enter ${closed} ` +
      `(on the way to ${folder}). Move the program to a folder open to all, such as /opt, and DATA_DIR ` +
      `likewise; or start as a normal user; or run \`chmod o+x ${closed}\`. ${ELSEWHERE}`,
  );
}

/** Returns the innermost of `folder` and its parents that `user` may not enter. */
export function closedFolder(folder: string, user: ServerUser | undefined): string | undefined {
  if (!user) return undefined;
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if (!(mode & bit)) return at;
  }
  return undefined;
}
