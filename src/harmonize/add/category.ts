import type { Category } from "../../contract/resources.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import type { Candidate } from "../run/rows.ts";
import categoryWords from "./category-words.json" with { type: "json" };
import { categoryFinder } from "./rules.ts";

/** `person`: chosen; `column`: as the file says; `namesake`: as venues nearby of the same name; `word`: by a word of its name. */
export interface CategoryGuess {
  id: string;
  by: "person" | "column" | "namesake" | "word";
  /** The cell, name or word. */
  from: string;
}

export interface Guessable {
  /** Id of the category that a person chose. */
  chosen: string | null;
  /** The cell of the column of categories. */
  said: string;
  name: string;
  candidates: readonly Pick<Candidate, "name" | "category">[];
}

export type GuessCategory = (listing: Guessable) => CategoryGuess | undefined;

const LONGEST_PHRASE = 4;

/** Guesses the category of a venue to be added among those of the directory; the strongest source counts. */
export function categoryGuesser(tree: Category[]): GuessCategory {
  const find = categoryFinder(tree);
  const phrases = phrasesOf(tree, find);
  return ({ chosen, said, name, candidates }) => {
    const kept = chosen === null ? undefined : find(chosen);
    if (kept) return { id: kept, by: "person", from: "" };
    const written = find(said) ?? partsOf(said).map(find).find(Boolean) ?? byWord(said, phrases)?.id;
    if (written) return { id: written, by: "column", from: said };
    return byNamesake(name, candidates, find) ?? byWord(name, phrases);
  };
}

type Find = ReturnType<typeof categoryFinder>;

/** Of codes such as `amenity=fast_food` and paths such as `Food > Bakery`, the last part first. */
const partsOf = (said: string): string[] =>
  said
    .split(/[>;|=:/]/)
    .reverse()
    .map((part) => part.replaceAll("_", " "));

function byNamesake(name: string, candidates: Guessable["candidates"], find: Find): CategoryGuess | undefined {
  const own = normalizeName(name);
  const counts = new Map<string, number>();
  for (const candidate of candidates) {
    const id = candidate.category && normalizeName(candidate.name) === own ? find(candidate.category) : undefined;
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
  return first && first[1] !== second?.[1] ? { id: first[0], by: "namesake", from: name } : undefined;
}

/** The longest phrase counts; of equals the last, which in most names says what a place is. */
function byWord(name: string, phrases: ReadonlyMap<string, string>): CategoryGuess | undefined {
  const words = normalizeName(name).split(/[\s-]+/);
  for (let length = Math.min(LONGEST_PHRASE, words.length); length > 0; length--)
    for (let at = words.length - length; at >= 0; at--) {
      const from = words.slice(at, at + length).join(" ");
      const id = phrases.get(from);
      if (id) return { id, by: "word", from };
    }
  return undefined;
}

/** Names that stand in too many others: "Coat Factory", "Office Depot". */
const VAGUE = new Set([
  "food",
  "office",
  "factory",
  "park",
  "school",
  "shopping",
  "fitness",
  "temple",
  "garden",
  "bar",
]);

/**
 * Categories by phrases: the reviewed ones of category-words.json, as far as the directory has their categories, and its categories' own
 * names. Each phrase is there under the category that most venues with it have: docs/decisions/0013-guessed-categories.md.
 */
function phrasesOf(tree: Category[], find: Find): Map<string, string> {
  const phrases = new Map<string, string>();
  for (const [category, words] of Object.entries(categoryWords)) {
    const id = find(category);
    if (id) for (const word of words.split(", ")) phrases.set(word, id);
  }
  const enter = ({ id, name, pluralName, categories = [] }: Category) => {
    for (const text of [name, pluralName ?? name]) {
      const phrase = normalizeName(text).replaceAll("-", " ");
      if (phrase.length > 2 && !VAGUE.has(phrase) && !phrases.has(phrase)) phrases.set(phrase, id);
    }
    categories.forEach(enter);
  };
  tree.forEach(enter);
  return phrases;
}
