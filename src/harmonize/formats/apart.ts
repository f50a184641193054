import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Encoding } from "../../shared/csv/text.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Kind } from "../run/rows.ts";
import { tooMuch } from "./base/limits.ts";
import { unusableFile } from "./base/refusal.ts";
import type { Table } from "./base/rows.ts";
import { type Source, slice } from "./base/source.ts";

export interface Work {
  kind: Kind;
  size: number;
  encoding: Encoding;
  /** The one to read; the first with a table if undefined. */
  sheet: string | undefined;
  mostColumns: number;
}

/** What the thread sends. It waits for an answer to `read`, and for any message after `rows`. */
export type Sent =
  | { is: "read"; start: number; end: number }
  | { is: "rows"; bytes: Uint8Array }
  | { is: "end"; format: Table["format"] }
  | { is: "refused"; status: number; message: string };

/** MB. A file that needs more ends the thread, not the process (attacks F33). */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
const SILENCE_MS = 60_000;

/**
 * Reads a file that is no delimited text in a thread, so that whatever it holds neither blocks nor ends the process.
 * Yields its rows as they are stored, and returns how they were read.
 * @throws KnownError 400 if it cannot be read, 413 if it is too large
 */
export async function* readApart(source: Source, work: Omit<Work, "size">): AsyncGenerator<Buffer, Table["format"]> {
  const workerData: Work = { ...work, size: source.size };
  const thread = new Worker(new URL("./thread.ts", import.meta.url), { workerData, resourceLimits: HEAP });
  try {
    for (;;) {
      const sent = await next(thread);
      if (sent.is === "refused") throw unusableFile(sent.message, sent.status);
      if (sent.is === "end") return sent.format;
      if (sent.is === "rows") yield Buffer.from(sent.bytes);
      thread.postMessage(sent.is === "read" ? await slice(source, sent.start, sent.end) : null);
    }
  } finally {
    await thread.terminate();
  }
}

async function next(thread: Worker): Promise<Sent> {
  try {
    const [sent] = await once(thread, "message", { signal: AbortSignal.timeout(SILENCE_MS) });
    return sent;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ERR_WORKER_OUT_OF_MEMORY") throw tooMuch("This file needs too much memory to be read.");
    if (code === "ABORT_ERR") throw tooMuch("Reading this file takes too long.");
    throw error instanceof KnownError ? error : new Error("Reading a file failed.", { cause: error });
  }
}
