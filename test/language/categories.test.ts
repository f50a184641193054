import { describe, expect, it } from "vitest";
import { allCategories } from "../../src/directory/categories/tree.ts";
import es from "../../src/language/es.json" with { type: "json" };
import { categoryName } from "../../src/language/names.ts";
import { inLanguage } from "../../src/language/translate.ts";

describe("names of categories", () => {
  it("are all in Spanish, and no others", () => {
    const names = allCategories.map(({ name }) => name).sort();
    expect(Object.keys(es.categories).sort()).toEqual(names);
  });

  it("are distinct in Spanish, as in English", () => {
    const translations = Object.values(es.categories);
    expect(new Set(translations).size).toBe(translations.length);
  });

  it("are in the language of the request", () => {
    expect(categoryName("Coffee Shop")).toBe("Coffee Shop");
    expect(inLanguage("es", () => categoryName("Coffee Shop"))).toBe("Cafetería");
    expect(inLanguage("en-XA", () => categoryName("Coffee Shop"))).toBe("⟦Coffee Shop⟧");
  });

  it("stay as they are if another directory has them only", () => {
    expect(inLanguage("es", () => ["Zoo Shop", "constructor"].map(categoryName))).toEqual(["Zoo Shop", "constructor"]);
  });
});
