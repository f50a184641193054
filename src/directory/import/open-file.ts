import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { badRequest } from "./bad-request.ts";

/**
 * Opens a file for reading, unzipped where it is gzip by its first bytes, whatever its name. `share` tells how much of
 * it has been read, 0 to 1.
 *
 * @throws KnownError when there is no such file
 */
export async function openFile(file: string): Promise<{ bytes: Readable; share: () => number }> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile()) throw badRequest(`There is no file ${file} that can be read.`);
  const isZipped = await isGzip(file);
  const raw = createReadStream(file);
  const bytes = isZipped ? pipeline(raw, createGunzip(), () => {}) : raw; // errors come to who reads `bytes`
  return { bytes, share: () => raw.bytesRead / Math.max(info.size, 1) };
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
