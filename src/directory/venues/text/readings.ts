import { type Kind, kindsIn } from "./categories.ts";
import { isFiller, isOfStreets, squash, type TermWord, tellingWords, termWord } from "./words.ts";

/** One way to look for a term in the index `venue_words`. */
export interface Reading {
  /** A tsquery literal over what directory.venue_words makes. */
  query: string;
  /** The words that all must stand in the name; then the nearest can be found by walking outwards as well. */
  inName?: readonly string[];
  /** The categories that alone are looked for. */
  ids?: ReadonlySet<string>;
}

/** A search term as it is understood. */
export interface Term {
  /** Normalized. */
  text: string;
  words: readonly TermWord[];
  kinds: readonly Kind[];
}

/** Of a longer term only so many words are looked for, of a name without blanks only so many letters are in the index. */
const MOST_WORDS = 10;
const LONGEST = 99;

/** @param likely for a misspelt word: the words that may be meant */
export function readTerm(text: string, likely: ReadonlyMap<string, string[]> = new Map()): Term {
  const telling = tellingWords(text).slice(0, MOST_WORDS);
  const kinds = kindsIn(telling);
  const ofKind = new Set(kinds.flatMap(({ words }) => words));
  const words = telling.map((word) => {
    const found = termWord(word);
    // "gym" is not the beginning of "Gymboree": the word is complete.
    return { ...found, likely: likely.get(word) ?? [], isPrefix: found.isPrefix && !ofKind.has(word) };
  });
  return { text, words, kinds };
}

/**
 * The ways in which a venue can answer the term: its name is written like it or begins so, blanks aside; its name holds
 * all the words; each word stands in its name or in its address; it is of the kind that some words name, and has the
 * others in its name or address.
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

/** Each word but one: for a term of which a word is too much. */
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

function leading(words: readonly TermWord[]): readonly TermWord[] {
  const some = words.filter(({ text }) => !isOfStreets(text));
  return some.length > 0 ? some : words;
}

const all = (words: readonly TermWord[], form: (word: TermWord) => string): string => words.map(form).join(" & ");

const inName = (word: TermWord): string => anyOf(formsOf(word, ""));
const anywhere = (word: TermWord): string => anyOf([...formsOf(word, ""), ...formsOf(word, "@")]);

/** Normalized words hold letters, digits and marks only: nothing to escape. */
const formsOf = ({ text, same, likely, isPrefix }: TermWord, mark: string): string[] => [
  `'${mark}${text}'${isPrefix ? ":*" : ""}`,
  ...[...same, ...likely].map((other) => `'${mark}${other}'`),
];

const anyOf = (lexemes: readonly string[]): string =>
  lexemes.length === 1 ? `${lexemes[0]}` : `(${lexemes.join(" | ")})`;
