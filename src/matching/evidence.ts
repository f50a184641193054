import { hasWord, haveSameWords } from "./common-words.ts";
import type { ComparisonName, Comparisons } from "./compare.ts";
import { metresInWords } from "./distance.ts";
import type { OtherName, Prepared, Spot } from "./prepare.ts";
import { biasOf, weightOf } from "./score.ts";
import { languageName } from "./text/language-name.ts";
import { nameOf } from "./text/name.ts";

/** A reason for the score, in words (`text`). `weight`: log-odds, positive for the match, negative against it. */
export interface Evidence {
  comparison: string;
  weight: number;
  text: string;
}

type Names = Pick<Prepared, "words" | "joined" | "name" | "otherName"> & { record?: Spot };

/** Returns the reasons for the score, largest weight first; one for all comparisons of a subject, such as the name. */
export function evidenceOf(comparisons: Comparisons, listing: Names, venue: Names): Evidence[] {
  const found: Evidence[] = [];
  for (const { comparison, parts, contradicts, say } of SUBJECTS) {
    // The bias counts against the name: only what exceeds it is evidence for the match.
    const bias = comparison === "name" ? biasOf(comparisons) : 0;
    const sum = parts.reduce((total, part) => total + weightOf(part, comparisons), bias);
    const isToTell = contradicts?.(comparisons) ?? false;
    const weight = Math.min(Math.round(100 * sum) / 100, isToTell ? LEAST_AGAINST : Number.POSITIVE_INFINITY);
    const text = isToTell || Math.abs(weight) >= 0.1 ? say(comparisons, { listing, venue, weight: sum }) : "";
    if (text !== "") found.push({ comparison, weight, text });
  }
  if (venue.record?.isTemporarilyClosed)
    found.push({ comparison: "temporarilyClosed", weight: LEAST_AGAINST, text: "closed for a time" });
  return found.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

/** Of what holds a match back, though it weighs next to nothing. */
export const LEAST_AGAINST = -0.01;

/** Adds that others of its name have the venue's position. */
export const withOnePoint = (evidence: readonly Evidence[]): Evidence[] => [
  ...evidence,
  { comparison: "onePoint", weight: LEAST_AGAINST, text: "several venues with this name share one position" },
];

/** Adds that other places have the name by which it was found, or as a brand may have it. */
export const withSharedName = (evidence: readonly Evidence[], weight: number, isBrand: boolean): Evidence[] => {
  const text = isBrand ? "a brand does not tell its branches apart" : "other venues have this name too";
  return [...evidence, { comparison: "sharedName", weight: Math.min(weight, LEAST_AGAINST), text }].sort(
    (a, b) => Math.abs(b.weight) - Math.abs(a.weight),
  );
};

/** Adds that a position is only that of its address. */
export const withByAddress = (evidence: readonly Evidence[], weight: number): Evidence[] =>
  [...evidence, { comparison: "positionByAddress", weight, text: "position known by the address only" }].sort(
    (a, b) => Math.abs(b.weight) - Math.abs(a.weight),
  );

interface Subject {
  comparison: string;
  parts: ComparisonName[];
  /** Whether it is against a match even if it weighs nothing (contradiction.ts). */
  contradicts?: (comparisons: Comparisons) => boolean;
  /** Returns an empty text if there is nothing to say. */
  say: (comparisons: Comparisons, about: { listing: Names; venue: Names; weight: number }) => string;
}

/** The comparisons of each subject, and its words. */
const SUBJECTS: Subject[] = [
  {
    comparison: "name",
    parts: ["trigrams", "original", "sound", "contained", "shared", "firstWord", "acronym", "telling", "sameKind"],
    say: (_, { listing, venue, weight }) => nameInWords(listing, venue, weight > 0),
  },
  {
    comparison: "distance",
    parts: ["distance"],
    say: ({ distance }) =>
      distance === undefined ? "position unknown" : `${metresInWords(10 * Math.expm1(distance))} apart`,
  },
  {
    comparison: "kind",
    parts: ["otherKind", "extraTrade", "extraDepartment", "extraBelonging", "extraStop", "extraKind"],
    say: ({ otherKind, extraTrade, extraKind }) => {
      if (otherKind) return "names suggest different kinds of place";
      return extraTrade || extraKind
        ? "only one name states the kind of place"
        : "one name adds a department or facility";
    },
  },
  {
    comparison: "script",
    parts: [],
    contradicts: ({ sound, sameAddress, samePhone }) =>
      sound !== undefined && sameAddress === undefined && samePhone !== 1,
    say: () => "names in different scripts",
  },
  { comparison: "onlyOneAt", parts: ["onlyOneAt"], say: () => "one may be inside the other" },
  {
    comparison: "difference",
    parts: [
      "otherWord",
      "kindWord",
      "otherHere",
      "otherSigns",
      "likeWord",
      "extraWord",
      "extraBeside",
      "extraWithin",
      "extraNumber",
      "tradeAlone",
      "placeAlone",
      "spelt",
    ],
    contradicts: ({ extraNumber }) => extraNumber > 0,
    say: ({ otherWord, kindWord, otherHere, likeWord, extraWord, tradeAlone, placeAlone, spelt }) => {
      if (otherWord || kindWord || otherHere || likeWord) return "each name has a word the other lacks";
      if (tradeAlone) return "only one name states the kind of business";
      if (extraWord || placeAlone) return "one name has an extra word";
      return spelt ? "names spelled differently" : "one may be part of the other";
    },
  },
  { comparison: "sibling", parts: ["sibling"], say: () => "may be two branches" },
  {
    comparison: "otherDesignation",
    parts: ["otherDesignation"],
    say: () => "differ by a letter, number or word",
  },
  {
    comparison: "address",
    parts: ["sameAddress"],
    say: ({ sameAddress }) => (sameAddress === undefined ? "" : "same address"),
  },
  {
    comparison: "houseNumber",
    parts: ["otherHouseNumber", "otherHouseFar"],
    say: ({ otherHouseNumber }) => ["same house number", "different house number"][otherHouseNumber ?? -1] ?? "",
  },
  {
    comparison: "street",
    parts: ["street"],
    contradicts: ({ street = 1, otherHouseNumber }) => street < 0.5 && otherHouseNumber !== undefined,
    say: ({ street }) => streetInWords(street),
  },
  {
    comparison: "unit",
    parts: ["otherUnit"],
    say: ({ otherUnit }) => (otherUnit ? "different unit" : "same unit"),
  },
  {
    comparison: "zip",
    parts: ["otherZip"],
    contradicts: ({ otherZip }) => otherZip === 1,
    say: ({ otherZip }) => (otherZip ? "different postal code" : "same postal code"),
  },
  {
    comparison: "phone",
    parts: ["samePhone", "otherPhone", "phoneAtHouse"],
    say: ({ samePhone }) => (samePhone ? "same phone" : "different phone"),
  },
  { comparison: "twitter", parts: ["sameTwitter"], say: () => "same Twitter name" },
  {
    comparison: "website",
    parts: ["otherWebsite", "otherPage"],
    say: ({ otherWebsite, otherPage }) => {
      if (otherPage) return "different page of the same website";
      return otherWebsite ? "different website" : "same website";
    },
  },
  {
    comparison: "town",
    parts: ["otherTown"],
    say: ({ otherTown = 1 }) => {
      if (otherTown === 0) return "same town";
      return otherTown < 0.5 ? "town spelled differently" : "different town";
    },
  },
  {
    comparison: "rivals",
    parts: ["rival"],
    say: ({ rival = 0 }) => (rival > 0 ? "another venue is more similar" : "another venue fits almost as well"),
  },
];

/** Words the comparison of names, with the words that differ: "names similar except “Café” / “Bar”". */
function nameInWords(listing: Names, venue: Names, isAlike: boolean): string {
  if (venue.otherName && isAlike) return otherNameInWords(venue.otherName, haveSameWords(listing, venue));
  if (listing.joined === venue.joined) return "same name";
  if (haveSameWords(listing, venue)) return "same words in the name";
  const differing = [onlyIn(listing, venue), onlyIn(venue, listing)].filter(Boolean).map((words) => `“${words}”`);
  if (differing.length === 0) return "same words, some repeated";
  if (isAlike) return `names similar except ${differing.join(" / ")}`;
  return differing.length === 1 ? `only one name has ${differing[0]}` : `names differ: ${differing.join(" / ")}`;
}

function otherNameInWords({ kind, name }: OtherName, isSame: boolean): string {
  const [base = "", language = ""] = kind.split(":");
  const said = base === "common" ? (languageName(language) ?? language) : ({ old: "former" }[base] ?? base);
  const what = base === "alternate" ? "" : ` (${said})`;
  const quoted = `${name.slice(0, LONGEST)}”${what}`;
  return isSame ? `matches its other name “${quoted}` : `is similar to its other name “${quoted}`;
}

/** Returns the words that only this name has, as it spells them; the whole name if it is written without spaces. */
function onlyIn({ words, name }: Names, other: Names): string {
  const lacking = new Set(words.map(({ text }) => text).filter((text) => !hasWord(other, text)));
  if (lacking.size === 0) return "";
  const own: string[] = [];
  for (const written of name.slice(0, LONGEST).split(/\s+/u)) {
    const meant = nameOf({ name: written }).words.filter((text) => lacking.delete(text));
    if (meant.length > 0) own.push(written.replace(PUNCTUATION, "") || written);
  }
  // Words that are compared may come from several written ones: then the name speaks for itself.
  return lacking.size === 0 ? own.join(" ") : name.slice(0, LONGEST).trim();
}

/** UTF-16 units of a name that are read. */
const LONGEST = 400;

const PUNCTUATION = /^[\p{P}\p{Z}]+|[\p{P}\p{Z}]+$/gu;

function streetInWords(street: number | undefined): string {
  if (street === undefined) return "";
  return street > 0.8 ? "same street" : street > 0.5 ? "street spelled differently" : "different street";
}
