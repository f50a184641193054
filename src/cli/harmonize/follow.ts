import { setTimeout as sleep } from "node:timers/promises";
import type { PauseReason } from "../../db/generated/enums.ts";
import { hasPosition } from "../../files/columns.ts";
import type { Trial } from "../../harmonize/file/trial.ts";
import { type Progress, progressOf } from "../../harmonize/results/progress.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization, pauseHarmonization } from "../../harmonize/run/harmonizations.ts";
import { refusalOf } from "../../harmonize/run/hold-up.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { KnownError } from "../../shared/errors.ts";
import type { createProgressDisplay } from "./progress.ts";
import type { Waiting } from "./worker.ts";

export const LOOK_EVERY_MS = 500;
/** Positions are judged at the same time as matching. */
const LOOKED_AT_WITHIN_MS = 35_000;

interface Done extends Progress, Pick<Harmonization, "positions"> {
  isUnchecked: boolean;
}

const GONE: Harmonization["state"][] = ["cancelled", "deleting"];

// Also waits for the count and for the judgement of positions.
export async function follow(
  { harmonizer, display, signal, patiently }: Followed & Waiting,
  { id }: Harmonization,
): Promise<Done> {
  let patience = performance.now() + LOOKED_AT_WITHIN_MS;
  try {
    for (;;) {
      const isInterrupted = signal.aborted;
      if (isInterrupted) await pauseHarmonization(harmonizer, id);
      const run = await patiently(() => loadHarmonization(harmonizer, id));
      if (!run || GONE.includes(run.state)) throw stopped("The run was cancelled or deleted in the web app.");
      if (run.state === "draft") throw new KnownError(400, "bad_request", whyNotStarted(run));
      const progress = await patiently(() => progressOf(harmonizer, run));
      display.show(progress);
      const isLookedAt = run.positions || !hasPosition(run.columns) || performance.now() > patience;
      if (run.state !== "reading" && run.state !== "matching" && isLookedAt && progress.isCounted)
        return { ...progress, positions: run.positions, isUnchecked: isUnchecked(run) };
      if (run.state === "reading" || run.state === "matching") patience = performance.now() + LOOKED_AT_WITHIN_MS;
      if (isInterrupted) throw new KnownError(499, "interrupted", `Paused at ${shareText(progress)}. ${GO_ON}`);
      if (run.pausedFor) throw stopped(`${whyPaused(run, run.pausedFor)} ${GO_ON}`);
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    display.end();
  }
}

const isUnchecked = (run: Harmonization): boolean =>
  hasPosition(run.columns) && (run.positions?.isCutShort ?? run.positions === null);

interface Followed {
  harmonizer: Harmonizer;
  display: ReturnType<typeof createProgressDisplay>;
}

function whyNotStarted({ trial }: Harmonization): string {
  const { error } = (trial as Partial<Trial> | null) ?? {};
  return error ? wordsOf(error) : "The file could not be read.";
}

function whyPaused(run: Harmonization, pausedFor: PauseReason): string {
  const refusal = refusalOf(run);
  return refusal ? wordsOf(refusal) : PAUSED[pausedFor];
}

const shareText = ({ done, total }: Progress): string => `${done} of ${total} rows`;

export const stopped = (message: string) => new KnownError(503, "unavailable", message);

export const GO_ON = "Run the same command to resume it.";
const PAUSED = {
  person: "The run was paused in the web app.",
  connection: "The directory no longer accepts the user's token. The user must log in to the web app again.",
  directory: "The directory does not answer, or rejects the application's credentials.",
  application: "The directory has not enabled the application for this. Ask its operator.",
};
