import { t } from "../../language/translate.ts";
import type { Evidence } from "../../matching/evidence.ts";

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
export interface Likeness {
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
