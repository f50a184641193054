import type { ComparisonName, Comparisons } from "./compare.ts";
import { hasWord, haveSameWords } from "./compare-names.ts";
import { metresInWords } from "./distance.ts";
import type { Prepared } from "./prepare.ts";
import { biasOf, weightOf } from "./score.ts";

/** What moved the score: `weight` in log-odds, above 0 for the match, below 0 against it. `text` says it to people. */
export interface Evidence {
  comparison: string;
  weight: number;
  text: string;
}

type Names = Pick<Prepared, "words" | "joined">;

/** What moved the score most, weightiest first. Comparisons of one thing, such as the names, are told as one. */
export function evidenceOf(comparisons: Comparisons, listing: Names, venue: Names): Evidence[] {
  return SUBJECTS.map(({ comparison, parts, say }) => {
    // A name has to be alike at all: what is left when it has outweighed the bias speaks for the match.
    const bias = comparison === "name" ? biasOf(comparisons) : 0;
    const weight = parts.reduce((sum, part) => sum + weightOf(part, comparisons), bias);
    const text = say(comparisons, { listing, venue, weight });
    return { comparison, weight: Math.round(100 * weight) / 100, text };
  })
    .filter(({ weight, text }) => Math.abs(weight) >= 0.1 && text !== "")
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

interface Subject {
  comparison: string;
  parts: ComparisonName[];
  /** Empty where there is nothing to say. */
  say: (comparisons: Comparisons, about: { listing: Names; venue: Names; weight: number }) => string;
}

/** The comparisons by what they are about, and the words for each. */
const SUBJECTS: Subject[] = [
  {
    comparison: "name",
    parts: ["trigrams", "original", "contained", "shared", "firstWord", "acronym", "telling", "sameKind"],
    say: (_, { listing, venue, weight }) => nameInWords(listing, venue, weight > 0),
  },
  {
    comparison: "distance",
    parts: ["distance"],
    say: ({ distance }) =>
      distance === undefined ? "position not known" : `${metresInWords(10 * Math.expm1(distance))} apart`,
  },
  {
    comparison: "kind",
    parts: ["otherKind", "extraTrade", "extraDepartment", "extraBelonging", "extraStop", "extraKind"],
    say: ({ otherKind, extraTrade, extraKind }) => {
      if (otherKind) return "names of different kinds of places";
      return extraTrade || extraKind ? "only one name tells the kind of place" : "one may be a part of the other";
    },
  },
  { comparison: "onlyOneAt", parts: ["onlyOneAt"], say: () => "one is at a place, the other is the place" },
  { comparison: "sibling", parts: ["sibling"], say: () => "one word tells it from a sibling" },
  {
    comparison: "otherDesignation",
    parts: ["otherDesignation"],
    say: () => "a letter, number or direction tells them apart",
  },
  { comparison: "otherNumber", parts: ["otherNumber"], say: () => "other number in the name" },
  {
    comparison: "address",
    parts: ["sameAddress"],
    say: ({ sameAddress }) => (sameAddress === undefined ? "" : "same address"),
  },
  {
    comparison: "houseNumber",
    parts: ["otherHouseNumber"],
    say: ({ otherHouseNumber }) => ["same house number", "other house number"][otherHouseNumber ?? -1] ?? "",
  },
  { comparison: "street", parts: ["street"], say: ({ street }) => streetInWords(street) },
  {
    comparison: "unit",
    parts: ["otherUnit"],
    say: ({ otherUnit }) => (otherUnit ? "other unit" : "same unit"),
  },
  {
    comparison: "zip",
    parts: ["otherZip"],
    say: ({ otherZip }) => (otherZip ? "other postal code" : "same postal code"),
  },
  {
    comparison: "phone",
    parts: ["samePhone", "otherPhone"],
    say: ({ samePhone }) => (samePhone ? "same phone" : "other phone"),
  },
  { comparison: "twitter", parts: ["sameTwitter"], say: () => "same Twitter name" },
  {
    comparison: "website",
    parts: ["otherWebsite", "otherPage"],
    say: ({ otherWebsite, otherPage }) => {
      if (otherPage) return "other page of the same website";
      return otherWebsite ? "other website" : "same website";
    },
  },
  {
    comparison: "town",
    parts: ["otherTown"],
    say: ({ otherTown = 1 }) => {
      if (otherTown === 0) return "same town";
      return otherTown < 0.5 ? "town written otherwise" : "other town";
    },
  },
  {
    comparison: "rivals",
    parts: ["rival"],
    say: ({ rival = 0 }) => (rival > 0 ? "another venue is more alike" : "another venue is nearly as like"),
  },
];

/** "same name", or what each name has that the other lacks: "names alike but for “cafe” / “bar”". */
function nameInWords(listing: Names, venue: Names, isAlike: boolean): string {
  if (listing.joined === venue.joined) return "same name";
  if (haveSameWords(listing, venue)) return "same words in the name";
  const differing = [onlyIn(listing, venue), onlyIn(venue, listing)].filter(Boolean).map((words) => `“${words}”`);
  if (differing.length === 0) return "same words, not as often";
  if (isAlike) return `names alike but for ${differing.join(" / ")}`;
  return differing.length === 1 ? `only one name has ${differing[0]}` : `names differ: ${differing.join(" / ")}`;
}

const onlyIn = ({ words }: Names, other: Names): string =>
  words
    .filter(({ text }) => !hasWord(other, text))
    .map(({ text }) => text)
    .join(" ");

function streetInWords(street: number | undefined): string {
  if (street === undefined) return "";
  return street > 0.8 ? "same street" : street > 0.5 ? "street written otherwise" : "other street";
}
