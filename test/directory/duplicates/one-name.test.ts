import { expect, test } from "vitest";
import { differenceOf } from "../../../src/directory/duplicates/pairs.ts";

const PLACE = { address: "12 Thayer St", city: "Ashbyton", state: "RI" };

const between = (one: string, other: string, category?: string) =>
  [true, false].map((maySayTrade) =>
    differenceOf({ name: one, ...PLACE, category }, { name: other, ...PLACE, category }, maySayTrade),
  );

test.each([
  ["Foot Fitness", "Foot Fitn."],
  ["Foot Fitness", "Foot Fitness RI"],
  ["Foot Fitness", "Foot Fitness - Ashbyton, Rhode Island"],
  ["Foot Fitness", "The New Foot Fitness"],
  ["The Original Foot Fitness", "Foot Fitness Group"],
  ["Foot Fitness LLC", "Foot Fitness & Sons"],
  ["Foot Fitness Services", "Foot Fitness International"],
  ["Ashbyton Gas Station", "Ashbyton Gas Station RI"],
  ["北京腾飞科技有限公司", "腾飞科技"],
])("S115: %s and %s differ little", (one, other) => {
  expect([between(one, other), between(other, one)].flat()).toEqual(Array(4).fill("little"));
});

test.each([
  ["Foot Fitness", "Foot Fitness Annex"],
  ["Foot Fitness", "Foot Fitness Foundation"],
  ["Mercy Clinic", "Mercy Clinic Ophthalmology"],
])("S115: a word more of %s or %s names a part", (one, other) => {
  expect([between(one, other), between(other, one)].flat()).toEqual(Array(4).fill("a part"));
});

test.each([
  ["Foot Fitness", "Foot Massage"],
  ["Foot Fitness", "Foot Fitness Kids"],
  ["Hope Park", "Hope Parking"],
  ["Street Services", "Street Group"],
  ["Ashbyton", "RI"],
  ["宏泰大药房", "鸿泰大药房"],
  ["金山火锅（望京店）", "金山火锅（西湖店）"],
])("%s and %s are of other words", (one, other) => {
  expect([between(one, other), between(other, one)].flat()).toEqual(Array(4).fill("other words"));
});

test("a trade is little if both are of its category", () => {
  expect(between("Benoits Cafe", "Benoits", "Café")).toEqual(["little", "other words"]);
  expect(between("Benoits Cafe", "Benoits", "Deli")).toEqual(["other words", "other words"]);
  expect(between("Benoits Cafe", "Benoits Diner", "Café")).toEqual(["other words", "other words"]);
});
