import { variantsOf } from "../../../matching/normalize/street-words.ts";
import { type Kind, kindsIn } from "./categories.ts";
import { isFiller, isOfStreets, squash, type TermWord, tellingWords, termWord } from "./words.ts";

export interface Reading {
  /** A tsquery literal on directory.venue_words. */
  query: string;
  /** Words required in the name, if any; the nearest can then also be found by walking outwards. */
  inName?: readonly string[];
  ids?: ReadonlySet<string>;
}

export interface Term {
  text: string;
  words: readonly TermWord[];
  kinds: readonly Kind[];
}

/** Words of a term that are searched, and letters of a name without spaces in the index. */
const MOST_WORDS = 10;
const LONGEST = 99;

/** `likely` gives corrections of misspelt words. */
export function readTerm(text: string, likely: ReadonlyMap<string, string[]> = new Map()): Term {
  const telling = tellingWords(text).slice(0, MOST_WORDS);
  const kinds = kindsIn(telling);
  const ofKind = new Set(kinds.flatMap(({ words }) => words));
  const words = telling.map((word) => {
    const found = termWord(word);
    // A word for a kind of place is complete: "gym" is not the beginning of "Gymboree".
    return { ...found, likely: likely.get(word) ?? [], isPrefix: found.isPrefix && !ofKind.has(word) };
  });
  return { text, words, kinds };
}

/**
 * By name, ignoring spaces; by all words in the name; by all words in name and address; by category and the other
 * words.
 */
export function readingsOf({ text, words, kinds }: Term): Reading[] {
  const joined = squash(text).slice(0, LONGEST);
  const whole = joined.length >= 2 ? [`'=${joined}':*`] : [];
  const looked = words.filter((word) => word.text.length > 1 || words.length === 1);
  const inNames = looked.map((word) => word.text);
  return [
    ...(looked.length > 0 ? [{ query: anyOf([...whole, `(${all(looked, inName)})`]), inName: inNames }] : []),
    ...(looked.length === 0 && joined.length >= 2 ? [{ query: anyOf(whole) }] : []), // such as H & M
    ...(looked.length > 1 ? [{ query: all(leading(looked), anywhere) }] : []),
    ...kinds.map((kind) => ofKind(kind, looked)),
  ];
}

function ofKind({ words: named, ids }: Kind, words: readonly TermWord[]): Reading {
  const others = words.filter(({ text }) => !named.includes(text));
  const query = anyOf([...ids].map((id) => `'#${id}'`));
  return others.length > 0 ? { query: `${query} & ${all(leading(others), anywhere)}` } : { query, ids };
}

export function withoutOne({ words }: Term): Reading[] {
  const telling = words.filter(({ text }) => !isFiller(text) && text.length > 1);
  if (telling.length < 2) return [];
  return telling.map((left) => ({
    query: all(
      telling.filter((word) => word !== left),
      anywhere,
    ),
  }));
}

/** Returns a query for all words of a house number and street in an address. */
export const readingInAddress = (text: string): string =>
  all(
    tellingWords(text)
      .slice(0, MOST_WORDS)
      .map((word) => ({ ...termWord(word), likely: variantsOf(word), isPrefix: false })),
    (word) => anyOf(formsOf(word, "@")),
  );

function leading(words: readonly TermWord[]): readonly TermWord[] {
  const some = words.filter(({ text }) => !isOfStreets(text));
  return some.length > 0 ? some : words;
}

const all = (words: readonly TermWord[], form: (word: TermWord) => string): string => words.map(form).join(" & ");

const inName = (word: TermWord): string => anyOf(formsOf(word, ""));
const anywhere = (word: TermWord): string => anyOf([...formsOf(word, ""), ...formsOf(word, "@")]);

/** Normalized words need no escaping: they contain only letters, digits and marks. */
const formsOf = ({ text, same, likely, isPrefix }: TermWord, mark: string): string[] => [
  `'${mark}${text}'${isPrefix ? ":*" : ""}`,
  ...[...same, ...likely].map((other) => `'${mark}${other}'`),
];

const anyOf = (lexemes: readonly string[]): string =>
  lexemes.length === 1 ? `${lexemes[0]}` : `(${lexemes.join(" | ")})`;
