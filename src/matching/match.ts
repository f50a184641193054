import { type Comparisons, compare } from "./compare.ts";
import type { Commonness } from "./compare-names.ts";
import { distanceBetween } from "./distance.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { type Listing, type Name, nameOf, type Prepared, prepare, type Spot } from "./prepare.ts";
import { type Compared, compareRivals } from "./rivals.ts";
import { logOddsOf, scoreOf } from "./score.ts";
import { trigramsAmong } from "./similarity.ts";

/** A candidate with the chance (0 to 1) that it is the listing's venue, and what speaks for and against it. */
export interface Match<V extends Listing> {
  venue: V;
  score: number;
  /** What the names differ by may make it a part or a sibling of the other place: "X Pharmacy", "Hall B". Nobody knows without a look. */
  mayBePart: boolean;
  /** Told when asked for: of most candidates nobody wants to know. */
  readonly evidence: Evidence[];
}

/** Scores every candidate for one listing, best first. Pure: the same input gives the same answer. */
export function matchListing<V extends Listing>(listing: Listing, candidates: readonly V[]): Match<V>[] {
  const prepared = prepare(listing);
  const compared = compareAll(prepared, candidates);
  const matches = compared.map(({ venue, comparisons }) => ({
    venue: venue.record,
    score: scoreOf(logOddsOf(comparisons)),
    mayBePart: mayBePart(comparisons),
    get evidence() {
      return evidenceOf(comparisons, prepared, venue);
    },
  }));
  const isCompared = new Set(matches.map(({ venue }) => venue));
  const others = candidates.filter((venue) => !isCompared.has(venue)).map(notCompared);
  return [...nearestFirst(matches, listing).sort((a, b) => b.score - a.score), ...nearestFirst(others, listing)];
}

function nearestFirst<V extends Listing>(matches: Match<V>[], listing: Listing): Match<V>[] {
  if (matches.length < 2) return matches;
  const placed = matches.map((match) => ({ match, metres: distanceBetween(match.venue, listing) }));
  return placed.sort((a, b) => a.metres - b.metres).map(({ match }) => match);
}

export const mayBePart = (comparisons: Comparisons): boolean => {
  const { extraBelonging, extraStop, extraDepartment, otherNumber, sibling, otherDesignation } = comparisons;
  return extraBelonging + extraStop + extraDepartment + otherNumber + sibling + otherDesignation > 0;
};

const notCompared = <V extends Listing>(venue: V): Match<V> => ({
  venue,
  score: 0,
  mayBePart: false,
  evidence: [NOTHING_ALIKE],
});

const NOTHING_ALIKE: Evidence = { comparison: "name", weight: -10, text: "nothing in the names is alike" };

/** Compares the candidates that have anything in common with the listing, with it and with one another. */
export function compareAll<V extends Listing>(listing: Prepared, candidates: readonly V[]): Compared<V>[] {
  const names = candidates.map(nameOf);
  const commonness = commonnessAmong(names);
  const isAlike = likenessTo(listing);
  const compared: Compared<V>[] = [];
  candidates.forEach((candidate, at) => {
    const name = names[at] as Name;
    if (!isAlike(candidate, name)) return;
    const venue = prepare(candidate, name, listing);
    compared.push({ venue, comparisons: compare(listing, venue, commonness) });
  });
  compareRivals(compared);
  return compared;
}

/** Whether a venue is worth comparing: most of the nearest ones have nothing of the name, and none of the numbers. */
function likenessTo({ record, trigrams, words: ownWords }: Prepared): (venue: Spot, name: Name) => boolean {
  const own = new Set(trigrams);
  const initials = initialsOf(ownWords.map(({ text }) => text));
  const first = ownWords[0]?.text ?? "";
  return (venue, { text, words }) => {
    const { common, all } = trigramsAmong(text, own);
    if (2 * common >= LEAST_LIKENESS * (all + own.size) || common === own.size) return true;
    if ((record.phone && venue.phone) || (record.twitter && venue.twitter)) return true;
    const [theirs = ""] = words;
    return (
      (first.length > 1 && initialsOf(words).startsWith(first)) || (theirs.length > 1 && initials.startsWith(theirs))
    );
  };
}

/** Share of the trigrams. Nearly all matches have more than twice of it. */
const LEAST_LIKENESS = 0.2;

const initialsOf = (texts: string[]): string => texts.map((text) => text.charAt(0)).join("");

/** The candidates are the neighbourhood: a word that many of them bear ("Providence", "Restaurant") tells little. */
export function commonnessAmong(names: readonly Name[]): Commonness {
  const counts = new Map<string, number>();
  for (const { words } of names)
    words.forEach((word, at) => {
      if (words.indexOf(word) === at) counts.set(word, (counts.get(word) ?? 0) + 1);
    });
  const scale = Math.log1p(Math.max(names.length, 8));
  return (word) => Math.log(counts.get(word) || 1) / scale;
}
