import { expect, test } from "vitest";
import { matchCard } from "../../../src/web/venues/comparison.ts";
import { differences, streetWord } from "../../../src/web/venues/differences.ts";

/** The two texts with what differs in brackets. */
const marked = (a: string, b: string, wordOf?: typeof streetWord) =>
  differences(a, b, wordOf).map((parts) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(""));

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
  ["12 N. Main Street", "12 north main st", ["12 N. Main Street", "12 north main st"]],
  ["44 Ocean Avenue", "44 Ocean Rd.", ["44 Ocean [Avenue]", "44 Ocean [Rd]."]],
  ["9 St John's Square", "9 Saint John's Sq", ["9 [St] John's Square", "9 [Saint] John's Sq"]],
])("of the addresses %j and %j, the usual short forms are no difference", (a, b, expected) => {
  expect(marked(a, b, streetWord)).toEqual(expected);
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

test.each([
  ["Phone", "+1 401 555 0100", "401-555-0100", "same"],
  ["Phone", "+44 (0)20 7946 0000", "+44 20 7946 0000", "same"],
  ["Phone", "+44 20 7946 0000", "020 7946 0000", "same"],
  ["Phone", "+1 401 555 0100", "401-555-0199", "differs"],
  ["Postal code", "02906", "02906-1234", "same"],
  ["Postal code", "02906-4321", "029061234", "same"],
  ["Postal code", "EC1A 1BB", "EC1A", "same"],
  ["Postal code", "SW11 2AA", "SW1", "differs"],
  ["Postal code", "02906", "02903", "differs"],
  ["Address", "1 N. Main St", "1 North Main Street", "same"],
])("side by side, of %s %j and %j it says %j", (label, ours, theirs, expected) => {
  const listing = { name: "A", near: "here", phone: ours, zip: ours, address: ours };
  const location = { postalCode: theirs, address: theirs };
  const { rows } = matchCard(listing, { id: "a1", name: "A", contact: { phone: theirs }, location, categories: [] });
  expect(rows.find((row) => row.label === label)?.result).toBe(expected);
});
