import { type ChildProcess, fork } from "node:child_process";
import { type EventEmitter, on } from "node:events";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import type { Encoding } from "../../shared/csv/text.ts";
import { MEGABYTE, MOST_HEAP, MOST_YOUNG, OUT_OF_MEMORY, OUT_OF_TIME, tooMuch } from "./base/limits.ts";
import type { Answer, Asked } from "./base/questions.ts";
import { unusableFile } from "./base/refusal.ts";
import type { Table } from "./base/rows.ts";
import { type Source, slice } from "./base/source.ts";

/** `zip` may be a workbook. */
export type Packed = "zip" | "json" | "parquet" | "map";

export interface Work {
  kind: Packed;
  size: number;
  encoding: Encoding;
  /** The one to read; the first with a table if undefined. */
  sheet: string | undefined;
  mostColumns: number;
  mostRows: number;
}

/** What the reading process asks. It goes on after the answer: to `piece` when there is room for another. */
export type Question = { is: "work" } | { is: "read"; start: number; end: number } | { is: "piece"; bytes: Uint8Array };
export type Sent =
  | Asked<Question>
  | { is: "opened"; content: Content }
  | { is: "end"; format: Table["format"] }
  | { is: "refused"; status: number; message: string }
  | { is: "failed"; why: string };

/** Rows as they are stored, or the only file inside a zip file. */
export type Content = "rows" | "file";

export interface Opened {
  content: Content;
  /** Returns how rows were read. */
  bytes: AsyncGenerator<Buffer, Table["format"]>;
}

/** What the conversation needs of the process. */
export type Reader = EventEmitter &
  Pick<ChildProcess, "connected" | "exitCode" | "signalCode"> & {
    send(answer: Answer, sent: () => void): void;
    kill(signal: NodeJS.Signals): void;
  };

/** Tests that are not about the process replace it. */
export const readers: { start(): Reader } = { start: startReader };

/** Without a word of the process, whose work has a limit of its own: long, because a busy machine may not let it work. */
const SILENCE_MS = 300_000;

/**
 * Opens a file that is no delimited text in a process of its own, so that whatever it holds neither blocks nor ends this one.
 * The process ends with the bytes, or with the signal.
 * @throws KnownError 400 if it cannot be read, 413 if it is too large
 */
export async function openApart(source: Source, work: Omit<Work, "size">, signal: AbortSignal): Promise<Opened> {
  const told = conversation(source, { ...work, size: source.size }, signal);
  const { value: opened } = await told.next();
  return { content: opened as Content, bytes: told as Opened["bytes"] };
}

/** Yields what the content is, then its bytes. */
async function* conversation(
  source: Source,
  work: Work,
  signal: AbortSignal,
): AsyncGenerator<Content | Buffer, Table["format"]> {
  signal.throwIfAborted();
  const child = readers.start();
  const late = new AbortController();
  const silence = setTimeout(() => late.abort(tooLong()), SILENCE_MS);
  const either = AbortSignal.any([signal, late.signal]);
  // One that has just ended cannot be answered: how it ended says why.
  const answer = (number: number, given: unknown) => child.connected && child.send({ number, answer: given }, () => {});
  try {
    for await (const [sent] of on(child, "message", { close: ["exit"], signal: either }) as AsyncIterable<[Sent]>) {
      silence.refresh();
      if (sent.is === "refused") throw unusableFile(sent.message, sent.status);
      if (sent.is === "failed") throw new Error("Reading a file failed.", { cause: sent.why });
      if (sent.is === "end") return sent.format;
      if (sent.is === "opened") yield sent.content;
      else if (sent.is === "work") answer(sent.number, work);
      else if (sent.is === "read") answer(sent.number, await slice(source, sent.start, sent.end));
      else {
        yield Buffer.from(sent.bytes.buffer, sent.bytes.byteOffset, sent.bytes.length);
        answer(sent.number, null);
      }
    }
    throw endOf(child);
  } catch (error) {
    throw either.aborted ? either.reason : error;
  } finally {
    clearTimeout(silence);
    child.kill("SIGKILL");
  }
}

/** Without our settings and secrets, which a file must not get at. */
function startReader(): Reader {
  const cache = getCompileCacheDir();
  return fork(fileURLToPath(new URL("./reader.ts", import.meta.url)), {
    execArgv: [`--max-old-space-size=${MOST_HEAP / MEGABYTE}`, `--max-semi-space-size=${MOST_YOUNG / MEGABYTE}`],
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

function endOf({ exitCode, signalCode }: Reader): Error {
  if (signalCode === OUT_OF_TIME) return tooLong();
  if (OUT_OF_MEMORY.includes(signalCode ?? "")) return tooMuch("This file needs too much memory to be read.");
  return new Error(`The process that reads a file ended (${signalCode ?? exitCode}).`);
}

const tooLong = () => tooMuch("Reading this file takes too long.");
