import { createInterface } from "node:readline/promises";
import { KnownError } from "../shared/errors.ts";

/** Asks at the terminal until the answer is yes or no; Enter alone is `preselected`. Throws KnownError if the input ends. */
export async function askYesNo(question: string, preselected: boolean, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, signal });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  terminal.setPrompt(`${question} ${preselected ? "[Y/n]" : "[y/N]"} `);
  terminal.prompt();
  try {
    for await (const line of terminal) {
      const answer = line.trim();
      if (/^(y(es)?|no?|)$/i.test(answer)) return answer === "" ? preselected : /^y/i.test(answer);
      terminal.prompt();
    }
  } finally {
    terminal.close();
  }
  signal.throwIfAborted();
  throw new KnownError(499, "interrupted", "There was no answer.");
}
