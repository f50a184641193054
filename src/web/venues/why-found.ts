import type { Venue } from "../../contract/resources.ts";
import { formatList } from "../../language/format.ts";
import { t } from "../../language/translate.ts";
import { wordKey } from "../../matching/fields.ts";

/**
 * Says which details of a venue have the words of a search: "kind and street". Undefined for a search without words, and if
 * the name, which stands above, has them all.
 */
export function whyFound(query: string, { name, categories, location }: Venue): string | undefined {
  const words = wordsOf(query);
  if (words.length === 0) return undefined;
  if (words.every((word) => isIn(wordsOf(name), word))) return undefined;
  const details = [
    { label: t("name"), text: name },
    { label: t("kind"), text: categories?.map((each) => `${each.name} ${each.pluralName ?? ""}`).join(" ") },
    { label: t("street"), text: `${location?.address ?? ""} ${location?.crossStreet ?? ""}` },
    { label: t("town"), text: `${location?.city ?? ""} ${location?.state ?? ""} ${location?.postalCode ?? ""}` },
  ].map(({ label, text }) => ({ label, words: wordsOf(text) }));
  const found = details.filter((detail) => words.some((word) => isIn(detail.words, word)));
  const isWhole = words.every((word) => found.some((detail) => isIn(detail.words, word)));
  // A directory also knows other words for a kind, and corrects spelling.
  return formatList([...found.map(({ label }) => label), ...(isWhole ? [] : [t("similar words")])]);
}

const MOST_WORDS = 20;

interface Word {
  /** The same for all spellings. */
  key: string;
  /** False for "street", whose key "st" is no beginning of it. */
  isPlain: boolean;
}

const isIn = (words: Word[], { key, isPlain }: Word): boolean =>
  words.some((word) => word.key === key || (isPlain && key.length > 1 && word.key.startsWith(key)));

const wordsOf = (text = ""): Word[] =>
  text
    .slice(0, 400)
    .split(/[^\p{L}\p{N}\p{M}'’]+/u)
    .slice(0, MOST_WORDS)
    .map((word) => ({ key: wordKey("address", word), word }))
    .filter(({ key }) => key !== "")
    .map(({ key, word }) => ({ key, isPlain: key.length >= word.length }));
