import { createReadStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { Gauge } from "prom-client";
import { type Db, execute, queryRow } from "../db/sql.ts";
import { badRequest } from "../shared/errors.ts";
import { createByteReader, type Header, readHeader } from "./header.ts";

/** Up to version 2 without the milliseconds. */
const NAME = /^samespot-\d{8}T\d{6}(?:\.\d{3})?Z\.backup$/;

/** The name, in a folder, of a backup begun at this time. */
export function backupName(time: Date): string {
  return `samespot-${time.toISOString().replace(/[-:]/g, "")}.backup`;
}

export interface Kept {
  deleted: string[];
  /** Files with the name of a backup that do not begin as one of this installation, or not with this key. */
  left: string[];
}

/**
 * Deletes all but the `keep` newest backups in the folder of `file`, which has just been written and is one of them. Counts and
 * deletes only what is older by its header and has the name, the key and an encryption key of this one: links, folders, backups
 * of others, drafts, and files that a person named are left.
 */
export async function deleteOlder(
  file: string,
  { keep, header, passphrase }: { keep: number; header: Header; passphrase: string | undefined },
): Promise<Kept> {
  const folder = path.dirname(file);
  const entries = await readdir(folder, { withFileTypes: true });
  const named = entries.filter(
    (entry) => entry.isFile() && NAME.test(entry.name) && entry.name !== path.basename(file),
  );
  const left: string[] = [];
  const own: { name: string; madeAt: string }[] = [];
  for (const { name } of named) {
    const found = await beginningOf(path.join(folder, name), passphrase);
    if (found && isOfSameKeys(found, header)) own.push({ name, madeAt: found.madeAt });
    else left.push(name);
  }
  const older = own.filter(({ madeAt }) => Date.parse(madeAt) < Date.parse(header.madeAt));
  const newestFirst = older.sort((a, b) => Date.parse(b.madeAt) - Date.parse(a.madeAt));
  const surplus = newestFirst.slice(keep - 1).map(({ name }) => name);
  for (const name of surplus)
    await rm(path.join(folder, name)).catch(({ message }) => {
      throw badRequest(`The backup ${file} is whole, but an older one cannot be deleted (${message}).`);
    });
  return { deleted: surplus, left };
}

/** Undefined if it is no backup, cannot be read, or was not made with this key: anybody could have made that. */
async function beginningOf(file: string, passphrase: string | undefined): Promise<Header | undefined> {
  const source = createReadStream(file);
  try {
    return (await readHeader(createByteReader(source), { passphrase })).header;
  } catch {
    return undefined;
  } finally {
    source.destroy();
  }
}

/** Two installations may write to one folder without BACKUP_KEY. */
function isOfSameKeys({ keys: a }: Header, { keys: b }: Header): boolean {
  const [ids, others] = [a, b].map(({ app, directory }) => [...app, ...directory]) as [string[], string[]];
  return ids.length + others.length === 0 || ids.some((id) => others.includes(id));
}

/** The row of directory.setup_step with the time of the last backup. */
const STEP = "backup";

/** Has no effect where nothing can be written, as on a replica: the backup is good all the same. */
export async function noteBackup(db: Db, madeAt: string): Promise<void> {
  const noted = execute(db)`
    INSERT INTO directory.setup_step (name, done_at) VALUES (${STEP}, ${madeAt})
    ON CONFLICT (name) DO UPDATE SET done_at = EXCLUDED.done_at`;
  await noted.catch(() => {});
}

export async function lastBackup(db: Db): Promise<Date | undefined> {
  const row = await queryRow<{ doneAt: Date }>(db)`
    SELECT done_at AS "doneAt" FROM directory.setup_step WHERE name = ${STEP}`;
  return row?.doneAt;
}

const made = new Gauge({
  name: "samespot_last_backup_timestamp_seconds",
  help: "When the last good backup by samespot backup began (Unix time), 0 if there was none; of all processes together",
});

/** Reads the gauge. Without the database it is missing. */
export async function readLastBackup(db: Db): Promise<void> {
  made.remove();
  const time = await lastBackup(db).then(
    (at) => at?.getTime() ?? 0,
    () => undefined,
  );
  if (time !== undefined) made.set(time / 1000);
}
