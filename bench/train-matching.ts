// npm run bench -- train-matching --data FOLDER [--write]: fits the weights of src/matching/weights.ts to the sets of a data
// folder (pairs/*.csv.gz, retrieval/*/) and prints what they reach on a city that was left out. --write replaces the file.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type ComparisonName, type Comparisons, compare } from "../src/matching/compare.ts";
import { compareAll } from "../src/matching/match.ts";
import { prepare } from "../src/matching/prepare.ts";
import { logOddsOf, scoreOf } from "../src/matching/score.ts";
import type { Weights } from "../src/matching/weights.ts";
import { candidateFinder, isPlaced } from "./support/candidates.ts";
import { type Example, fitMonotone, type Shape } from "./support/monotone-regression.ts";
import { type Answer, qualityOf } from "./support/quality.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { type PairSet, type RetrievalSet, readPairSets, readRetrievalSets } from "./support/sets.ts";

type MatchExample = Example<ComparisonName>;

const WEIGHTS_FILE = new URL("../src/matching/weights.ts", import.meta.url);

/** Pulls the weights towards 0, so that what hardly occurs counts for little. */
const RIDGE = 2;

const up = (...knots: number[]): Shape => ({ knots: knots.length > 0 ? knots : [0, 1], direction: "up" });
const down = (...knots: number[]): Shape => ({ ...up(...knots), direction: "down" });

/** How each comparison may count. */
const SHAPES: Record<ComparisonName, Shape> = {
  trigrams: up(0, 0.3, 0.5, 0.7, 1),
  original: up(0, 0.4, 0.7, 1),
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
  otherNumber: down(),
  sibling: down(),
  otherDesignation: down(),
  distance: down(0, 1, 2, 2.8, 3.4, 4, 5),
  otherHouseNumber: down(),
  street: { ...up(0, 0.4, 0.7, 1), missing: true },
  sameAddress: up(0, 0.5, 1),
  otherZip: down(),
  otherUnit: down(),
  samePhone: up(),
  otherPhone: down(),
  sameTwitter: up(),
  otherWebsite: down(),
  otherPage: down(),
  otherTown: down(0, 0.5, 1),
  rival: down(-4, -2, -1, 0, 0.4, 2),
};

/**
 * Set by hand: pairs chosen for being hard teach too little of telephones, no set holds handles, and of cash machines, car
 * parks and halls side by side those with positions hold next to none. Halls may have everything else in common, and are two.
 */
const BY_HAND: Weights["curves"] = {
  samePhone: { at: [0, 1], adds: [0, 3] },
  otherPhone: { at: [0, 1], adds: [0, -1.2] },
  sameTwitter: { at: [0, 1], adds: [0, 2] },
  extraBelonging: { at: [0, 1], adds: [0, -4] },
  extraStop: { at: [0, 1], adds: [0, -1.5] },
  otherDesignation: { at: [0, 1], adds: [0, -12] },
};

export async function run(args: string[]): Promise<Tables> {
  const options = { data: { type: "string" }, without: { type: "string" }, write: { type: "boolean" } } as const;
  const { values } = parseArgs({ args, options });
  const { data, without, write = false } = values;
  if (!data) throw new Error("Say which sets to learn from: --data FOLDER.");
  if (without && write) throw new Error("Weights that a set was left out of are for measuring only: not both.");
  const isLeftOut = ({ name }: { name: string }) => without !== undefined && name.includes(without);
  const sets = placedSets(data);
  const pairs = readPairSets(data).filter(({ pairs }) => !pairs.some(({ left }) => isPlaced(left)));
  say("Comparing…");
  const learnt = sets.map((set) => ({ set, listings: comparisonsOf(set) }));
  const kept = learnt.filter(({ set }) => !isLeftOut(set));
  const keptPairs = pairs.filter((set) => !isLeftOut(set));
  const placed = learn([
    ...kept.flatMap(({ listings }) => listings.flatMap(examplesOf)),
    ...keptPairs.flatMap((set) => pairExamples(set, NEXT_DOOR)),
  ]);
  Object.assign(placed.curves, BY_HAND);
  const unplaced = learn(keptPairs.flatMap((set) => pairExamples(set)));
  if (write) {
    const names = [...sets, ...pairs].map(({ name }) => name);
    writeFileSync(WEIGHTS_FILE, fileOf({ placed, unplaced }, names));
    say(`Written: ${WEIGHTS_FILE.pathname}. Format it, and read it before you commit it.`);
  }
  return {
    [without ? `Sets left out (${without}), and those learnt from` : "Sets learnt from"]: learnt.map(
      ({ set, listings }): Row => ({
        set: set.name,
        "left out": isLeftOut(set) ? "yes" : "",
        ...qualityOf(listings.map((listing) => answerOf(placed, listing))),
      }),
    ),
    "Pairs without positions, by cross-validation": pairs.map((set) => ({ set: set.name, F1: crossValidated(set) })),
  };
}

/** Of a set that is there for a whole city as well, only that. */
function placedSets(data: string): RetrievalSet[] {
  const sets = readRetrievalSets(data).filter(({ listings }) => listings.every(isPlaced));
  return sets.filter(({ name }) => !sets.some((other) => other.name === `${name}_fullcity`));
}

/** A listing's candidates compared, and which of them are right. */
interface Compared {
  hasRight: boolean;
  candidates: { comparisons: Comparisons; isRight: boolean }[];
}

function comparisonsOf({ listings, directory, truth }: RetrievalSet): Compared[] {
  const find = candidateFinder(directory.filter(isPlaced));
  return listings.filter(isPlaced).map((listing) => {
    const right = truth.get(listing.id) ?? new Set();
    const compared = compareAll(prepare(listing), find(listing));
    return {
      hasRight: right.size > 0,
      candidates: compared.map(({ venue, comparisons }) => ({ comparisons, isRight: right.has(venue.record.id) })),
    };
  });
}

/** Candidates that have nothing of the name teach nothing. */
function examplesOf({ candidates }: Compared): MatchExample[] {
  return candidates
    .filter(({ comparisons, isRight }) => {
      const { trigrams, contained } = comparisons;
      return isRight || trigrams > 0.2 || contained > 0.4;
    })
    .map(({ comparisons, isRight }) => ({ values: comparisons, isSo: isRight, weight: 1 }));
}

/** Pairs as they are, or with positions made up and a weight. */
function pairExamples({ pairs }: PairSet, { weight, left: here, right: there } = AS_THEY_ARE): MatchExample[] {
  return pairs.map(({ left, right, isSame }) => ({
    values: compare(prepare({ ...left, ...here }), prepare({ ...right, ...there }), () => 0),
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
 * Pairs without positions teach what telephones, websites and towns tell where there are positions as well. They were chosen
 * for being hard, so they count for less.
 */
const NEXT_DOOR: Positions = { weight: 0.3, left: { lat: 0, lng: 0 }, right: { lat: 0.0001, lng: 0 } };

const learn = (examples: MatchExample[]): Weights => fitMonotone(examples, SHAPES, RIDGE);

/** The first candidate of a listing. */
function answerOf(weights: Weights, { candidates, hasRight }: Compared): Answer {
  let [score, isRight] = [0, false];
  for (const candidate of candidates) {
    const its = scoreOf(logOddsOf(candidate.comparisons, weights));
    if (its > score) [score, isRight] = [its, candidate.isRight];
  }
  return { score, isRight, hasRight };
}

/** F1 at one half, each fifth of the pairs judged by what the other four taught. */
function crossValidated(set: PairSet): number {
  const examples = pairExamples(set);
  let [right, wrong, missed] = [0, 0, 0];
  for (let part = 0; part < 5; part++) {
    const weights = learn(examples.filter((_, at) => at % 5 !== part));
    for (const { values, isSo } of examples.filter((_, at) => at % 5 === part)) {
      const isTaken = logOddsOf(values as Comparisons, weights) >= 0;
      if (isTaken && isSo) right++;
      else if (isTaken) wrong++;
      else if (isSo) missed++;
    }
  }
  return (2 * right) / (2 * right + wrong + missed);
}

function fileOf(weights: Record<"placed" | "unplaced", Weights>, sets: string[]): string {
  const source = readFileSync(WEIGHTS_FILE, "utf8");
  const head = source.slice(0, source.indexOf(MARK));
  const learntFrom = `Written ${new Date().toISOString().slice(0, 10)} by bench/train-matching.ts from ${sets.join(", ")}.`;
  return `${head}${MARK}\n// ${learntFrom}\nexport const WEIGHTS: Record<"placed" | "unplaced", Weights> = ${JSON.stringify(weights)};\n`;
}

const MARK = "// ─── written";
