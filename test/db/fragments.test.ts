import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((file) => path.join("src", file))
  .filter((file) => file.endsWith(".ts") && !file.includes("generated"));

/** Returns a file's exports except statements that it sends itself and their arguments. */
const exportsOf = (file: string): [name: string, text: string][] =>
  [
    ...readFileSync(file, "utf8").matchAll(
      /^export (?:const|function) (\w+)[^\n]*\n(?:[^\n\S][^\n]*\n|\n(?=[^\n\S]))*/gm,
    ),
  ]
    .map(([text, name = ""]): [string, string] => [name, text])
    .filter(([, text]) => !/\bquery[<(]|\bvalues\b/.test(text));

test("no shared SQL fragment names a parameter by number", () => {
  const fixed = files.flatMap((file) =>
    exportsOf(file).flatMap(([name, text]) => (/[=(,<>]\s*\$\d/.test(text) ? [`${file} ${name}`] : [])),
  );
  expect(fixed).toEqual([]);
});
