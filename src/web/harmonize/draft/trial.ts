import type { Trial } from "../../../harmonize/file/trial.ts";
import { count } from "../../base/words.ts";

type Kind = keyof Trial["counts"];

const KINDS: [kind: Kind, words: string, meaning: string, icon: string][] = [
  ["matched", "Matched", "so sure that nobody need look", "check"],
  ["review", "To review", "likely, a person decides", "search"],
  ["none", "No match", "the directory has nothing alike", "cross"],
  ["failed", "Failed", "the row does not say enough", "alert"],
];

/** A trial takes some seconds; without a word after these nobody works on it. */
const SILENT_MS = 30_000;

/** What the page says of a trial; undefined where there was none. */
export function trialView(trial: Trial | null, now = Date.now()) {
  if (!trial) return undefined;
  const { state, total, done, counts, examples, error } = trial;
  const asked = KINDS.reduce((sum, [kind]) => sum + counts[kind], 0);
  return {
    isWaiting: state === "waiting",
    isSilent: state === "waiting" && now - Date.parse(trial.since) > SILENT_MS,
    // Not the try ended so, but the start: the file cannot be read.
    refusal: total === 0 ? error : undefined,
    ...{ total, done, error, asked: count(asked, "row") },
    outcomes: KINDS.map(([kind, words, meaning, icon]) => ({
      ...{ kind, words, meaning, icon, number: counts[kind] },
      share: `${Math.round((counts[kind] / Math.max(asked, 1)) * 100)} %`,
      examples: examples
        .filter(({ outcome }) => outcome === kind)
        .map((example) => ({
          ...example,
          certainty: example.score === undefined ? undefined : `${Math.floor(example.score * 100)} %`,
        })),
    })),
  };
}
export type TrialView = NonNullable<ReturnType<typeof trialView>>;
