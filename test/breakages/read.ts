import { globSync, readFileSync } from "node:fs";

/** A deliberate fault, and the check that must notice it. */
export interface Breakage {
  /** The attack (test/attacks/README.md) that the fault allows, or another word. Names of the tests begin with it. */
  id: string;
  /** What the broken build does. */
  breaks: string;
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** The test file whose tests named `id: …` must fail, or TYPES. */
  test: string;
}

/** `npm run types` instead of a test file. */
export const TYPES = "types";

/** Reads the `.breaks` files. Throws with file and line of what does not read as one. */
export function readBreakages(): Breakage[] {
  return globSync("test/breakages/**/*.breaks")
    .sort()
    .flatMap((file) => parseBreakages(file, readFileSync(file, "utf8")));
}

/**
 * A line `# test file` holds for the breakages below it. A breakage is a line `id file: what the broken build does`, the text to
 * find with a minus before each line, and the text to put there with a plus before each line.
 */
export function parseBreakages(source: string, text: string): Breakage[] {
  const found: { heading: Omit<Breakage, "find" | "replace">; minus: string[]; plus: string[] }[] = [];
  let test = "";
  for (const [index, line] of text.split("\n").entries()) {
    const last = found.at(-1);
    const [, id, file, breaks] = /^(\w+) (\S+): (.+)$/.exec(line) ?? [];
    if (line.startsWith("# ")) test = line.slice(2);
    else if (line.startsWith("-") && last) last.minus.push(line.slice(1));
    else if (line.startsWith("+") && last) last.plus.push(line.slice(1));
    else if (id && file && breaks && test) found.push({ heading: { id, file, breaks, test }, minus: [], plus: [] });
    else if (line !== "") throw new Error(`${source}:${index + 1} is no line of a breakage: ${line}`);
  }
  return found.map(({ heading, minus, plus }) => ({ ...heading, find: minus.join("\n"), replace: plus.join("\n") }));
}
