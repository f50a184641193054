import type { ComparisonName, Comparisons } from "./compare.ts";
import type { Prepared } from "./prepare.ts";
import { weightOf } from "./score.ts";

/** What moved the score: `weight` in log-odds, above 0 for the match, below 0 against it. `text` says it to people. */
export interface Evidence {
  comparison: string;
  weight: number;
  text: string;
}

type Names = Pick<Prepared, "words" | "has" | "joined" | "sorted" | "record">;

/** What moved the score most, weightiest first. Comparisons of one thing, such as the names, are told as one. */
export function evidenceOf(comparisons: Comparisons, listing: Names, venue: Names): Evidence[] {
  return SUBJECTS.map(({ comparison, parts, say }) => {
    const weight = parts.reduce((sum, part) => sum + weightOf(part, comparisons), 0);
    return { comparison, weight: Math.round(100 * weight) / 100, text: say(comparisons, listing, venue) };
  })
    .filter(({ weight, text }) => Math.abs(weight) >= 0.1 && text !== "")
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

interface Subject {
  comparison: string;
  parts: ComparisonName[];
  /** Empty where there is nothing to say. */
  say: (comparisons: Comparisons, listing: Names, venue: Names) => string;
}

/** The comparisons by what they are about, and the words for each. */
const SUBJECTS: Subject[] = [
  {
    comparison: "name",
    parts: ["trigrams", "original", "contained", "shared", "firstWord", "acronym", "telling", "sameKind"],
    say: (_, listing, venue) => nameInWords(listing, venue),
  },
  {
    comparison: "distance",
    parts: ["distance"],
    say: ({ distance }) => (distance === undefined ? "position not known" : `${metresInWords(distance)} apart`),
  },
  {
    comparison: "kind",
    parts: ["otherKind", "extraTrade", "extraDepartment", "extraBelonging", "extraStop", "extraKind"],
    say: ({ otherKind }) =>
      otherKind ? "names of different kinds of places" : "one may be a part or a neighbour of the other",
  },
  { comparison: "onlyOneAt", parts: ["onlyOneAt"], say: () => "one is at a place, the other is the place" },
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
    say: ({ otherTown = 1 }) => (otherTown < 0.3 ? "same town" : "other town"),
  },
  {
    comparison: "rivals",
    parts: ["rival"],
    say: ({ rival = 0 }) => (rival > 0 ? "another venue is more alike" : "another venue is nearly as like"),
  },
];

/** "same name", or what each name has that the other lacks: "name differs by “cafe” / “bar”". */
function nameInWords(listing: Names, venue: Names): string {
  if (listing.joined === venue.joined) return "same name";
  if (listing.sorted === venue.sorted) return "same words in the name";
  const [ours, theirs] = [onlyIn(listing, venue), onlyIn(venue, listing)];
  if (ours === "" || theirs === "") return `only one name has “${ours || theirs}”`;
  return `name differs by “${ours}” / “${theirs}”`;
}

const onlyIn = ({ words }: Names, { has }: Names): string =>
  words
    .filter(({ text }) => !has.has(text))
    .map(({ text }) => text)
    .join(" ");

function metresInWords(distance: number): string {
  const metres = 10 * Math.expm1(distance);
  return metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(1)} km`;
}

function streetInWords(street: number | undefined): string {
  if (street === undefined) return "";
  return street > 0.8 ? "same street" : street > 0.5 ? "street written otherwise" : "other street";
}
