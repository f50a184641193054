import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reasonInWords } from "../../src/language/reasons.ts";
import { inLanguage } from "../../src/language/translate.ts";

const inSpanish = (text: string) => inLanguage("es", () => reasonInWords(text));

test("every reason for a match that the directory words is in Spanish", () => {
  const source = readFileSync(new URL("../../src/matching/evidence.ts", import.meta.url), "utf8").replace(
    /\/\*\*.*?\*\//gs,
    "",
  );
  const literals = [...source.matchAll(/"([a-z][^"]* [^"]*)"/g)].map(([, text = ""]) => text);
  const templates = [...source.matchAll(/`([^`]*)`/g)]
    .map(([, text = ""]) => text)
    .filter((text) => /[a-z] /.test(text) || text.endsWith(" apart"));
  const [one, two] = ["“Café”", "“Bar” / “Grill”"];
  const worded = templates.flatMap((text) =>
    text.includes("metresInWords")
      ? ["350 m apart", "48 km apart"]
      : text.includes("differing[0]")
        ? [text.replace(/\$\{.*\}/, one)]
        : text.includes("differ:")
          ? [text.replace(/\$\{.*\}/, two)]
          : [one, two].map((words) => text.replace(/\$\{.*\}/, words)),
  );
  expect([literals.length, worded.length]).toEqual([36, 6]);
  expect([...literals, ...worded].filter((text) => inSpanish(text) === text)).toEqual([]);
});

test("a reason keeps its words and distances, with the quotation marks and the decimal sign of the language", () => {
  expect(inSpanish("1.2 km apart")).toBe("a 1,2 km de distancia");
  expect(inSpanish("names similar except “Café $& {theirs}” / “Bar”")).toBe(
    "nombres similares salvo «Café $& {theirs}» / «Bar»",
  );
  expect(inSpanish("names similar except “Café”")).toBe("nombres similares salvo «Café»");
});

test("a reason that another directory words stays as it is", () => {
  expect(inSpanish("gleiche Telefonnummer")).toBe("gleiche Telefonnummer");
  expect(reasonInWords("same phone")).toBe("same phone");
});
