import names from "./column-names.json" with { type: "json" };

/**
 * What a column may say. Its usual names, in English and the languages of the files so far, the clearest first, are in column-names.json.
 * Notes and comments are no description: those are for the owner of a list, and a description is published with a venue that is added.
 */
export type Attribute = keyof typeof names;

interface Meaning {
  field: Attribute;
  rank: number;
}

/** Ignores case, accents, spaces and signs: "Código Postal" becomes `codigopostal`, "Store #" `storeno`. */
export const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/#|№|\bn[°º]/gu, "no")
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "");

const MEANINGS = new Map(
  (Object.entries(names) as [Attribute, string[]][]).flatMap(([field, lines]) =>
    lines.flatMap((line) => line.split(" ")).map((name, rank): [string, Meaning] => [fold(name), { field, rank }]),
  ),
);

export const meaningOf = (name: string): Meaning | undefined => MEANINGS.get(fold(name));

/** Ambiguous names: they mean ids only if nearly all values differ. */
const VAGUE = new Set("ref reference key code codigo clave identificativo nr no number".split(" "));

/** Whether the name alone shows that the column holds ids, even if some occur twice. */
export const isIdName = (name: string): boolean => meaningOf(name)?.field === "id" && !VAGUE.has(fold(name));

/** Returns the attributes that have a name with this prefix; none for a prefix without letters and digits. */
export function attributesBeginning(prefix: string): Set<Attribute> {
  const wanted = fold(prefix);
  const begun = wanted === "" ? [] : [...MEANINGS].filter(([name]) => name.startsWith(wanted));
  return new Set(begun.map(([, { field }]) => field));
}

/** Divides a name that says the same twice: "Country / Region". */
const EITHER = /\s*[/,|&+]\s*|\s+(?:and|or|und|oder|y|et|ou|e|en)\s+/iu;

/** The words of a name such as `addr:street`, `location.postalCode` or "Store city". */
export const wordsIn = (name: string): string[] =>
  name.split(/[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);

/**
 * Returns the attributes that a name may mean, the likeliest first: its longest end, as `postalCode` of `location.postalCode`, goes
 * before single words, and the last word before the others. Ids of something else ("category id") mean nothing.
 */
export function fieldsNamedIn(name: string): Attribute[] {
  return name.split(EITHER).flatMap((part) => {
    const words = wordsIn(part).slice(-MOST_WORDS);
    const ends = words.flatMap((_, at) =>
      at < words.length - 1 ? (meaningOf(words.slice(at).join(""))?.field ?? []) : [],
    );
    const single = words.toReversed().flatMap((word) => (word.length > 1 ? (meaningOf(word)?.field ?? []) : []));
    const isOfOther =
      ends.length === 0 && single[0] === "id" && single.some((field) => field !== "id" && field !== "name");
    return isOfOther ? [] : [...ends, ...single];
  });
}

const MOST_WORDS = 8;
