import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { reasonInWords, refusalInWords } from "../../src/language/sentences.ts";
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
  expect([literals.length, worded.length]).toEqual([42, 10]);
  expect([...literals, ...worded].filter((text) => inSpanish(text) === text)).toEqual([]);
});

test("a reason keeps its words and distances, with the quotation marks and the decimal sign of the language", () => {
  expect(inSpanish("1.2 km apart")).toBe("a 1,2 km de distancia");
  expect(inSpanish("names similar except “Café $& {theirs}” / “Bar”")).toBe(
    "nombres iguales salvo «Café $& {theirs}» / «Bar»",
  );
  expect(inSpanish("names similar except “Café”")).toBe("nombres iguales salvo «Café»");
});

test.each([
  ["English", "inglés"],
  ["Traditional Chinese", "chino tradicional"],
  ["Brazilian Portuguese", "portugués de Brasil"],
  ["Serbian (Latin)", "serbio (latino)"],
  ["Cantonese", "cantonés"],
  ["x!", "x!"],
])("the language of another name is in Spanish: %s, %s", (english, spanish) => {
  expect(inSpanish(`matches its other name “Bar (Foo)” (${english})`)).toBe(
    `coincide con su otro nombre «Bar (Foo)» (${spanish})`,
  );
});

test("a reason that another directory words stays as it is", () => {
  expect(inSpanish("gleiche Telefonnummer")).toBe("gleiche Telefonnummer");
  expect(reasonInWords("same phone")).toBe("same phone");
});

const ROOT = path.resolve(import.meta.dirname, "../../src");
const SENTENCE = /^(A |As |Reading |The |This |Unpacked).* .*[.)?]$/s;

/** The literals that are sentences, with their expressions replaced by a number. */
function sentencesIn(file: string): string[] {
  const code = readFileSync(path.join(ROOT, file), "utf8");
  const found: string[] = [];
  const translated = new Set<number>();
  const collect = (start: number, text: string) => {
    if (SENTENCE.test(text) && !translated.has(start)) found.push(text);
  };
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (first && callee.type === "Identifier" && (callee.name === "t" || callee.name === "Error"))
        translated.add(first.start);
    },
    NewExpression({ callee, arguments: [first] }) {
      if (first && callee.type === "Identifier" && callee.name === "Error") translated.add(first.start);
    },
    Literal: ({ start, value }) => typeof value === "string" && collect(start, value),
    TemplateLiteral: ({ start, quasis }) => collect(start, quasis.map(({ value }) => value.cooked).join("7")),
  }).visit(parseSync(file, code).program);
  return found;
}

test("every sentence about a file that cannot be used is in Spanish", () => {
  const files = globSync(["files/**/*.ts", "harmonize/file/**/*.ts"], { cwd: ROOT });
  const sentences = files
    .flatMap(sentencesIn)
    // Of the log, and of the command line, which is in English.
    .filter(
      (text) => !/^(The database takes|Reading a file failed|The columns are|The file 7 does not exist)/.test(text),
    );
  expect(sentences.length).toBeGreaterThan(35);
  expect(sentences.filter((text) => inLanguage("es", () => refusalInWords(text)) === text)).toEqual([]);
});

test("a sentence within another is in Spanish too, and keeps its number", () => {
  const text = "Unpacked, this file has more than 400 MB. Split it into several files, or save the list as CSV.";
  expect(inLanguage("es", () => refusalInWords(text))).toBe(
    "Descomprimido, este archivo tiene más de 400 MB. Divídalo en varios archivos o guarde la lista como CSV.",
  );
  expect(refusalInWords(text)).toBe(text);
});
