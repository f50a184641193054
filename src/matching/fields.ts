import { haveSameWords, NO_NEIGHBOURS } from "./common-words.ts";
import { type Comparisons, compare } from "./compare.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { type Address, addressWords, sameHouse } from "./normalize/address.ts";
import { LABELS } from "./normalize/address-segment.ts";
import { foldText } from "./normalize/normalize.ts";
import { isSameState } from "./normalize/regions.ts";
import { type Prepared, prepare, type Spot } from "./prepare.ts";
import { nameOf } from "./text/name.ts";

/** A spot as text, without its position. The match ignores `state` and `category`: they are compared for display. */
export interface Fields {
  name?: string | undefined;
  address?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  phone?: string | undefined;
  twitter?: string | undefined;
  url?: string | undefined;
  category?: string | undefined;
}
export type Field = keyof Fields;

/** `similar`: neither the same nor clearly different. */
export type Likeness = "same" | "similar" | "differs";

/** The likeness of each field that both spots have, and the evidence for and against the match. */
export interface FieldComparison {
  likeness: Partial<Record<Field, Likeness>>;
  evidence: Evidence[];
}

/**
 * Compares two spots field by field, by the rules of the match. A field's likeness never contradicts the evidence.
 *
 * @param told evidence of a directory that has compared them; if empty, that of this comparison is returned
 */
export function compareFields(listing: Fields, venue: Fields, told: readonly Evidence[] = []): FieldComparison {
  const [a, b] = [prepare(clipped(listing)), prepare(clipped(venue))];
  const comparisons = compare(a, b, NO_NEIGHBOURS);
  const found = evidenceOf(comparisons, a, b);
  const evidence = told.length > 0 ? [...told] : found.filter(isSaidBy(listing, venue));
  const likeness: FieldComparison["likeness"] = {};
  for (const field of FIELDS) {
    const [ours, theirs] = [listing[field], venue[field]];
    if (!ours || !theirs) continue;
    const own = ours === theirs ? "same" : RULES[field](comparisons, a, b, [ours, theirs], found);
    const isCut = ours !== theirs && Math.max(ours.length, theirs.length) > LONGEST;
    likeness[field] = inAgreement(isCut && own === "same" ? "similar" : own, field, evidence);
  }
  return { likeness, evidence };
}

/** Returns a key that all spellings of a word of the field share; empty if it has no letter or digit. */
export const wordKey = (field: Field, word: string): string =>
  (field === "address" ? addressWords(word) : nameOf({ name: word }).words).join("");

/** UTF-16 units of a text that are compared: another directory may send texts of any length. */
const LONGEST = 400;

const clipped = (fields: Fields): Spot => ({
  name: "",
  ...Object.fromEntries(FIELDS.map((field) => [field, fields[field]?.slice(0, LONGEST) ?? ""])),
});

/** Excludes evidence about the names if one of them is missing. */
const isSaidBy =
  (a: Fields, b: Fields) =>
  ({ comparison }: Evidence): boolean =>
    ABOUT[comparison]?.[0] !== "name" || Boolean(a.name && b.name);

type Rule = (
  comparisons: Comparisons,
  a: Prepared,
  b: Prepared,
  texts: [string, string],
  found: readonly Evidence[],
) => Likeness;

const RULES: Record<Field, Rule> = {
  name: (_comparisons, a, b, _texts, found) =>
    byDegree(
      a.joined !== "" && haveSameWords(a, b),
      found.some(({ comparison, weight }) => comparison === "name" && weight > 0),
    ),
  address: addressLikeness,
  city: ({ otherTown }, _a, _b, texts) =>
    otherTown === undefined ? textLikeness(texts) : byDegree(otherTown === 0, otherTown < 0.5),
  state: (_comparisons, _a, _b, texts) => (isSameState(...texts) ? "same" : textLikeness(texts)),
  zip: ({ otherZip }, a, b, texts) => (a.zip && b.zip ? zipLikeness(a.zip, b.zip, !otherZip) : textLikeness(texts)),
  phone: ({ samePhone }, _a, _b, texts) => (samePhone === undefined ? textLikeness(texts) : byDegree(samePhone === 1)),
  twitter: ({ sameTwitter }, _a, _b, texts) => (sameTwitter ? "same" : byDegree(keyOf(texts[0]) === keyOf(texts[1]))),
  url: ({ otherWebsite }, a, b, texts) => {
    if (otherWebsite === undefined) return textLikeness(texts);
    return byDegree(!otherWebsite && a.website?.path === b.website?.path, !otherWebsite);
  },
  category: (_comparisons, _a, _b, texts) => {
    const [one, other] = texts.map((name) => prepare({ name })) as [Prepared, Prepared];
    return byDegree(one.joined !== "" && haveSameWords(one, other), (one.kinds & other.kinds) !== 0);
  },
};
const FIELDS = Object.keys(RULES) as Field[];

const byDegree = (isSame: boolean, isSimilar = false): Likeness =>
  isSame ? "same" : isSimilar ? "similar" : "differs";

function addressLikeness(comparisons: Comparisons, a: Prepared, b: Prepared, texts: [string, string]): Likeness {
  const { otherHouseNumber, street, otherUnit } = comparisons;
  if (otherHouseNumber || a.address.box !== b.address.box) return "differs";
  if (a.address.street.length + b.address.street.length === 0 && !hasHouse(a.address) && !a.address.box)
    return textLikeness(texts);
  const isSame =
    isSameAddress(a.address, b.address) && !otherUnit && (a.address.box !== undefined || !haveOtherWords(texts));
  return byDegree(isSame, street === undefined || street > 0.5);
}

function isSameAddress(a: Address, b: Address): boolean {
  const isSameHouse = sameHouse(a, b) ?? hasHouse(a) === hasHouse(b);
  const [street, other] = [a.street, b.street].map((words) => [...new Set(words)].sort().join(" "));
  return isSameHouse && street === other && a.unit === b.unit && a.level === b.level;
}

const hasHouse = ({ numbers }: Address): boolean => numbers.length > 0;

/** Whether each address has a word that the other lacks, such as a town. Labels and words with digits do not count. */
function haveOtherWords(texts: [string, string]): boolean {
  const [ours, theirs] = texts.map((text) =>
    addressWords(text).filter((word) => !LABELS.has(word) && !/\d/.test(word)),
  );
  const lacks = (some: string[] = [], others: string[] = []) => some.some((word) => !others.includes(word));
  return lacks(ours, theirs) && lacks(theirs, ours);
}

/** A ZIP code is the same as its ZIP+4; "EH7" is similar to "EH7 5QA". */
function zipLikeness(a: string, b: string, mayBeSame: boolean): Likeness {
  const [one, other] = [a, b].map((zip) => zip.replace(/^(\d{4,5})\d{4}$/, "$1"));
  const isWithin = one === other && (one === a || other === b);
  return byDegree(a === b || isWithin, mayBeSame || one === other);
}

/** Compares what the match does not: "similar" if one contains or may abbreviate the other ("Bern", "Canton of Bern"). */
function textLikeness([a, b]: [string, string]): Likeness {
  const [short = "", long = ""] = [keyOf(a), keyOf(b)].sort((one, other) => one.length - other.length);
  if (short === "") return byDegree(a.trim() === b.trim());
  return byDegree(short === long, long.includes(short) || (short.length <= 3 && isShortFor(short, long)));
}

const keyOf = (text: string): string =>
  foldText(text.slice(0, LONGEST))
    .replaceAll("&", "and")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "");

/** Whether both begin with the same letter, and `long` contains the letters of `short` in this order. */
function isShortFor(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length && short[0] === long[0];
}

/** The field that evidence is about, all of it or a part: fields that differ as a whole may have a part in common. */
const ABOUT: Partial<Record<string, [Field, "whole" | "part"]>> = {
  name: ["name", "whole"],
  kind: ["name", "part"],
  onlyOneAt: ["name", "part"],
  difference: ["name", "part"],
  sibling: ["name", "part"],
  otherDesignation: ["name", "part"],
  address: ["address", "whole"],
  houseNumber: ["address", "part"],
  street: ["address", "part"],
  unit: ["address", "part"],
  zip: ["zip", "whole"],
  phone: ["phone", "whole"],
  twitter: ["twitter", "whole"],
  website: ["url", "whole"],
  town: ["city", "whole"],
};

/** Returns "similar" if the evidence contradicts `own`: a directory knows the neighbourhood or compares differently. */
function inAgreement(own: Likeness, field: Field, evidence: readonly Evidence[]): Likeness {
  const said = evidence.flatMap(({ comparison, weight }) => {
    const [about, extent] = ABOUT[comparison] ?? [];
    return about === field ? [{ extent, weight }] : [];
  });
  const isFor = said.some(({ extent, weight }) => weight > 0 && extent === "whole");
  const isAgainst = said.some(({ weight }) => weight < 0);
  return (own === "differs" && isFor) || (own === "same" && isAgainst) ? "similar" : own;
}
