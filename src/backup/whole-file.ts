import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, type WriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { refusal } from "./header.ts";

/**
 * Writes a file that others see only once it is whole and on the disk. Only its owner may read it.
 *
 * @throws KnownError if the file exists, unless `replaces`
 */
export async function writeWhole<Result>(
  file: string,
  replaces: boolean,
  write: (sink: WriteStream) => Promise<Result>,
): Promise<Result> {
  const requireNew = () => {
    if (!replaces && existsSync(file))
      throw refusal(`${file} exists. Choose another name, or replace it with --force.`);
  };
  requireNew();
  const draft = `${file}.${randomBytes(4).toString("hex")}.partial`;
  try {
    const result = await write(createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }));
    requireNew();
    await rename(draft, file);
    await syncFolder(path.dirname(path.resolve(file)));
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Makes the new name outlast a power cut. Windows opens no folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().catch(() => {}); // some network file systems refuse
  await handle.close();
}
