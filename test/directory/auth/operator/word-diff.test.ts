import { expect, test } from "vitest";
import { wordDiff } from "../../../../src/directory/auth/operator/word-diff.ts";

const marked = (before: string, after: string) => {
  const { was, now } = wordDiff(before, after);
  const words = (pieces: typeof was) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join("");
  return [words(was), words(now)];
};

test("a proposal marks the words that differ", () => {
  expect(marked("207 Wickenden St", "209 Wickenden Street")).toEqual([
    "[207] Wickenden [St]",
    "[209] Wickenden [Street]",
  ]);
  expect(marked("Café", "Café Zog")).toEqual(["Café", "Café[ Zog]"]);
  expect(marked("", "02903")).toEqual(["", "[02903]"]);
  expect(marked("41.8,-71.4", "41.81,-71.4")).toEqual(["[41.8],-71.4", "[41.81],-71.4"]);
  expect(marked("same", "same")).toEqual(["same", "same"]);
});

test("W96: the pieces of two texts are these texts, and what is unmarked is the same in both", () => {
  const words = ["Coffee", "Café", " ", "-", "東京", "12", "a\u0301", "👩‍👩‍👧", "\ud800", "<b>"];
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let round = 0; round < 500; round++) {
    const [one, other] = [0, 1].map(() =>
      Array.from({ length: random(9) }, () => words[random(words.length)]).join(""),
    );
    const { was, now } = wordDiff(one as string, other as string);
    expect([was, now].map((pieces) => pieces.map(({ text }) => text).join(""))).toEqual([one, other]);
    const same = (pieces: typeof was) => pieces.flatMap(({ text, differs }) => (differs ? [] : text)).join("");
    expect(same(was)).toBe(same(now));
  }
});
