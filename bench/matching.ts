// npm run bench -- matching [--data FOLDER] [--sets a,b]: measures how often matches are right with the current
// weights, on the sets of bench/data and of a folder of the same structure. Listings are searched through the API, in
// the set's own directory, and compared with simple baselines. Pairs are scored alone. Sets with verdicts in
// reviewed.csv are reported twice, by the published labels and by the reviewed ones.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { MATCH_CUT } from "../src/matching/decide.ts";
import { normalizeName } from "../src/matching/normalize/normalize.ts";
import { trigramSimilarity } from "../src/matching/text/similarity.ts";
import { baselineAnswers } from "./support/baselines.ts";
import { answersOf, matchByApi } from "./support/match-by-api.ts";
import { PUBLISHED } from "./support/published.ts";
import { type Answer, autoAcceptOf, bestCut, qualityOf } from "./support/quality.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { reviewedListings, reviewedPairs } from "./support/reviewed.ts";
import { scorePair } from "./support/score-pair.ts";
import { type Pair, type PairSet, type RetrievalSet, readPairSets, readRetrievalSets } from "./support/sets.ts";
import { type PlacedSet, placed } from "./support/town-points.ts";

const SHIPPED = path.join(import.meta.dirname, "data");
const WEIGHTS_FILE = new URL("../src/matching/weights.ts", import.meta.url);
/** Lowest score of a pair that counts as one place. */
const PAIR_CUT = 0.5;

type Labels = "published" | "reviewed";

/** Meaning of the columns of the first table. */
const COLUMNS = [
  "right first: share of the listings with a venue that have it first, with any score",
  "recall at .98: the highest recall of any cut with a precision of at least .98",
  "accepted recall, accepted precision: of the matches that the directory is confident of",
  "calibration error: mean difference between score and share of right matches; 0 is best",
  "labels: as published, or with the verdicts of reviewed.csv, which flatter: mostly disagreements were reviewed",
  "learnt from: the weights were fitted to this set, so its figures are too good",
];

export const SMALLEST = ["--sets", "fodors_zagats"];

export async function run(args: string[]): Promise<Tables> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, sets: { type: "string" } } });
  const folders = values.data ? [SHIPPED, values.data] : [SHIPPED];
  const asked = values.sets?.split(",");
  const pairs = chosen(folders.flatMap(readPairSets), asked).flatMap(pairRows);
  const [quality, speed, peers]: [Row[], Row[], Row[]] = [[], [], []];
  for (const set of chosen(folders.flatMap(readRetrievalSets), asked)) {
    const { rows, latency, baselines } = await measure(set);
    quality.push(...rows);
    speed.push(latency);
    peers.push(...baselines);
  }
  const tables = {
    [`Listings through the API, match cut ${MATCH_CUT}`]: quality,
    "What the columns mean": quality.length > 0 ? COLUMNS.map((column) => ({ column })) : [],
    "Searches, 8 at a time, against a constant answer": speed,
    "Baselines, in this process, each with its best cut for the set": peers,
    [`Pairs alone, cut ${PAIR_CUT}`]: pairs,
    "What others report": PUBLISHED,
    Weights: [{ weights: weightsSay() }],
  };
  return Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows.length > 0));
}

/** Returns the sets asked for, or all. Of sets with the same name, the last one counts. */
function chosen<S extends PairSet | RetrievalSet>(sets: S[], asked?: string[]): S[] {
  const byName = new Map(sets.map((set) => [set.name, set]));
  return [...byName.values()].filter(({ name }) => !asked || asked.includes(name));
}

async function measure(given: RetrievalSet) {
  const set = placed(given);
  const { firsts, match, limit } = await matchByApi(set);
  say(`${set.name}: baselines…`);
  const reviewed = reviewedListings(set);
  const rows = [
    listingRow(set, "published", answersOf(set, firsts)),
    ...(reviewed ? [listingRow(set, "reviewed", answersOf(reviewed, firsts))] : []),
  ];
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
  return { rows, latency, baselines };
}

const listingRow = (set: PlacedSet, labels: Labels, answers: Answer[]): Row => ({
  set: set.name,
  labels,
  positions: set.positions,
  "learnt from": learntFrom(set.name),
  listings: answers.length,
  "without venue": answers.filter(({ hasRight }) => !hasRight).length,
  venues: set.directory.length,
  ...qualityOf(answers, MATCH_CUT),
  ...autoAcceptOf(answers),
});

/** Measures all pairs of the set, and those of its test split. */
function pairRows(set: PairSet): Row[] {
  say(`${set.name}: ${set.pairs.length} pairs…`);
  const trigrams = microseconds(set.pairs, ({ left, right }) =>
    trigramSimilarity(normalizeName(left.name), normalizeName(right.name)),
  );
  const ours = microseconds(set.pairs, ({ left, right }) => scorePair(left, right));
  const reviewed = reviewedPairs(set);
  const rows = [...figuresOf(set, "published"), ...(reviewed ? figuresOf(reviewed, "reviewed") : [])];
  return rows.map((row) => ({ ...row, "µs a pair": ours, "µs for trigrams": trigrams }));
}

function figuresOf({ name, pairs }: PairSet, labels: Labels): Row[] {
  const tests = pairs.filter(({ split }) => split === "test");
  const parts = [{ split: "all", pairs }, ...(tests.length > 0 ? [{ split: "test", pairs: tests }] : [])];
  return parts.map(({ split, pairs }) => {
    const answers = pairs.map(
      ({ left, right, isSame }): Answer => ({ score: scorePair(left, right), isRight: isSame, hasRight: isSame }),
    );
    const { F1, precision, recall, "calibration error": error } = qualityOf(answers, PAIR_CUT);
    const best = bestCut(answers);
    return {
      set: name,
      labels,
      split,
      "learnt from": learntFrom(name),
      pairs: pairs.length,
      same: answers.filter(({ isRight }) => isRight).length,
      ...{ F1, precision, recall, "calibration error": error },
      ...{ "best cut": best, "F1 there": qualityOf(answers, best).F1 },
    };
  });
}

/** Returns the mean time per pair, after a warm-up. */
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

/** Returns what weights.ts says of its sets. For these, and others of the same cities, figures are too good. */
function weightsSay(): string {
  const [said = "made by hand"] = /(?<=^\/\/ )Written .*$/m.exec(readFileSync(WEIGHTS_FILE, "utf8")) ?? [];
  return said;
}
