import { createInterface } from "node:readline/promises";
import { KnownError } from "../shared/errors.ts";

/** Asks at the terminal until the answer is yes or no; Enter alone is `preselected`. Throws KnownError if the input ends. */
export async function askYesNo(
  question: string,
  preselected: boolean,
  signal: AbortSignal,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } = {
    input: process.stdin,
    output: process.stderr,
  },
): Promise<boolean> {
  const terminal = createInterface({ input, output, signal });
  let isOpen = true; // lines that came before the end of the input are still read
  terminal.on("close", () => {
    isOpen = false;
  });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  terminal.setPrompt(`${question} ${preselected ? "[Y/n]" : "[y/N]"} `);
  terminal.prompt();
  try {
    for await (const line of terminal) {
      const answer = line.trim();
      if (/^(y(es)?|no?|)$/i.test(answer)) return answer === "" ? preselected : /^y/i.test(answer);
      if (isOpen) terminal.prompt();
    }
  } finally {
    terminal.close();
  }
  signal.throwIfAborted();
  throw new KnownError(499, "interrupted", "There was no answer.");
}
