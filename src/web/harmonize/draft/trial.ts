import type { Trial } from "../../../harmonize/file/trial.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { reasonInWords } from "../../../language/sentences.ts";
import { t } from "../../../language/translate.ts";
import { creditsOf } from "../../venues/view.ts";

type Kind = keyof Trial["counts"];

const kinds = (): [kind: Kind, words: string, meaning: string, icon: string][] => [
  ["matched", t("Matched"), t("no review needed"), "check"],
  ["review", t("To review"), t("you decide"), "search"],
  ["none", t("No match"), t("the directory has no similar venue"), "cross"],
  ["failed", t("Failed"), t("unusable row"), "alert"],
];

/** A trial takes seconds; after this time no worker is running. */
const SILENT_MS = 30_000;

export function trialView(trial: Trial | null, now = Date.now()) {
  if (!trial) return undefined;
  const { state, total, done, counts, examples, error } = trial;
  const known = kinds();
  const asked = known.reduce((sum, [kind]) => sum + counts[kind], 0);
  return {
    isWaiting: state === "waiting",
    isSilent: state === "waiting" && now - Date.parse(trial.since) > SILENT_MS,
    // Not the trial failed, but the start: the file cannot be read.
    refusal: total === 0 && error ? wordsOf(error) : undefined,
    total,
    done,
    error: error && wordsOf(error),
    asked,
    credits: creditsOf(examples),
    outcomes: known.map(([kind, words, meaning, icon]) => ({
      kind,
      words,
      meaning,
      icon,
      number: counts[kind],
      share: `${Math.round((counts[kind] / Math.max(asked, 1)) * 100)} %`,
      examples: examples
        .filter(({ outcome }) => outcome === kind)
        .map((example) => ({
          ...example,
          reasons: example.problem ? [wordsOf(example.problem)] : example.reasons.map(reasonInWords),
          certainty: example.score === undefined ? undefined : `${Math.floor(example.score * 100)} %`,
        })),
    })),
  };
}
export type TrialView = NonNullable<ReturnType<typeof trialView>>;
