import { expect, test } from "vitest";
import type { Field } from "../../../src/matching/fields.ts";
import { differences, matchCard } from "../../../src/web/venues/match-card.ts";

/** The two texts with the differences in brackets. */
const marked = (field: Field, a: string, b: string) =>
  differences(field, a, b).map((parts) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(""));

test.each([
  ["Joe’s Pizza", "Joe’s Pizza Palace", ["Joe’s Pizza", "Joe’s Pizza [Palace]"]],
  ["Gate 3 Cafe", "Gate 4 Café", ["Gate [3] Cafe", "Gate [4] Café"]],
  ["The Old Mill Inn", "Mill Inn Hotel", ["[The Old] Mill Inn", "Mill Inn [Hotel]"]],
  ["Pool @ Hilton", "Hilton", ["[Pool] @ Hilton", "Hilton"]],
  ["Alpha", "Omega Point", ["[Alpha]", "[Omega Point]"]],
  ["星巴克 咖啡", "星巴克 茶", ["星巴克 [咖啡]", "星巴克 [茶]"]],
  ["มี 1", "มี 2", ["มี [1]", "มี [2]"]],
])("of %j and %j are the words that the other text lacks", (a, b, expected) => {
  expect(marked("name", a, b)).toEqual(expected);
});

test.each([
  ["CAFÉ MÜLLER", "Cafe Mu\u0308ller"],
  ["Straße", "STRASSE"],
  ["Smørrebrød & Øl", "Smorrebrod and Ol"],
  ["7-Eleven", "7 Eleven"],
  ["Dunkin’ Donuts", "DunkinDonuts"],
  ["ＡＢＣ", "abc"],
])("side by side, the names %j and %j are the same, and no word is marked", (a, b) => {
  const [row] = matchCard({ name: a, near: "here" }, { id: "a1", name: b }).rows;
  expect(row).toEqual({ label: "Name", result: "same", listing: [part(a)], venue: [part(b)] });
});
const part = (text: string) => ({ text, differs: false });

test.each([
  ["44 Ocean Avenue", "44 Ocean Rd.", ["44 Ocean [Avenue]", "44 Ocean [Rd]."]],
  ["10 Main Street, Ste 200", "10 Main St", ["10 Main Street, [Ste 200]", "10 Main St"]],
  ["10 North Main Parkway", "12 N. Main Pkwy", ["[10] North Main Parkway", "[12] N. Main Pkwy"]],
])("of the addresses %j and %j, the different words are marked, but not the usual short forms", (a, b, expected) => {
  expect(marked("address", a, b)).toEqual(expected);
});

test.each([
  ["a\u0300", "\u0300"],
  ["\ud800x", "<b>&amp;</b>"],
  ["...", "?"],
  [" ", "x"],
  ["x ".repeat(90), "y x"],
  ["y".repeat(1_000_000), "x"],
  ["x", "x ".repeat(500_000)],
])("the parts of %.20j and %.20j add up to the texts", (a, b) => {
  expect(differences("name", a, b).map((parts) => parts.map(({ text }) => text).join(""))).toEqual([a, b]);
});

test.each([
  ["Phone", "+1 401 555 0100", "401-555-0100", "same"],
  ["Phone", "+44 (0)20 7946 0000", "+44 20 7946 0000", "same"],
  ["Phone", "+44 20 7946 0000", "020 7946 0000", "same"],
  ["Phone", "+1 401 555 0100", "401-555-0199", "differs"],
  ["Postal code", "02906", "02906-1234", "same"],
  ["Postal code", "02906-4321", "029061234", "similar"],
  ["Postal code", "02906-4321", "029064321", "same"],
  ["Postal code", "EC1A 1BB", "EC1A", "similar"],
  ["Postal code", "SW11 2AA", "SW1", "similar"],
  ["Postal code", "SW11 2AA", "EC1A", "differs"],
  ["Postal code", "02906", "02903", "differs"],
  ["Address", "1 N. Main St", "1 North Main Street", "same"],
  ["Address", "1 Main St Ste 200", "1 Main St", "similar"],
  ["Address", "1 Main St", "1 North Main St", "similar"],
  ["Address", "1 Main St", "3 Main St", "differs"],
  ["Address", "P.O. Box 12", "PO Box 12", "same"],
  ["State", "RI", "Rhode Island", "same"],
  ["State", "Washington", "Western Australia", "differs"],
  ["State", "Bern", "Canton of Bern", "similar"],
  ["State", "Québec", "quebec", "same"],
  ["State", "RI", "MA", "differs"],
  ["City", "Providence", "Newport", "differs"],
  ["Phone", "0800 123 456", "0800 123 456", "same"],
  ["Twitter", "@samespot", "SameSpot", "same"],
])("side by side, %s %j and %j have the result %j", (label, ours, theirs, expected) => {
  const listing = {
    name: "A",
    near: "here",
    phone: ours,
    zip: ours,
    address: ours,
    city: ours,
    state: ours,
    twitter: ours,
  };
  const location = { postalCode: theirs, address: theirs, city: theirs, state: theirs };
  const contact = { phone: theirs, twitter: theirs };
  const { rows } = matchCard(listing, { id: "a1", name: "A", contact, location, categories: [] });
  expect(rows.find((row) => row.label === label)?.result).toBe(expected);
});
