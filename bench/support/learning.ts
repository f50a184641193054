import { NO_NEIGHBOURS } from "../../src/matching/common-words.ts";
import { type ComparisonName, type Comparisons, compare } from "../../src/matching/compare.ts";
import { compareAll } from "../../src/matching/match.ts";
import { prepare } from "../../src/matching/prepare.ts";
import { logOddsOf, scoreOf } from "../../src/matching/score.ts";
import type { Weights } from "../../src/matching/weights.ts";
import { candidateFinder, isPlaced } from "./candidates.ts";
import { type Example, fitMonotone, type Shape } from "./monotone-regression.ts";
import type { Answer } from "./quality.ts";
import { type PairSet, type RetrievalSet, readRetrievalSets } from "./sets.ts";

/** All but the one that only says whether to doubt. */
type Learnt = Exclude<ComparisonName, "addsNothing">;

export type MatchExample = Example<Learnt>;

/** Pulls the weights towards 0, so that rare comparisons count for little. */
const RIDGE = 2;

const up = (...knots: number[]): Shape => ({ knots: knots.length > 0 ? knots : [0, 1], direction: "up" });
const down = (...knots: number[]): Shape => ({ ...up(...knots), direction: "down" });

/** Points of each comparison's curve, and whether it may rise or fall. */
const SHAPES: Record<Learnt, Shape> = {
  trigrams: up(0, 0.3, 0.5, 0.7, 1),
  original: up(0, 0.4, 0.7, 1),
  sound: up(0, 0.6, 0.8, 1),
  contained: up(0, 0.5, 0.8, 1),
  shared: up(0, 0.5, 0.8, 1),
  firstWord: up(0, 0.5, 0.8, 1),
  acronym: up(),
  telling: up(0, 0.5, 1, 1.5, 3),
  sameKind: up(),
  otherKind: down(),
  extraTrade: down(),
  extraDepartment: down(),
  extraBelonging: down(),
  extraStop: down(),
  extraKind: down(),
  onlyOneAt: down(),
  sibling: down(),
  otherWord: down(),
  kindWord: down(),
  likeWord: down(),
  extraWord: down(),
  extraBeside: down(),
  extraNumber: down(),
  extraWithin: down(),
  tradeAlone: down(),
  placeAlone: down(),
  spelt: down(),
  otherSigns: down(),
  otherDesignation: down(),
  distance: down(0, 1, 2, 2.8, 3.4, 4, 5),
  otherHouseNumber: down(),
  otherHouseFar: down(0, 0.8, 1.6, 3),
  street: { ...up(0, 0.4, 0.7, 1), missing: true },
  sameAddress: up(0, 0.5, 1),
  otherZip: down(),
  otherUnit: down(),
  samePhone: up(),
  otherPhone: down(),
  phoneAtHouse: up(),
  otherHere: down(),
  sameTwitter: up(),
  otherWebsite: down(),
  otherPage: down(),
  otherTown: down(0, 0.5, 1),
  rival: down(-4, -2, -1, 0, 0.4, 2),
};

/**
 * Set by hand: the pairs were chosen because they are hard, and teach too little about telephone numbers. No set has
 * Twitter names. The sets with positions have hardly any cash machines, car parks or halls side by side. Such halls are
 * two places, even if they have everything else in common.
 */
export const BY_HAND: Weights["curves"] = {
  samePhone: { at: [0, 1], adds: [0, 3] },
  otherPhone: { at: [0, 1], adds: [0, -1.2] },
  sameTwitter: { at: [0, 1], adds: [0, 2] },
  extraBelonging: { at: [0, 1], adds: [0, -4] },
  extraStop: { at: [0, 1], adds: [0, -1.5] },
  otherDesignation: { at: [0, 1], adds: [0, -12] },
  otherSigns: { at: [0, 1], adds: [0, -4] },
  sound: { at: [0, 0.6, 0.8, 1], adds: [0, 0, 5.5, 6] },
  phoneAtHouse: { at: [0, 1], adds: [0, 3.5] },
  otherHouseFar: { at: [0, 0.8, 1.6, 3], adds: [0, 0, -0.9, -1.5] },
  otherWord: { at: [0, 1], adds: [0, -2] },
};

/** Returns the sets with positions. Omits a set if it also exists for the whole city. */
export function placedSets(data: string): RetrievalSet[] {
  const sets = readRetrievalSets(data).filter(({ listings }) => listings.every(isPlaced));
  return sets.filter(({ name }) => !sets.some((other) => other.name === `${name}_fullcity`));
}

/** The comparisons of a listing's candidates, and which of them are right. */
export interface Compared {
  listing: string;
  hasRight: boolean;
  candidates: { venue: string; comparisons: Comparisons; isRight: boolean }[];
}

export function comparisonsOf({ listings, directory, truth }: RetrievalSet): Compared[] {
  const find = candidateFinder(directory.filter(isPlaced));
  return listings.filter(isPlaced).map((listing) => {
    const right = truth.get(listing.id) ?? new Set();
    const compared = compareAll(prepare(listing), find(listing)).map(({ venue, comparisons }) => {
      const { id } = venue.record;
      return { venue: id, comparisons, isRight: right.has(id) };
    });
    return { listing: listing.id, hasRight: right.size > 0, candidates: compared };
  });
}

/** The same comparisons by the truth of another version of the set, which may have fewer listings. */
export function judgedBy({ listings, truth }: RetrievalSet, compared: readonly Compared[]): Compared[] {
  const kept = new Set(listings.map(({ id }) => id));
  return compared
    .filter(({ listing }) => kept.has(listing))
    .map(({ listing, candidates }) => {
      const right = truth.get(listing) ?? new Set();
      const judged = candidates.map((candidate) => ({ ...candidate, isRight: right.has(candidate.venue) }));
      return { listing, hasRight: right.size > 0, candidates: judged };
    });
}

/** Omits wrong candidates whose names have nothing in common with the listing's: they teach nothing. */
export function examplesOf({ candidates }: Compared): MatchExample[] {
  return candidates
    .filter(({ comparisons, isRight }) => {
      const { trigrams, contained } = comparisons;
      return isRight || trigrams > 0.2 || contained > 0.4;
    })
    .map(({ comparisons, isRight }) => ({ values: comparisons, isSo: isRight, weight: 1 }));
}

/** Makes examples of pairs, as they are or with invented positions and a weight. */
export function pairExamples({ pairs }: PairSet, { weight, left: here, right: there } = AS_THEY_ARE): MatchExample[] {
  return pairs.map(({ left, right, isSame }) => ({
    values: compare(prepare({ ...left, ...here }), prepare({ ...right, ...there }), NO_NEIGHBOURS),
    isSo: isSame,
    weight,
  }));
}

interface Positions {
  weight: number;
  left: { lat?: number; lng?: number };
  right: { lat?: number; lng?: number };
}
const AS_THEY_ARE: Positions = { weight: 1, left: {}, right: {} };

/**
 * 11 m apart. With these, pairs without positions teach what telephone numbers, websites and towns mean where there are
 * positions. They count for less, because they were chosen for being hard.
 */
export const NEXT_DOOR: Positions = { weight: 0.3, left: { lat: 0, lng: 0 }, right: { lat: 0.0001, lng: 0 } };

export const learn = (examples: MatchExample[]): Weights => fitMonotone(examples, SHAPES, RIDGE);

/** Returns the first candidate of a listing. */
export function answerOf(weights: Weights, { candidates, hasRight }: Compared): Answer {
  let [score, isRight] = [0, false];
  for (const candidate of candidates) {
    const its = scoreOf(logOddsOf(candidate.comparisons, weights));
    if (its > score) [score, isRight] = [its, candidate.isRight];
  }
  return { score, isRight, hasRight };
}
