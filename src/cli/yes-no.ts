import { createInterface } from "node:readline/promises";
import { KnownError } from "../shared/errors.ts";

/** Asks at the terminal until the answer is yes or no; Enter alone is `preselected`. Throws KnownError if the input ends. */
export async function askYesNo(question: string, preselected: boolean, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = Promise.withResolvers<never>();
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  terminal.on("close", () => ended.reject(new KnownError(499, "interrupted", "There was no answer.")));
  try {
    for (;;) {
      const asked = terminal.question(`${question} ${preselected ? "[Y/n]" : "[y/N]"} `, { signal });
      const answer = (await Promise.race([asked, ended.promise])).trim();
      if (/^(y(es)?|no?|)$/i.test(answer)) return answer === "" ? preselected : /^y/i.test(answer);
    }
  } finally {
    ended.promise.catch(() => {});
    terminal.close();
  }
}
