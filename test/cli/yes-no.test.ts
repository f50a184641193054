import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askYesNo } from "../../src/cli/yes-no.ts";

/** What is asked, and the answer to these lines; the input ends behind the last, unless it is `open`. */
async function answerTo(
  lines: string[],
  preselected: boolean,
  { isOpen = false, signal = new AbortController().signal } = {},
) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  for (const line of lines) input.write(line);
  if (!isOpen) input.end();
  const answer = await askYesNo("Is it one?", preselected, signal, { input, output }).catch((error) => error);
  return { answer, asked: String(output.read() ?? "").match(/Is it one\? \[[yYnN/]+\]/g) ?? [] };
}

test.each([
  [["y\n"], true],
  [["YES\r\n"], true],
  [[" no \n"], false],
  [["N\n"], false],
  [["y"], true],
  [["ye", "s\n"], true],
  [["y\nno\n"], true],
])("%j answers the question, whatever is preselected: %s", async (lines, answer) => {
  for (const preselected of [true, false])
    expect(await answerTo(lines, preselected)).toEqual({
      answer,
      asked: [`Is it one? ${preselected ? "[Y/n]" : "[y/N]"}`],
    });
});

test("Enter alone is the preselected answer", async () => {
  for (const answer of [true, false]) expect((await answerTo(["\n"], answer)).answer).toBe(answer);
});

test("the question comes again until it is answered", async () => {
  const { answer, asked } = await answerTo(["maybe\n", "yesterday\n", "no\n"], true, { isOpen: true });
  expect([answer, asked.length]).toEqual([false, 3]);
});

test("an input that ends is no answer, and neither is an interruption", async () => {
  for (const lines of [[], ["perhaps\n"]])
    expect((await answerTo(lines, true)).answer).toMatchObject({
      code: "interrupted",
      message: "There was no answer.",
    });
  const stop = new AbortController();
  const stopped = answerTo([], true, { isOpen: true, signal: stop.signal });
  stop.abort(new Error("Ctrl-C"));
  expect((await stopped).answer).toMatchObject({ message: "Ctrl-C" });
});
