import { t } from "../../language/translate.ts";
import type { Evidence } from "../../matching/evidence.ts";

/** Venues of one place: each of `others` forms a pair with the one that should stay. */
export interface Group {
  stays: string;
  others: string[];
}

export interface ScoredPair {
  a: string;
  b: string;
  score: number;
}

/** Larger groups are rather names that recur, such as those of machines. */
const LARGEST = 20;

/**
 * Forms groups of pairs, the surest first. Joins two groups only if one venue forms a pair with each of the others, so that no chain
 * of weak pairs makes one place of many. Pairs left out wait until the groups are decided.
 *
 * @param ids the best to keep first; pairs with other ids are left out
 * @param different keys (`keyOf`) of pairs of which an operator said that they are two places
 */
export function formGroups(
  ids: readonly string[],
  pairs: readonly ScoredPair[],
  different: ReadonlySet<string> = new Set(),
): Group[] {
  const rank = new Map(ids.map((id, at) => [id, at]));
  const rankOf = (id: string) => rank.get(id) ?? ids.length;
  const partners = new Map(ids.map((id) => [id, new Set([id])]));
  const known = pairs.filter(({ a, b }) => rank.has(a) && rank.has(b));
  for (const { a, b } of known) {
    partners.get(a)?.add(b);
    partners.get(b)?.add(a);
  }
  const groups = new Map<string, Group>();
  const groupOf = (id: string) => groups.get(id) ?? { stays: id, others: [] };
  for (const { a, b } of known.toSorted((p, q) => q.score - p.score || rankOf(p.a) - rankOf(q.a))) {
    const one = groupOf(a);
    const other = groupOf(b);
    const all = [...new Set([one.stays, ...one.others, other.stays, ...other.others])];
    if (all.length > LARGEST || (groups.has(a) && one === other)) continue;
    if (all.some((p) => all.some((q) => different.has(keyOf(p, q))))) continue;
    const stays = all
      .sort((p, q) => rankOf(p) - rankOf(q))
      .find((id) => all.every((each) => partners.get(id)?.has(each)));
    if (stays === undefined) continue;
    const group = { stays, others: all.filter((id) => id !== stays) };
    for (const id of all) groups.set(id, group);
  }
  return [...new Set(groups.values())];
}

/** The same for both orders. */
export const keyOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);

/** What a pair has in common or apart, besides its names. */
const PARTS = {
  samePhone: () => t("same phone"),
  sameAddress: () => t("same address"),
  sameWebsite: () => t("same website"),
  otherPhone: () => t("different phones"),
  otherWebsite: () => t("different websites"),
  otherCategory: () => t("different categories"),
} as const;

const NAMES = {
  sameName: () => t("Same name"),
  sameWords: () => t("Same words in the name"),
  similarName: () => t("Similar name"),
} as const;

type Name = keyof typeof NAMES;
type Part = keyof typeof PARTS;

/** How the venues of a pair are alike. */
interface Likeness {
  evidence: readonly Evidence[];
  isOtherCategory: boolean;
}

/**
 * Returns a key that all groups share whose venues are alike in the same way, such as `sameName samePhone`: the weakest likeness of
 * names, what all pairs of the group have in common, and what any of them has apart.
 */
export function familyOf(pairs: readonly Likeness[]): string {
  const name = (Object.keys(NAMES) as Name[]).findLast((each) => pairs.some((pair) => nameOf(pair) === each));
  const parts = (Object.keys(PARTS) as Part[]).filter((part) =>
    part.startsWith("same") ? pairs.every((pair) => has(pair, part)) : pairs.some((pair) => has(pair, part)),
  );
  return [name, ...parts].join(" ");
}

/** In words: "Same name, same phone". */
export const familyInWords = (family: string): string =>
  family
    .split(" ")
    .flatMap((part) => ({ ...NAMES, ...PARTS })[part as Name | Part]?.() ?? [])
    .join(", ");

function nameOf({ evidence }: Likeness): Name {
  const text = evidence.find(({ comparison }) => comparison === "name")?.text ?? "";
  return text === "same name" ? "sameName" : text.startsWith("same words") ? "sameWords" : "similarName";
}

function has({ evidence, isOtherCategory }: Likeness, part: Part): boolean {
  if (part === "otherCategory") return isOtherCategory;
  const [, likeness, subject = ""] = /^(same|other)(.*)$/.exec(part) ?? [];
  const sign = likeness === "same" ? 1 : -1;
  return evidence.some(({ comparison, weight }) => comparison === subject.toLowerCase() && sign * weight > 0);
}
