import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import path from "node:path";
import { type Cluster, connect, ensureRunning, openCluster } from "../../../src/db/embedded/cluster.ts";

/**
 * Returns a streaming replica of the server with its data in `home`, which it starts if needed; the replica is not running yet.
 * Does what pg_basebackup does, which the package lacks.
 * @param copy a folder that does not exist yet
 */
export async function replicate(home: string, copy: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const primary = await openCluster(home, settings);
  const { port } = await ensureRunning(primary);
  const data = path.join(copy, "pg");
  mkdirSync(copy, { recursive: true, mode: 0o755 });
  const client = await connect(primary, port, "postgres", "test");
  await client.query("SELECT pg_backup_start('replica', true)");
  const inLog = path.join(primary.data, "pg_wal");
  const isCopied = (file: string) => path.dirname(file) !== inLog && !/postmaster\.(pid|opts)$/.test(file);
  await cp(primary.data, data, { recursive: true, filter: isCopied });
  const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
  await client.end();
  writeFileSync(path.join(data, "backup_label"), rows[0].labelfile);
  writeFileSync(path.join(data, "standby.signal"), "");
  for (const folder of ["archive_status", "summaries"])
    mkdirSync(path.join(data, "pg_wal", folder), { recursive: true });
  const about = `host=127.0.0.1 port=${port} user=postgres password=${primary.password}`;
  writeFileSync(path.join(data, "postgresql.auto.conf"), `primary_conninfo = '${about}'\n`);
  copyFileSync(path.join(home, "pg.secret"), path.join(copy, "pg.secret"));
  const { user } = primary;
  if (user) for (const file of allIn(data)) chownSync(file, user.uid, user.gid);
  chmodSync(data, 0o700);
  return openCluster(copy, settings);
}

const allIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    path.join(parentPath, name),
  ),
];
