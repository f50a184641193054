import { KnownError } from "../../shared/errors.ts";
import type { Question, Sent, Work } from "./apart.ts";
import { type Answer, createQuestions } from "./base/questions.ts";
import { sourceOfPieces } from "./base/source.ts";
import { openFile } from "./convert.ts";

/**
 * Reads one file in a conversation: asks for the work, tells `begun` of it, asks for bytes of the file and sends its rows. Returns what
 * takes the answers.
 */
export function readFor(send: (sent: Sent) => void, begun: (work: Work) => void): (answer: Answer) => void {
  const { ask, answered } = createQuestions<Question>(send);
  const read = async () => {
    const work = await ask<Work>({ is: "work" });
    begun(work);
    const source = sourceOfPieces(work.size, (start, end) => ask({ is: "read", start, end }));
    const { bytes, ...opened } = await openFile(source, work);
    send({ is: "opened", ...opened });
    let piece = await bytes.next();
    for (; !piece.done; piece = await bytes.next()) await ask({ is: "piece", bytes: piece.value });
    send({ is: "end", format: piece.value });
  };
  read().catch((error: unknown) => {
    if (error instanceof KnownError) send({ is: "refused", status: error.status, message: error.message });
    else send({ is: "failed", why: error instanceof Error ? String(error.stack) : String(error) });
  });
  return answered;
}
