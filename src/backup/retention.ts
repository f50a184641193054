import { createReadStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { createByteReader } from "./byte-reader.ts";
import { type Header, readHeader, refusal } from "./header.ts";

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
      throw refusal(`The backup ${file} is whole, but an older one cannot be deleted (${message}).`);
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
