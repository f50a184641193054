import fc from "fast-check";
import type { Question } from "../../../src/files/formats/apart.ts";
import { type Asked, createQuestions } from "../../../src/files/formats/base/questions.ts";

/** Which of the waiting questions is answered next, at each turn of the event loop. */
export const schedules = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
export const RUNS = { numRuns: 10 };

/** Answers like apart.ts, but in the order of the schedule. `close` returns the most questions that waited at once. */
export function answering(file: Buffer, schedule: number[]) {
  const waiting: Asked<Question>[] = [];
  const { ask, answered } = createQuestions<Question>((asked) => void waiting.push(asked));
  let [turn, most, isOver] = [0, 0, false];
  const answer = () => {
    most = Math.max(most, waiting.length);
    const pick = schedule[turn++ % schedule.length] ?? 0;
    const [next] = waiting.length > 0 ? waiting.splice(pick % waiting.length, 1) : [];
    if (next)
      answered({ number: next.number, answer: next.is === "read" ? file.subarray(next.start, next.end) : null });
    if (!isOver) setImmediate(answer);
  };
  setImmediate(answer);
  return {
    read: (start: number, end: number) => ask<Uint8Array>({ is: "read", start, end }),
    sendPiece: (bytes: Uint8Array) => ask({ is: "piece", bytes }),
    close(): number {
      isOver = true;
      return most;
    },
  };
}
