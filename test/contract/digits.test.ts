import { expect, test } from "vitest";
import { plainDigits } from "../../src/contract/text.ts";

const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const digitsOf = (numberingSystem: string) =>
  TEN.map((digit) => new Intl.NumberFormat("en", { numberingSystem }).format(digit)).join("");
const scripts = Intl.supportedValuesOf("numberingSystem").filter((name) => /^\p{Nd}{10}$/u.test(digitsOf(name)));

test("digits of every script that ICU knows are written as 0 to 9", () => {
  expect(scripts.length).toBeGreaterThan(50);
  expect(scripts.filter((name) => plainDigits(`No. ${digitsOf(name)}`) !== "No. 0123456789")).toEqual([]);
});
