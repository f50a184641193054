import { commonOf, type Neighbourhood } from "./common-words.ts";
import { type Comparisons, compare, NEXT_DOOR } from "./compare.ts";
import { isContradicted, isOfManyAtOnePoint } from "./contradiction.ts";
import { distanceBetween } from "./distance.ts";
import { type Evidence, evidenceOf, withByAddress, withOnePoint, withSharedName } from "./evidence.ts";
import { withLostFilled } from "./lost-characters.ts";
import { isFiller } from "./normalize/place-kinds.ts";
import { isAscii } from "./normalize/repair.ts";
import { outlineOf } from "./outline.ts";
import { type Known, knownOf, type Listing, type OtherName, type Prepared, type Spot } from "./prepare.ts";
import { type Compared, compareRivals, compareWithRivals, isFarBehind, type Likeness, tellLetters } from "./rivals.ts";
import { logOdds, logOddsAtMost, logOddsOf, scoreOf, weightOf } from "./score.ts";
import { isInOtherScript, type Name } from "./text/name.ts";
import { countAmong, diceOfText } from "./text/similarity.ts";

/** A candidate with the probability (0 to 1) that it is the listing's venue, and the evidence for and against it. */
export interface Match<V extends Listing> {
  venue: V;
  score: number;
  /** The names differ as those of a part, a sibling or a neighbour may: "X Pharmacy", "Hall B". */
  readonly mayBePart: boolean;
  /**
   * Never accepted without review, whatever the score: it may be a part, the addresses contradict each other, or a position
   * that tells nothing is all there is.
   */
  readonly needsReview: boolean;
  /** It has the listing's address, and a name that begins similarly. */
  readonly isAtAddress: boolean;
  /** Computed when read, because for most candidates it never is. */
  readonly evidence: Evidence[];
}

/**
 * Scores every candidate for one listing, best first. Pure: the same input gives the same result. Candidates must not
 * change afterwards, because what depends only on one is computed once.
 *
 * @param leastScore as `minScore` of `decideMatches`, which needs no candidate that certainly scores less
 */
export function matchListing<V extends Listing>(
  listing: Listing,
  candidates: readonly V[],
  leastScore = 0,
): Match<V>[] {
  const { prepared } = knownOf(withLostFilled(listing, candidates));
  const compared = compareAll(prepared, candidates, Math.min(leastScore, HARMLESS));
  const matches = compared.map((each) => new ComparedMatch(prepared, each, compared));
  if (leastScore > 0) return ranked(matches, listing);
  const isCompared = new Set(compared.map(({ venue }) => venue.record));
  const others = candidates.filter((venue) => !isCompared.has(venue)).map(notCompared);
  return [...ranked(matches, listing), ...nearestFirst(others, listing)];
}

const ranked = <V extends Listing>(matches: Match<V>[], listing: Listing): Match<V>[] =>
  nearestFirst(matches, listing).sort((a, b) => b.score - a.score);

/** A class, because V8 creates its getters only once. */
class ComparedMatch<V extends Listing> implements Match<V> {
  readonly venue: V;
  readonly score: number;
  readonly #listing: Prepared;
  readonly #compared: Compared<V>;
  readonly #all: readonly Compared<V>[];
  readonly #isByAddress: boolean;

  constructor(listing: Prepared, compared: Compared<V>, all: readonly Compared<V>[]) {
    this.venue = compared.venue.record;
    this.#isByAddress = Boolean(listing.record.isByAddress || this.venue.isByAddress);
    const cost = (compared.cost ?? 0) + (this.#isByAddress ? BY_ADDRESS : 0);
    this.score = scoreOf(logOddsOf(compared.comparisons) - cost);
    this.#listing = listing;
    this.#compared = compared;
    this.#all = all;
  }

  get mayBePart(): boolean {
    return mayBePart(this.#compared.comparisons);
  }

  get needsReview(): boolean {
    const { venue, comparisons } = this.#compared;
    if (areNamesDoubtful(comparisons) || isContradicted(this.#listing, venue, comparisons)) return true;
    if (isBrand(venue.otherName) || (!isFound(comparisons) && (isUnsure(venue.otherName) || this.#isSharedName)))
      return true;
    return !isFound(comparisons) && this.#isOfManyAtOnePoint;
  }

  get #isOfManyAtOnePoint(): boolean {
    return isOfManyAtOnePoint(this.#compared.venue, this.#all);
  }

  get #isSharedName(): boolean {
    return isSharedName(this.#compared.venue, this.#all);
  }

  get isAtAddress(): boolean {
    return (this.#compared.comparisons.sameAddress ?? 0) >= 0.5;
  }

  get evidence(): Evidence[] {
    const found = evidenceOf(this.#compared.comparisons, this.#listing, this.#compared.venue);
    const { otherName } = this.#compared.venue;
    const isTaken = isBrand(otherName) || this.#isSharedName;
    const named = isTaken ? withSharedName(found, -(this.#compared.cost ?? 0), isBrand(otherName)) : found;
    const told = this.#isOfManyAtOnePoint ? withOnePoint(named) : named;
    return this.#isByAddress ? withByAddress(told, -BY_ADDRESS) : told;
  }
}

/**
 * Log-odds: such a position counts the address twice. With a cost of 1 the calibration error for sample_noisy without its
 * positions was .057, with none .075 (2026-11-25, 382 listings with a house number; .022 with their own positions).
 */
export const BY_ADDRESS = 1;

function nearestFirst<V extends Listing>(matches: Match<V>[], listing: Listing): Match<V>[] {
  if (matches.length < 2) return matches;
  const placed = matches.map((match) => ({ match, metres: distanceBetween(match.venue, listing) }));
  return placed.sort((a, b) => a.metres - b.metres).map(({ match }) => match);
}

/**
 * Whether the names differ as those of two places: by more than spelling, spacing, legal form and whereabouts. If phone, or street
 * and house number, are the same, a similar word or one more may be another spelling of a place that is known twice.
 */
export const mayBePart = (comparisons: Comparisons): boolean => {
  const { otherWord, kindWord, likeWord, otherHere, sibling, otherDesignation, otherSigns } = comparisons;
  const { extraBelonging, extraStop, extraDepartment, extraBeside, extraWithin, extraNumber } = comparisons;
  const isOther = otherWord + kindWord + sibling + otherDesignation + otherSigns > 0 || otherHere === 1;
  const isPart = extraBelonging + extraStop + extraDepartment + extraBeside + extraWithin + extraNumber > 0;
  if (isOther || isPart) return true;
  const { extraWord, onlyOneAt, sound } = comparisons;
  return !isFound(comparisons) && (likeWord === 1 || extraWord + onlyOneAt + Number(sound !== undefined) > 0);
};

/** Whether a person would look twice: the wards of a hospital and the cafe of a shop have its phone, street and house number. */
export function areNamesDoubtful(comparisons: Comparisons): boolean {
  const { addsNothing, extraWord, tradeAlone, otherHere = 0 } = comparisons;
  if (addsNothing === 1) return mayBePart({ ...comparisons, extraWord: 0, extraDepartment: 0 });
  if ((addsNothing > 0.5 && isHere(comparisons)) || (addsNothing > 0 && isAlikeElse(comparisons)))
    return mayBePart({ ...comparisons, extraWord: 0 });
  return mayBePart(comparisons) || extraWord + tradeAlone + otherHere > 0;
}

/** Whether address, phone or position say that a branch of a chain is meant. */
const isHere = (comparisons: Comparisons): boolean =>
  isFound(comparisons) || (comparisons.distance ?? Number.POSITIVE_INFINITY) < NEXT_DOOR;

/** Whether name and place alone are so alike that a word of no known kind is no doubt: a part has the phone of the whole, too. */
function isAlikeElse(comparisons: Comparisons): boolean {
  const byPhone = weightOf("samePhone", comparisons) + weightOf("phoneAtHouse", comparisons);
  return logOddsOf(comparisons) - Math.max(0, byPhone) >= LEAST_ALIKE;
}

/**
 * Log-odds of a score of .9. Leaving a city out, first candidates with such a word were right in .99 of 100 from there on, and in
 * .94 of 100 between .77 and .9 (docs/decisions/0004-curves-not-trees.md).
 */
const LEAST_ALIKE = logOdds(0.9);

const isFound = ({ sameAddress, samePhone }: Comparisons): boolean => sameAddress !== undefined || samePhone === 1;

const notCompared = <V extends Listing>(venue: V): Match<V> => ({
  venue,
  score: 0,
  mayBePart: false,
  needsReview: true,
  isAtAddress: false,
  evidence: [NOTHING_ALIKE],
});

const NOTHING_ALIKE: Evidence = { comparison: "name", weight: -10, text: "names have nothing in common" };

/**
 * Compares the listing with the candidates that have anything in common with it, and these with one another.
 *
 * @param leastScore candidates that certainly score less may be left out, unless they are at the listing's address
 */
export function compareAll<V extends Listing>(
  listing: Prepared,
  candidates: readonly V[],
  leastScore = 0,
): Compared<V>[] {
  const known = candidates.map(knownOf);
  const neighbourhood = neighbourhoodOf(known, [listing.record, ...candidates]);
  const isAlike = likenessTo(listing);
  const least = logOdds(leastScore) - ROUNDING;
  const compared: Compared<V>[] = [];
  const hopeless: Likeness[] = [];
  candidates.forEach((candidate, at) => {
    let best: Compared<V> | undefined;
    for (const each of namesToCompare(known[at] as Known)) {
      if (!isAlike(candidate, each)) continue;
      const venue = each.prepared as Prepared<V>;
      const common = commonOf(listing, venue, neighbourhood);
      const outline = leastScore > 0 ? outlineOf(listing, venue, common) : undefined;
      if (outline && logOddsAtMost(outline) < least) hopeless.push(outline);
      else best = better(best, { venue, comparisons: compare(listing, venue, neighbourhood, common) });
    }
    if (best) compared.push(best);
  });
  if (hopeless.length > 0) {
    // Without a rival, a score is at its highest.
    const wanted = compared.filter(
      ({ comparisons }) => comparisons.sameAddress !== undefined || logOddsOf(comparisons) >= least,
    );
    const mayBeRivals = hopeless.some((outline) => wanted.some((each) => !isFarBehind(outline, each)));
    if (mayBeRivals) return compareAll(listing, candidates);
  }
  tellLetters(listing, compared);
  compareRivals(compared);
  return withBrands(listing, known, compared, { isAlike, neighbourhood });
}

const isBrand = (name: OtherName | undefined): boolean => name?.kind === "brand";

/** What was here before, or is written short, may be another place, unless the phone or the address is the same. */
const isUnsure = (name: OtherName | undefined): boolean => /^(?:old|short)(?::|$)/.test(name?.kind ?? "");

/** Brands are compared at last (`withBrands`). */
export const namesToCompare = (known: Known): Known[] =>
  known.others.length === 0 ? [known] : [known, ...known.others.filter(({ otherName }) => !isBrand(otherName))];

/** Of two names that are as good, the first, which is the venue's own. */
export const better = <C extends Compared>(one: C | undefined, other: C): C =>
  one && logOddsOf(one.comparisons) >= logOddsOf(other.comparisons) ? one : other;

/**
 * Compares candidates by their brands, if that fits them better. A brand is a name of many places: such a candidate is no rival of
 * the others, and ranks behind those that match by a name of their own, so that it changes nothing of what is decided about them.
 */
function withBrands<V extends Listing>(
  listing: Prepared,
  known: readonly Known[],
  compared: Compared<V>[],
  { isAlike, neighbourhood }: { isAlike: ReturnType<typeof likenessTo>; neighbourhood: Neighbourhood },
): Compared<V>[] {
  const all = [...compared];
  for (const { others } of known)
    for (const each of others) {
      if (!isBrand(each.otherName) || !isAlike(each.spot, each)) continue;
      const venue = each.prepared as Prepared<V>;
      const rest = compared.filter((other) => other.venue.record !== venue.record);
      const one: Compared<V> = { venue, comparisons: compare(listing, venue, neighbourhood) };
      compareWithRivals(one, rest);
      const best = Math.max(...rest.map(({ comparisons }) => logOddsOf(comparisons)));
      const most = best >= 0 ? best - BEHIND_OTHERS : Number.POSITIVE_INFINITY;
      one.cost = Math.max(0, logOddsOf(one.comparisons) - most);
      const at = all.findIndex((other) => other.venue.record === venue.record);
      const own = all[at];
      if (!own) all.push(one);
      else if (logOddsOf(own.comparisons) < logOddsOf(one.comparisons) - one.cost) all[at] = one;
    }
  return all;
}

/** Log-odds, more than the MARGIN of `decideMatches`. */
const BEHIND_OTHERS = 1;

/** Whether another candidate has the other name by which a venue was found, as its own or another. */
function isSharedName<V extends Listing>(
  { otherName, joined, record }: Prepared<V>,
  all: readonly Compared<V>[],
): boolean {
  if (!otherName) return false;
  return all.some(({ venue }) => {
    if (venue.record === record) return false;
    const known = knownOf(venue.record);
    return [known, ...known.others].some(({ words }) => words.join("") === joined);
  });
}

/** A second one with at most this score never makes `decideMatches` doubt the first, whatever score is asked for. */
const HARMLESS = 0.5;

/** More than sums in different orders differ by. */
const ROUNDING = 1e-9;

/** Returns a test for venues worth comparing: most nearby ones have neither a similar name nor a phone to compare. */
function likenessTo({ record, trigrams, words: ownWords, original }: Prepared): (venue: Spot, name: Known) => boolean {
  const initials = initialsOf(ownWords.map(({ text }) => text));
  const first = ownWords[0]?.text ?? "";
  const isInitials = (words: string[]) => {
    const [theirs = ""] = words;
    return (
      (first.length > 1 && initialsOf(words).startsWith(first)) || (theirs.length > 1 && initials.startsWith(theirs))
    );
  };
  const set = new Set(trigrams);
  /** Reading a name costs ten times as much as this, which says no to nearly all. */
  const mayBeAlike = ({ nameNorm }: Known) =>
    nameNorm === undefined ||
    original !== "" ||
    !isAscii(nameNorm) ||
    diceOfText(nameNorm, trigrams, set) >= LEAST_UNREAD ||
    (nameNorm[0] === first[0] && isInitials(nameNorm.split(" ")));
  return (venue, name) => {
    if (name.otherName) {
      if (!mayBeAlike(name)) return false;
    } else if ((record.phone && venue.phone) || (record.twitter && venue.twitter)) return true;
    const common = countAmong(name.trigrams, trigrams);
    if (2 * common >= LEAST_LIKENESS * (name.trigrams.length + trigrams.length) || common === trigrams.length)
      return true;
    if ((original === "") === isInOtherScript(name.name)) return true;
    return isInitials(name.words);
  };
}

/** Dice coefficient of the trigrams. Nearly all matches have more than twice this. */
const LEAST_LIKENESS = 0.2;

/** Of a name whose abbreviations are not yet spelled out. */
const LEAST_UNREAD = 0.15;

const initialsOf = (texts: string[]): string => texts.map((text) => text.charAt(0)).join("");

/** Takes the candidates as the neighbourhood: a word in many of their names ("Providence", "Cafe") means little. */
export function neighbourhoodOf(names: readonly Name[], spots: readonly Spot[]): Neighbourhood {
  const counts = new Map<string, number>();
  for (const { words } of names)
    words.forEach((word, at) => {
      if (words.indexOf(word) === at) counts.set(word, (counts.get(word) ?? 0) + 1);
    });
  const scale = Math.log1p(Math.max(names.length, 8));
  return {
    commonness: (word) => Math.log(counts.get(word) || 1) / scale,
    isNearby: (word) => spots.some((spot) => knownOf(spot).longWords.has(word)),
    endsNames: (word, base) => {
      const isOther = (words: readonly string[]) =>
        !base.words.some(({ text, isFiller }) => !isFiller && words.includes(text));
      return (
        names.filter(({ words }) => words.at(-1) === word && words.length > 1 && isOther(words)).length >= LEAST_ENDED
      );
    },
    isName: (some) => {
      const last = some.at(-1)?.text;
      const isSame = (words: string[]) =>
        words.length === some.length && words.every((word, at) => word === some[at]?.text);
      return some.length > 1 && names.some(({ words }) => words.at(-1) === last && isSame(words.filter(isTold)));
    },
  };
}

const isTold = (word: string): boolean => !isFiller(word);

/** So many names of other places end in the name of a town or a quarter. */
const LEAST_ENDED = 2;
