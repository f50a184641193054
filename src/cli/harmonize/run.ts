import { createWriteStream, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as after } from "node:timers/promises";
import { type ExportFormat, exportText } from "../../harmonize/export/export.ts";
import { hasPositions } from "../../harmonize/positions/task.ts";
import { type Progress, progressOf } from "../../harmonize/results/progress.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization, pauseHarmonization } from "../../harmonize/run/harmonizations.ts";
import { refusalOf } from "../../harmonize/run/hold-up.ts";
import { KnownError } from "../../shared/errors.ts";
import { positionsText } from "../../web/harmonize/base/positions.ts";
import { createPatience } from "../patience.ts";
import type { Context } from "../with-directory.ts";
import { type BeginOptions, beginOrGoOn } from "./begin.ts";
import { reachDirectory } from "./directory.ts";
import { checkFiles } from "./files.ts";
import { createProgressDisplay, type Shows } from "./progress.ts";
import { asWorker, type Waiting } from "./worker.ts";

export interface HarmonizeOptions extends BeginOptions {
  output: string;
  format: ExportFormat;
  candidates: boolean;
  shows: Shows;
}

export interface Summary {
  /** Its id. */
  harmonization: string;
  /** Its address in the web app that these settings speak of. */
  page: string;
  output: string;
  listings: number;
  matched: number;
  review: number;
  none: number;
  failed: number;
  /** Why its positions look wrong, where they do: nothing is added in the web app before its owner has answered that. */
  positions?: string;
  /** They were not compared with the directory in time, or not all: they may be wrong. */
  positions_unchecked?: true;
  /** Of this process. */
  seconds: number;
}

/**
 * Runs a file through as any harmonization is run, in this process and whatever others work, and writes what came of it.
 * Outlives a restart of the database, which it says on standard error.
 *
 * @throws KnownError with what to do, where it cannot go on
 */
export async function harmonizeFile(context: Context, options: HarmonizeOptions): Promise<Summary> {
  const begun = performance.now();
  const { signal } = context;
  checkFiles(options); // before an hour's work, not after it
  const display = createProgressDisplay(options.shows);
  const patiently = createPatience({ signal, say: display.say, hint: `Once it runs again: ${GO_ON}` });
  const { harmonizer, log, close } = await reachDirectory(context, patiently);
  try {
    const begin = () => beginOrGoOn(harmonizer, options, signal);
    // What has begun is found again, but not among others of the same file: a second --again would begin with a third.
    const begunRun = await (options.again ? begin() : patiently(begin)).catch((error) => {
      throw signal.aborted ? signal.reason : error;
    });
    const progress = await asWorker({ harmonizer, log, signal, patiently }, async () => {
      const done = await follow({ harmonizer, display, signal, patiently }, begunRun);
      await write({ ...harmonizer, patiently }, begunRun.id, options);
      return done;
    });
    const { matched, review, none, failed } = progress.counts;
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    const { output } = options;
    const positions = positionsText(progress.positions);
    const isUnchecked = positions === undefined && progress.isUnchecked;
    if (positions) display.say(`${positions} ${ANSWER_IN_THE_WEB_APP}`);
    if (isUnchecked) display.say(UNCHECKED);
    const page = new URL(`/harmonizations/${begunRun.id}`, context.config.web.url).href;
    return {
      harmonization: begunRun.id,
      page,
      output,
      listings: progress.total,
      matched,
      review,
      none,
      failed,
      ...(positions !== undefined && { positions }),
      ...(isUnchecked && { positions_unchecked: true }),
      seconds,
    };
  } finally {
    await close();
  }
}

const ANSWER_IN_THE_WEB_APP =
  "Put them right in the web app, or run this again with --again and other --columns, as in lat=3,lng=4. Nothing is added as new before that is answered in the web app.";
const UNCHECKED =
  "The positions were not all compared with the directory in time. They are compared again before anything is added as new.";

const LOOK_EVERY_MS = 500;
/** The positions are looked at beside the matching. */
const LOOKED_AT_WITHIN_MS = 35_000;

interface Done extends Progress, Pick<Harmonization, "positions"> {
  isUnchecked: boolean;
}

const GONE: Harmonization["state"][] = ["cancelled", "deleting"];

/** Until every listing has been asked about and counted, and the positions have been looked at. */
async function follow(
  { harmonizer, display, signal, patiently }: Followed & Waiting,
  { id }: Harmonization,
): Promise<Done> {
  let patience = performance.now() + LOOKED_AT_WITHIN_MS;
  try {
    for (;;) {
      if (signal.aborted) await pauseHarmonization(harmonizer, id);
      const run = await patiently(() => loadHarmonization(harmonizer, id));
      if (!run || GONE.includes(run.state)) throw stopped("The run was cancelled or deleted in the web app.");
      if (run.state === "draft") throw new KnownError(400, "bad_request", whyNotStarted(run));
      const progress = await patiently(() => progressOf(harmonizer, run));
      display.show(progress);
      const isLookedAt = run.positions || !hasPositions(run) || performance.now() > patience;
      if (run.state !== "reading" && run.state !== "matching" && isLookedAt && progress.isCounted)
        return { ...progress, positions: run.positions, isUnchecked: isUnchecked(run) };
      if (run.state === "reading" || run.state === "matching") patience = performance.now() + LOOKED_AT_WITHIN_MS;
      if (signal.aborted) throw new KnownError(499, "interrupted", `Paused at ${shareText(progress)}. ${GO_ON}`);
      if (run.pausedFor) throw stopped(`${refusalOf(run) ?? PAUSED[run.pausedFor]} ${GO_ON}`);
      await after(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    display.end();
  }
}

const isUnchecked = (run: Harmonization): boolean =>
  hasPositions(run) && (run.positions?.isCutShort ?? run.positions === null);

interface Followed {
  harmonizer: Harmonizer;
  display: ReturnType<typeof createProgressDisplay>;
}

/** Reading a file may end with it being a draft again, which says why. */
const whyNotStarted = ({ trial }: Harmonization): string =>
  (trial as { error?: string } | null)?.error ?? "The file could not be read.";

const shareText = ({ done, total }: Progress): string => `${done} of ${total} listings`;

const stopped = (message: string) => new KnownError(503, "unavailable", message);

const GO_ON = "The same command goes on with it.";
const PAUSED = {
  person: "Somebody has paused the run in the web app.",
  connection: "The directory no longer takes the user's token. They must log in to the web app once more.",
  directory: "The directory does not answer, or refuses the application's credentials.",
  application: "The directory has not enabled the application for this: ask its operator.",
};

/** First beside it, so that nobody takes a part for the whole. */
async function write(
  deps: Harmonizer & Pick<Waiting, "patiently">,
  id: string,
  { output, format, candidates }: HarmonizeOptions,
): Promise<void> {
  const run = await deps.patiently(() => loadHarmonization(deps, id));
  if (!run || run.state === "deleting") throw stopped("The run was deleted in the web app.");
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
