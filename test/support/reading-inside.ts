import { EventEmitter } from "node:events";
import { onTestFinished } from "vitest";
import { type Reader, readers } from "../../src/files/formats/apart.ts";
import type { Answer } from "../../src/files/formats/base/questions.ts";
import { readFor } from "../../src/files/formats/reading.ts";

/**
 * The process that reads a file takes a sixth of a second of processor time to start, and the tests read a thousand files. Here they
 * are read by the same conversation in the tests' own process. The programs that a test starts keep theirs.
 */
const outside = readers.start;
const inside = () => {
  const events = new EventEmitter();
  const answered = readFor(
    (sent) => void setImmediate(() => events.emit("message", structuredClone(sent))),
    () => {},
  );
  return Object.assign(events, {
    ...{ connected: true, exitCode: null, signalCode: null },
    send: (answer: Answer, sent: () => void) => {
      setImmediate(() => answered(structuredClone(answer)));
      sent();
    },
    kill(this: { connected: boolean }) {
      this.connected = false;
    },
  }) as unknown as Reader;
};

/** Gives files a process of their own until the end of the test. */
export function useReadingProcess(): void {
  readers.start = outside;
  onTestFinished(() => void Object.assign(readers, { start: inside }));
}

readers.start = inside;
