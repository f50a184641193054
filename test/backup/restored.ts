import { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { openBackup } from "../../src/backup/backup-file.ts";
import { dump } from "../../src/backup/dump.ts";
import { restore } from "../../src/backup/restore.ts";
import { connect } from "../../src/db/connections.ts";
import { testDatabase } from "../support/database/database.ts";

export const KEY = "Xw2kT0v3mQ9pLr8yBn5cHs7dJf4gZa1eUi6o";

/** Returns the bytes of a backup. Awaits `onFirst` before it takes more than the first bytes. */
export async function backUp(url: string, passphrase?: string, onFirst = async () => {}): Promise<Buffer> {
  const client = await connect({ connectionString: url });
  const parts: Buffer[] = [];
  const sink = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      const turn = parts.length === 0 ? onFirst() : Promise.resolve();
      parts.push(chunk);
      turn.then(() => done(), done);
    },
  });
  await dump(client, sink, { version: "1.2.3", passphrase }).finally(() => client.end());
  return Buffer.concat(parts);
}

export const open = (bytes: Buffer, passphrase?: string) => openBackup(Readable.from(pieces(bytes)), { passphrase });

/** Like a pipe, cut anywhere. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007);
}

export async function restoreInto(url: string, bytes: Buffer, passphrase?: string) {
  const client = await connect({ connectionString: url });
  return restore(client, await open(bytes, passphrase)).finally(() => client.end());
}

/** An empty database for one test. */
export async function emptyDatabase() {
  const made = await testDatabase({ template: "none" });
  onTestFinished(made.drop);
  return made;
}
