import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { KnownError } from "../../shared/errors.ts";
import type { Sent, Work } from "./apart.ts";
import type { Source } from "./base/source.ts";
import { openTable, storedBytes } from "./convert.ts";

const PIECE = 256 * 1024;

const send = (sent: Sent) => parentPort?.postMessage(sent);

async function ask(sent: Sent): Promise<Uint8Array> {
  const answer = once(parentPort as NonNullable<typeof parentPort>, "message");
  send(sent);
  const [bytes] = await answer;
  return bytes;
}

const { kind, size, ...how } = workerData as Work;

const source: Source = {
  size,
  async *bytes(start = 0, end = size) {
    for (let at = start; at < end; at += PIECE)
      yield Buffer.from(await ask({ is: "read", start: at, end: Math.min(at + PIECE, end) }));
  },
};

try {
  const { format, rows } = await openTable(kind, source, how);
  for await (const bytes of storedBytes(rows)) await ask({ is: "rows", bytes });
  send({ is: "end", format });
} catch (error) {
  if (!(error instanceof KnownError)) throw error;
  send({ is: "refused", status: error.status, message: error.message });
}
