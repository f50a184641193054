import { Readable } from "node:stream";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from "yauzl";
import { checkRatio, MOST_ENTRIES, tooMuch } from "./limits.ts";
import { unusableFile } from "./refusal.ts";
import type { Source } from "./source.ts";

export interface Zip {
  entries: Map<string, Entry>;
  /** Throws KnownError 400 if there is no such entry, or it is damaged or encrypted. */
  open(name: string): AsyncIterable<Buffer>;
}

/** Reads the directory of a zip file. Throws KnownError 400 if it is damaged, 413 if it has too many entries. */
export async function openZip(source: Source): Promise<Zip> {
  const file = await unlessDamaged(() =>
    fromRandomAccessReaderPromise(readerOf(source), source.size, { autoClose: false, lazyEntries: true }),
  );
  if (file.entryCount > MOST_ENTRIES)
    throw tooMuch(
      `This file holds ${file.entryCount.toLocaleString("en")} files or sheets; the limit is ${MOST_ENTRIES}.`,
    );
  const entries = new Map<string, Entry>();
  await unlessDamaged(async () => {
    for await (const entry of file.eachEntry()) entries.set(entry.fileName, entry);
  });
  return { entries, open: (name) => readEntry(file, entries.get(name)) };
}

async function* readEntry(file: ZipFile, entry: Entry | undefined): AsyncGenerator<Buffer> {
  if (!entry) throw damaged();
  if (entry.isEncrypted())
    throw unusableFile("This file is protected by a password. Remove it, then upload the file again.");
  checkRatio(entry.uncompressedSize, entry.compressedSize);
  const stream = await unlessDamaged(() => file.openReadStreamPromise(entry));
  try {
    yield* stream;
  } catch {
    throw damaged();
  } finally {
    stream.destroy();
  }
}

function readerOf(source: Source): RandomAccessReader {
  return new (class extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number) {
      return Readable.from(source.bytes(start, end), { objectMode: false });
    }
  })();
}

async function unlessDamaged<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch {
    throw damaged();
  }
}

const damaged = () =>
  unusableFile("This file is damaged or incomplete: it cannot be unpacked. Save it again, then upload it once more.");
