import { existsSync, globSync, readFileSync } from "node:fs";
import { type Breakage, TYPES } from "./read.ts";

/** Groups of test/attacks/README.md in which every case needs a test and a breakage. */
const GROUPS = /^[ABCFSW]/;

/** Returns what does not fit: a breakage its code or its test, or a case of test/attacks/README.md without a test or a breakage. */
export function misfits(breakages: readonly Breakage[]): string[] {
  const tests = new Map(globSync("test/**/*.test.ts").map((file) => [file, readFileSync(file, "utf8")]));
  const cases = [...readFileSync("test/attacks/README.md", "utf8").matchAll(/^- ([A-Z]\d{2,3}) /gm)]
    .map(([, id = ""]) => id)
    .filter((id) => GROUPS.test(id));
  const isTested = (id: string) => [...tests.values()].some((text) => text.includes(`${id}: `));
  return [
    ...cases
      .filter((id) => !isTested(id))
      .map((id) => `${id} of test/attacks/README.md: no test has a name that begins with it`),
    ...cases
      .filter((id) => !breakages.some((each) => each.id === id))
      .map((id) => `${id} of test/attacks/README.md has no breakage`),
    ...breakages.flatMap((breakage) => misfit(breakage, tests) ?? []),
  ];
}

function misfit({ id, breaks, file, find, replace, test }: Breakage, tests: Map<string, string>): string | undefined {
  const name = `${id}, ${breaks}`;
  if (!existsSync(file)) return `${name}: there is no ${file}`;
  const places = readFileSync(file, "utf8").split(find).length - 1;
  if (places !== 1) return `${name}: ${file} has the text to find ${places} times`;
  if (replace === find) return `${name}: changes nothing`;
  if (test !== TYPES && !tests.get(test)?.includes(`${id}: `)) return `${name}: ${test} has no test of this name`;
  return undefined;
}
