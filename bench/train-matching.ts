// npm run bench -- train-matching --data FOLDER [--without NAME] [--labels published|reviewed] [--write]: fits the weights of
// src/matching/weights.ts to the sets of a data folder (pairs/*.csv.gz, retrieval/*/) and prints what they reach, by published
// and by reviewed labels. --without leaves out the sets whose name has NAME in it. --labels says which labels to learn from.
// --write replaces the file.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Comparisons } from "../src/matching/compare.ts";
import { logOddsOf, scoreOf } from "../src/matching/score.ts";
import type { Weights } from "../src/matching/weights.ts";
import { isPlaced } from "./support/candidates.ts";
import {
  answerOf,
  BY_HAND,
  type Compared,
  comparisonsOf,
  examplesOf,
  judgedBy,
  learn,
  NEXT_DOOR,
  pairExamples,
  placedSets,
} from "./support/learning.ts";
import { qualityOf } from "./support/quality.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { isSameReviewed, reviewedListings, reviewedPairs } from "./support/reviewed.ts";
import { type PairSet, type RetrievalSet, readPairSets } from "./support/sets.ts";

const WEIGHTS_FILE = new URL("../src/matching/weights.ts", import.meta.url);

export const SMALLEST = ["--data", "bench/data"];

export async function run(args: string[]): Promise<Tables> {
  const { data, without, labels, write } = optionsOf(args);
  if (!data) throw new Error("Say which sets to learn from: --data FOLDER.");
  if (without && write) throw new Error("Weights that a set was left out of are for measuring only: not both.");
  if (!isLabels(labels)) throw new Error("Labels are published or reviewed.");
  const isLeftOut = ({ name }: { name: string }) => without !== undefined && name.includes(without);
  const sets = placedSets(data);
  const pairs = readPairSets(data).filter(({ pairs }) => !pairs.some(({ left }) => isPlaced(left)));
  if (without && ![...sets, ...pairs].some(isLeftOut)) throw new Error(`No set has ${without} in its name.`);
  say("Comparing…");
  const compared = sets.map((set) => judgements(set, comparisonsOf(set)));
  const kept = compared.filter(({ set }) => !isLeftOut(set));
  const keptPairs = pairs
    .filter((set) => !isLeftOut(set))
    .map((set) => (labels === "reviewed" && reviewedPairs(set)) || set);
  const placed = learn([
    ...kept.flatMap((judged) => (judged[labels] ?? judged.published).flatMap(examplesOf)),
    ...keptPairs.flatMap((set) => pairExamples(set, NEXT_DOOR)),
  ]);
  Object.assign(placed.curves, BY_HAND);
  const unplaced = learn(keptPairs.flatMap((set) => pairExamples(set)));
  if (write) {
    const names = [...sets, ...pairs].map(({ name }) => name);
    writeFileSync(WEIGHTS_FILE, fileOf({ placed, unplaced }, names, labels));
    say(`Written: ${WEIGHTS_FILE.pathname}. Format it, and read it before you commit it.`);
  }
  return {
    [without ? `Sets left out (${without}), and those learnt from` : "Sets learnt from"]: compared.flatMap((judged) =>
      LABELS.flatMap((labels): Row[] => {
        const answers = judged[labels]?.map((listing) => answerOf(placed, listing));
        const leftOut = isLeftOut(judged.set) ? "yes" : "";
        return answers ? [{ set: judged.set.name, labels, "left out": leftOut, ...qualityOf(answers) }] : [];
      }),
    ),
    "Pairs without positions, by cross-validation": pairs.map((set) => ({
      set: set.name,
      ...crossValidated(set, labels),
    })),
  };
}

const LABELS = ["published", "reviewed"] as const;
type Labels = (typeof LABELS)[number];

const isLabels = (text: string): text is Labels => LABELS.some((labels) => labels === text);

function optionsOf(args: string[]) {
  const text = { type: "string" } as const;
  const options = { data: text, without: text, labels: text, write: { type: "boolean" } } as const;
  const { labels = "published", write = false, ...values } = parseArgs({ args, options }).values;
  return { ...values, labels, write };
}

/** The comparisons of a set by the published labels, and by the reviewed ones if it has any. */
function judgements(set: RetrievalSet, published: Compared[]) {
  const reviewed = reviewedListings(set);
  return { set, published, reviewed: reviewed && judgedBy(reviewed, published) };
}

/** F1 at one half by each kind of label, every fifth of the pairs judged by what the other four taught. */
function crossValidated(set: PairSet, labels: Labels): Row {
  const reviewed = set.pairs.map(isSameReviewed);
  const published = set.pairs.map(({ isSame }) => isSame);
  const examples = pairExamples(set);
  const scores: number[] = [];
  for (let part = 0; part < 5; part++) {
    const teachers = examples.flatMap((example, at) => {
      const isSo = (labels === "reviewed" ? reviewed : published)[at];
      return at % 5 === part || isSo === undefined ? [] : [{ ...example, isSo }];
    });
    const weights = learn(teachers);
    examples.forEach(({ values }, at) => {
      if (at % 5 === part) scores[at] = scoreOf(logOddsOf(values as Comparisons, weights));
    });
  }
  const f1 = (truth: (boolean | undefined)[]) => {
    const answers = truth.flatMap((isRight, at) =>
      isRight === undefined ? [] : [{ score: scores[at] ?? 0, isRight, hasRight: isRight }],
    );
    return qualityOf(answers).F1;
  };
  return { F1: f1(published), ...(reviewedPairs(set) && { "F1, reviewed labels": f1(reviewed) }) };
}

function fileOf(weights: Record<"placed" | "unplaced", Weights>, sets: string[], labels: Labels): string {
  const source = readFileSync(WEIGHTS_FILE, "utf8");
  const head = source.slice(0, source.indexOf(MARK));
  const day = new Date().toISOString().slice(0, 10);
  const learntFrom = `Written ${day} by bench/train-matching.ts from ${sets.join(", ")}, by ${labels} labels.`;
  return `${head}${MARK}\n// ${learntFrom}\nexport const WEIGHTS: Record<"placed" | "unplaced", Weights> = ${JSON.stringify(weights)};\n`;
}

const MARK = "// ─── written";
