import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";
import es from "../../src/language/es.json" with { type: "json" };
import { ENGLISH_ONLY, PENDING } from "./pending.ts";
import { textsIn, translatedTexts, untranslatedIn, untranslatedViews } from "./texts.ts";

const used = translatedTexts();
/** The type of a literal in the syntax tree of a message. */
const LITERAL = 0;

describe("texts of pages", () => {
  it("are literals wherever they are translated, because the literal is the key of the catalogues", () => {
    expect(used.filter(({ text }) => text === undefined)).toEqual([]);
  });

  it("are all in the Spanish catalogue, which has no others", () => {
    const texts = [...new Set(used.flatMap(({ text }) => text ?? []))].sort();
    expect(Object.keys(es.texts).sort()).toEqual(texts);
  });

  it("have the same arguments in Spanish", () => {
    for (const [text, translation] of Object.entries(es.texts))
      expect({ text, of: argumentsOf(translation) }).toEqual({ text, of: argumentsOf(text) });
  });

  it("are translated in every view but the API reference and those still to do", () => {
    expect(untranslatedViews().map(({ view }) => view)).toEqual([...ENGLISH_ONLY, ...PENDING]);
  });
});

it("words outside t() are found in text, attributes and what is given to partials", () => {
  expect(untranslatedIn(`<p>Some <%= it.n %> words</p>`)).toEqual(["Some", "words"]);
  expect(untranslatedIn(`<a title="Go there"><%= t('Go') %></a>`)).toEqual(["Go there"]);
  expect(untranslatedIn(`<%~ include('/partials/field', { field: { label: 'Name' } }) %>`)).toEqual(["Name"]);
  expect(untranslatedIn(`<p><%= t('Some words') %> &middot; Samespot</p>`)).toEqual([]);
});

it("a call of t() with anything but a literal is found", () => {
  expect(textsIn("t('a'); t(`b`); tHtml('c' + d); t(e);")).toEqual(["a", "b", undefined, undefined]);
});

type Elements = ReturnType<IntlMessageFormat["getAst"]>;

function argumentsOf(message: string): string[] {
  const names = new Set<string>();
  const collect = (elements: Elements) => {
    for (const element of elements) {
      if ("value" in element && element.type !== LITERAL) names.add(element.value);
      if ("options" in element) for (const { value } of Object.values(element.options)) collect(value);
    }
  };
  collect(new IntlMessageFormat(message, "en", undefined, { ignoreTag: true }).getAst());
  return [...names].sort();
}
