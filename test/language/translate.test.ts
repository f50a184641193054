import { describe, expect, it } from "vitest";
import { negotiate } from "../../src/language/languages.ts";
import { currentLanguage, inLanguage, t, tHtml } from "../../src/language/translate.ts";

const LISTINGS = "{count, plural, one {# row} other {# rows}}";

describe("t()", () => {
  it("returns the English text outside a request, with plurals and grouped numbers", () => {
    expect(t("Language")).toBe("Language");
    expect([1, 12_345].map((count) => t(LISTINGS, { count }))).toEqual(["1 row", "12,345 rows"]);
  });

  it("translates within a request, and within what that starts", async () => {
    const later = inLanguage("es", async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return [currentLanguage(), t("Language")];
    });
    expect(inLanguage("en", () => t("Language"))).toBe("Language");
    expect(await later).toEqual(["es", "Idioma"]);
  });

  it("returns a text that is not in the catalogue in English", () => {
    expect(inLanguage("es", () => t("Only in this test"))).toBe("Only in this test");
  });

  it("brackets every text in the pseudo-language", () => {
    expect(inLanguage("en-XA", () => t(LISTINGS, { count: 2 }))).toBe("⟦2 rows⟧");
  });

  it("keeps markup as text", () => {
    expect(t("{name} < b", { name: "<i>" })).toBe("<i> < b");
  });
});

it("tHtml() escapes the values and not the text", () => {
  expect(tHtml("<b>{name}</b>, {count, number}", { name: `"><script>`, count: 1000 })).toBe(
    "<b>&quot;&gt;&lt;script&gt;</b>, 1,000",
  );
});

describe("the language of a request", () => {
  const both = ["en", "es"] as const;
  const of = (accepted?: string, chosen?: string) => negotiate(both, { accepted, chosen });

  it.each([
    ["es-MX,es;q=0.9,en;q=0.8", "es"],
    ["en;q=0.5, es;q=0.9", "es"],
    ["de, fr;q=0.5", "en"],
    ["*", "en"],
    ["es;q=0", "en"],
    ["", "en"],
    ["\u0000;;q=x,,,", "en"],
    ["x".repeat(10_000), "en"],
  ])("Accept-Language %s means %s", (accepted, language) => {
    expect(of(accepted)).toBe(language);
  });

  it("is the first offered without Accept-Language", () => {
    expect(of()).toBe("en");
  });

  it("is the chosen one if it is offered", () => {
    expect(of("en", "es")).toBe("es");
    expect(of("es", "tlh")).toBe("es");
  });
});
