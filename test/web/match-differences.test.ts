import { expect, test } from "vitest";
import { differences } from "../../src/web/differences.ts";

/** The two texts with what differs in brackets. */
const marked = (a: string, b: string) =>
  differences(a, b).map((parts) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(""));

test.each([
  ["Joe’s Pizza", "Joe’s Pizza Palace", ["Joe’s Pizza", "Joe’s Pizza [Palace]"]],
  ["Gate 3 Cafe", "Gate 4 Café", ["Gate [3] Cafe", "Gate [4] Café"]],
  ["The Old Mill Inn", "Mill Inn Hotel", ["[The Old] Mill Inn", "Mill Inn [Hotel]"]],
  ["Pool @ Hilton", "Hilton", ["[Pool] @ Hilton", "Hilton"]],
  ["Alpha", "Omega Point", ["[Alpha]", "[Omega Point]"]],
  ["a b a", "b a b", ["[a] b a", "b a [b]"]],
  ["星巴克 咖啡", "星巴克 茶", ["星巴克 [咖啡]", "星巴克 [茶]"]],
  ["มี 1", "มี 2", ["มี [1]", "มี [2]"]],
])("of %j and %j are the words that the other lacks", (a, b, expected) => {
  expect(marked(a, b)).toEqual(expected);
});

test.each([
  ["CAFÉ MÜLLER", "Cafe Mu\u0308ller"],
  ["Straße", "STRASSE"],
  ["Smørrebrød & Øl", "Smorrebrod and Ol"],
  ["7-Eleven", "7 Eleven"],
  ["Dunkin’ Donuts", "DunkinDonuts"],
  ["ＡＢＣ", "abc"],
  ["!!!", "!!!"],
  ["", ""],
])("there are none between %j and %j", (a, b) => {
  expect(marked(a, b)).toEqual([a, b]);
});

test.each([
  ["a\u0300", "\u0300"],
  ["\ud800x", "<b>&amp;</b>"],
  ["...", "?"],
  [" ", "x"],
  ["x ".repeat(90), "y x"],
  ["y".repeat(1_000_000), "x"],
  ["x", "x ".repeat(500_000)],
])("whatever stands in %.20j and %.20j, the parts are the texts", (a, b) => {
  expect(differences(a, b).map((parts) => parts.map(({ text }) => text).join(""))).toEqual([a, b]);
});
