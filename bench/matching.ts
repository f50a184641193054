// npm run bench -- matching [--data FOLDER] [--sets a,b]: how often matches are right, with the weights as they are. Takes
// the sets of bench/data and of the folder, which is built alike: listings are looked for through the API, each in the
// set's own directory, beside what anybody would try first; pairs are scored alone.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { MATCH_CUT } from "../src/matching/decide.ts";
import { normalizeName } from "../src/matching/normalize/normalize.ts";
import { trigramSimilarity } from "../src/matching/similarity.ts";
import { baselineAnswers } from "./support/baselines.ts";
import { matchByApi } from "./support/match-by-api.ts";
import { PUBLISHED } from "./support/published.ts";
import { type Answer, autoAcceptOf, bestCut, qualityOf } from "./support/quality.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { scorePair } from "./support/score-pair.ts";
import { type Pair, type PairSet, type RetrievalSet, readPairSets, readRetrievalSets } from "./support/sets.ts";
import { placed } from "./support/town-points.ts";

const SHIPPED = path.join(import.meta.dirname, "data");
const WEIGHTS_FILE = new URL("../src/matching/weights.ts", import.meta.url);
/** A pair is taken for one place from here on. */
const PAIR_CUT = 0.5;

/** Of the first table. */
const COLUMNS = [
  "right first: of the listings that have a venue, how many have it first, whatever its score",
  "recall at .98: of these, how many could be taken by a cut of the set's own with 98 of 100 right",
  "accepted recall, accepted precision: how many the directory is confident of, and how many of those are right",
  "calibration error: how far scores are from the share that is right, in the mean; 0 is best",
  "learnt from: the weights were, so that the figures of the row flatter",
];

export async function run(args: string[]): Promise<Tables> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, sets: { type: "string" } } });
  const folders = values.data ? [SHIPPED, values.data] : [SHIPPED];
  const asked = values.sets?.split(",");
  const pairs = chosen(folders.flatMap(readPairSets), asked).flatMap(pairRows);
  const [quality, speed, peers]: [Row[], Row[], Row[]] = [[], [], []];
  for (const set of chosen(folders.flatMap(readRetrievalSets), asked)) {
    const { row, latency, baselines } = await measure(set);
    quality.push(row);
    speed.push(latency);
    peers.push(...baselines);
  }
  const tables = {
    [`Listings through the API, match cut ${MATCH_CUT}`]: quality,
    "What the columns say": quality.length > 0 ? COLUMNS.map((column) => ({ column })) : [],
    "Searches, 8 at a time, against a constant answer": speed,
    "Baselines, in this process, each with the cut that suits the set best": peers,
    [`Pairs alone, cut ${PAIR_CUT}`]: pairs,
    "What others report": PUBLISHED,
    Weights: [{ weights: weightsSay() }],
  };
  return Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows.length > 0));
}

/** Of sets with one name the last. */
function chosen<S extends PairSet | RetrievalSet>(sets: S[], asked?: string[]): S[] {
  const byName = new Map(sets.map((set) => [set.name, set]));
  return [...byName.values()].filter(({ name }) => !asked || asked.includes(name));
}

async function measure(given: RetrievalSet) {
  const set = placed(given);
  const { answers, match, limit } = await matchByApi(set);
  say(`${set.name}: baselines…`);
  const row: Row = {
    set: set.name,
    positions: set.positions,
    "learnt from": learntFrom(set.name),
    listings: answers.length,
    "without venue": answers.filter(({ hasRight }) => !hasRight).length,
    venues: set.directory.length,
    ...qualityOf(answers, MATCH_CUT),
    ...autoAcceptOf(answers),
  };
  const baselines = Object.entries(baselineAnswers(set)).map(([baseline, theirs]): Row => {
    const { "calibration error": _, ...figures } = qualityOf(theirs, bestCut(theirs));
    return { set: set.name, baseline, ...figures };
  });
  const { p50, p99, perSecond } = match;
  const ratio = perSecond / limit.perSecond;
  const latency: Row = {
    set: set.name,
    "p50 ms": p50,
    "p99 ms": p99,
    "limit p50 ms": limit.p50,
    "per second": perSecond,
    ratio,
  };
  return { row, latency, baselines };
}

/** All pairs of the set, and those of its test split. */
function pairRows({ name, pairs }: PairSet): Row[] {
  say(`${name}: ${pairs.length} pairs…`);
  const tests = pairs.filter(({ split }) => split === "test");
  const parts = [{ split: "all", pairs }, ...(tests.length > 0 ? [{ split: "test", pairs: tests }] : [])];
  const trigrams = microseconds(pairs, ({ left, right }) =>
    trigramSimilarity(normalizeName(left.name), normalizeName(right.name)),
  );
  const ours = microseconds(pairs, ({ left, right }) => scorePair(left, right));
  return parts.map(({ split, pairs }) => {
    const answers = pairs.map(
      ({ left, right, isSame }): Answer => ({ score: scorePair(left, right), isRight: isSame, hasRight: isSame }),
    );
    const { F1, precision, recall, "calibration error": error } = qualityOf(answers, PAIR_CUT);
    const best = bestCut(answers);
    return {
      set: name,
      split,
      "learnt from": learntFrom(name),
      pairs: pairs.length,
      same: answers.filter(({ isRight }) => isRight).length,
      ...{
        F1,
        precision,
        recall,
        "calibration error": error,
        "best cut": best,
        "F1 there": qualityOf(answers, best).F1,
      },
      ...{ "µs a pair": ours, "µs for trigrams": trigrams },
    };
  });
}

/** The mean, once the code is warm. */
function microseconds(pairs: Pair[], score: (pair: Pair) => number): number {
  for (const pair of pairs.slice(0, 1000)) score(pair);
  const begun = performance.now();
  for (const pair of pairs) score(pair);
  return (1000 * (performance.now() - begun)) / pairs.length;
}

const learntFrom = (set: string): string =>
  weightsSay()
    .split(/[\s,.]+/)
    .includes(set)
    ? "yes"
    : "";

/** What the file of the weights says of its sets: on these, and others of their cities, any figure flatters. */
function weightsSay(): string {
  const [said = "made by hand"] = /(?<=^\/\/ )Written .*$/m.exec(readFileSync(WEIGHTS_FILE, "utf8")) ?? [];
  return said;
}
