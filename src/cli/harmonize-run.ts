import { accessSync, constants, createWriteStream, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as after } from "node:timers/promises";
import { KnownError } from "../errors.ts";
import type { Harmonizer } from "../harmonize/deps.ts";
import { type ExportFormat, exportText } from "../harmonize/export.ts";
import { type Harmonization, loadHarmonization, pauseHarmonization } from "../harmonize/harmonizations.ts";
import { type Progress, progressOf } from "../harmonize/progress.ts";
import { startWorker } from "../harmonize/worker.ts";
import { type BeginOptions, beginOrGoOn } from "./harmonize-begin.ts";
import { reachDirectory } from "./harmonize-directory.ts";
import { createProgressDisplay, type Shows } from "./harmonize-progress.ts";
import type { Context } from "./with-directory.ts";

export interface HarmonizeOptions extends BeginOptions {
  output: string;
  format: ExportFormat;
  candidates: boolean;
  shows: Shows;
}

export interface Summary {
  /** Its id. */
  harmonization: string;
  output: string;
  listings: number;
  matched: number;
  review: number;
  none: number;
  failed: number;
  /** Of this process. */
  seconds: number;
}

/**
 * Runs a file through as any harmonization is run, in this process and whatever others work, and writes what came of it.
 *
 * @throws KnownError with what to do, where it cannot go on
 */
export async function harmonizeFile(context: Context, options: HarmonizeOptions): Promise<Summary> {
  const begun = performance.now();
  const { signal } = context;
  accessSync(path.dirname(path.resolve(options.output)), constants.W_OK); // before an hour's work, not after it
  const { harmonizer, log, close } = await reachDirectory(context);
  try {
    const begunRun = await beginOrGoOn(harmonizer, options, signal).catch((error) => {
      throw signal.aborted ? signal.reason : error;
    });
    const worker = await startWorker(harmonizer, { log });
    const progress = await follow(harmonizer, begunRun, options.shows, signal).finally(() => worker.stop());
    await write(harmonizer, begunRun.id, options);
    const { matched, review, none, failed } = progress.counts;
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    const { output } = options;
    return { harmonization: begunRun.id, output, listings: progress.total, matched, review, none, failed, seconds };
  } finally {
    await close();
  }
}

const LOOK_EVERY_MS = 500;

/** Until every listing has been asked about. */
async function follow(deps: Harmonizer, { id }: Harmonization, shows: Shows, signal: AbortSignal): Promise<Progress> {
  const display = createProgressDisplay(shows);
  try {
    for (;;) {
      if (signal.aborted) await pauseHarmonization(deps, id);
      const run = await loadHarmonization(deps, id);
      if (!run || run.state === "cancelled") throw stopped("The run was cancelled or deleted in the web app.");
      const progress = await progressOf(deps, run);
      display.show(progress);
      if (run.state !== "reading" && run.state !== "matching") return progress;
      if (signal.aborted) throw new KnownError(499, "interrupted", `Paused at ${shareText(progress)}. ${GO_ON}`);
      if (run.pausedFor) throw stopped(PAUSED[run.pausedFor]);
      await after(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    display.end();
  }
}

const shareText = ({ done, total }: Progress): string => `${done} of ${total} listings`;

const stopped = (message: string) => new KnownError(503, "unavailable", message);

const GO_ON = "The same command goes on with it.";
const PAUSED = {
  person: `Somebody has paused the run in the web app. ${GO_ON}`,
  connection: `The directory no longer takes the user's token. They log in to the web app once more, then: ${GO_ON}`,
  directory: `The directory does not answer, or refuses the application's credentials. ${GO_ON}`,
};

/** First beside it, so that nobody takes a part for the whole. */
async function write(deps: Harmonizer, id: string, { output, format, candidates }: HarmonizeOptions): Promise<void> {
  const run = await loadHarmonization(deps, id);
  if (!run) throw stopped("The run was deleted in the web app.");
  const part = `${output}.part`;
  try {
    const text = exportText(deps, run, { format, hasCandidates: candidates });
    await pipeline(Readable.from(text), createWriteStream(part));
    await rename(part, output);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
