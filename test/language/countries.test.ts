import { expect, test } from "vitest";
import { addressInWords, countryInWords } from "../../src/language/names.ts";
import { inLanguage } from "../../src/language/translate.ts";

test("the names of countries are in the language of the request", () => {
  expect(countryInWords("United States")).toBe("United States");
  expect(inLanguage("es", () => ["United States", "Germany", "Atlantis"].map(countryInWords))).toEqual([
    "Estados Unidos",
    "Alemania",
    "Atlantis",
  ]);
});

test("only the country of an address is translated", () => {
  const lines = ["1 Germany", "", "Georgia", "United States"];
  expect(inLanguage("es", () => addressInWords(lines))).toBe("1 Germany, Georgia, Estados Unidos");
});
