import { createWriteStream, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { PauseReason } from "../../db/generated/enums.ts";
import { hasPosition } from "../../files/columns.ts";
import { ALL_ALIKE, type FileFormat } from "../../files/format.ts";
import { type LookState, lookOf, wantLook } from "../../harmonize/changes/changes.ts";
import { type ChangesFormat, changesText } from "../../harmonize/export/changes.ts";
import { exportText } from "../../harmonize/export/export.ts";
import type { ExportFormat } from "../../harmonize/export/formats.ts";
import { quoted } from "../../harmonize/file/preview.ts";
import type { Trial } from "../../harmonize/file/trial.ts";
import { editionChanges } from "../../harmonize/results/listings.ts";
import { type Progress, progressOf } from "../../harmonize/results/progress.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization, pauseHarmonization } from "../../harmonize/run/harmonizations.ts";
import { refusalOf } from "../../harmonize/run/hold-up.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { KnownError } from "../../shared/errors.ts";
import { positionsText } from "../../web/harmonize/base/positions.ts";
import { createPatience } from "../patience.ts";
import type { Context } from "../with-directory.ts";
import { count } from "../words.ts";
import { askYesNo } from "../yes-no.ts";
import { type Against, placeIdOf, storePlaces } from "./against.ts";
import { type BeginOptions, beginOrGoOn, EDITION_LISTS, type EditionList, forget } from "./begin.ts";
import { reachDirectory } from "./directory.ts";
import { checkFiles } from "./files.ts";
import { createProgressDisplay, type Shows } from "./progress.ts";
import { asWorker, type Waiting } from "./worker.ts";

export interface HarmonizeOptions extends BeginOptions {
  output: string;
  format: ExportFormat;
  candidates: boolean;
  shows: Shows;
  /** Files for the rows that are new or have changed since the previous edition, and for those of it that are gone. */
  lists: Partial<Record<EditionList, ExportedTo>>;
  /** The directory has these places alone, and nobody looks at the run but through the file that is written. */
  against?: Against | undefined;
  /** A file for the listings whose venues have changed since they were matched. */
  venueChanges?: { output: string; format: ChangesFormat } | undefined;
}

interface ExportedTo {
  output: string;
  format: ExportFormat;
}

export interface Summary {
  harmonization: string;
  /** Address in the web app of these settings, if it has the run. */
  page?: string;
  output: string;
  listings: number;
  matched: number;
  review: number;
  none: number;
  failed: number;
  /** Rows by how they stand to the previous edition, if there is one; `removed`: rows of that one. */
  edition?: Record<"unchanged" | EditionList, number>;
  /** Venues by what became of them, if they were looked up. */
  venue_changes?: LookState["counts"];
  /** Why positions look wrong. No venues are added until the owner answers in the web app. */
  positions?: string;
  /** Not all positions could be compared in time. */
  positions_unchecked?: true;
  /** Duration in this process. */
  seconds: number;
}

/**
 * Matches the listings of a file and writes the result, as the web app does. Waits out restarts of the database of up to five
 * minutes. Throws KnownError.
 */
export async function harmonizeFile(context: Context, options: HarmonizeOptions): Promise<Summary> {
  const begun = performance.now();
  const { signal } = context;
  checkFiles({ file: options.file, outputs: outputsOf(options) }); // before hours of work, not after
  const display = createProgressDisplay(options.shows);
  const patiently = createPatience({ signal, say: display.say, hint: `When it is running again: ${GO_ON}` });
  if (options.against) await storePlaces(context, options.against, display.say);
  const { harmonizer, log, close } = await reachDirectory(context, patiently, options.against !== undefined);
  try {
    const talk = { signal, say: display.say, ask: asks(options.shows) ? askHere(signal) : undefined };
    const begin = () => beginOrGoOn(harmonizer, options, talk);
    // A retry finds the run that has begun, except with --again, which would start another.
    const begunRun = await (options.again ? begin() : patiently(begin)).catch((error) => {
      throw signal.aborted ? signal.reason : error;
    });
    const others = sheetsNotRead(begunRun.format);
    if (others) display.say(others);
    const progress = await asWorker({ harmonizer, log, signal, patiently }, async () => {
      const done = await follow({ harmonizer, display, signal, patiently }, begunRun);
      const edition = await writeAll({ ...harmonizer, patiently }, begunRun.id, options);
      const changes = await writeChanges({ ...harmonizer, patiently, signal }, begunRun.id, options);
      if (options.against) await forget(harmonizer, begunRun.id, signal);
      return { ...done, edition, changes };
    });
    const { matched, review, none, failed } = progress.counts;
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    const { output } = options;
    const positions = positionsText(progress.positions);
    const isUnchecked = positions === undefined && progress.isUnchecked;
    if (positions) display.say(`${positions} ${options.against ? OTHER_COLUMNS : ANSWER_IN_THE_WEB_APP}`);
    if (isUnchecked) display.say(UNCHECKED);
    if (progress.townless > 0) display.say(inOneTown(progress.townless));
    const page = new URL(`/harmonizations/${begunRun.id}`, context.config.web.url).href;
    return {
      harmonization: begunRun.id,
      ...(!options.against && { page }),
      output,
      listings: progress.total,
      matched,
      review,
      none,
      failed,
      ...(progress.edition && { edition: progress.edition }),
      ...(progress.changes && { venue_changes: progress.changes }),
      ...(positions !== undefined && { positions }),
      ...(isUnchecked && { positions_unchecked: true }),
      seconds,
    };
  } finally {
    await close();
  }
}

export const outputsOf = ({ output, lists, venueChanges }: HarmonizeOptions): { option: string; output: string }[] => [
  { option: "-o", output },
  ...Object.entries(lists).map(([list, to]) => ({ option: `--${list}`, output: to.output })),
  ...(venueChanges ? [{ option: "--venue-changes", output: venueChanges.output }] : []),
];

function sheetsNotRead({ sheet, alike = [] }: FileFormat): string | undefined {
  const others = alike.filter((name) => name !== sheet);
  if (sheet === ALL_ALIKE || others.length === 0) return undefined;
  return `Only the sheet “${sheet}” is read. ${quoted(others)}: the same columns. For all of them: --again --sheet '*'`;
}

/** Only where a person sees the question, and can answer it. */
export const asks = (shows: Shows): boolean => shows === "bar" && process.stdin.isTTY === true;

export const askHere = (signal: AbortSignal) => (question: string, preselected: boolean) =>
  askYesNo(question, preselected, signal);

const inOneTown = (listings: number): string =>
  `${listings === 1 ? "1 row is" : `${count(listings)} rows are`} without a place that the directory knows. If all such ` +
  'rows are in one town, run the same command with --town, such as --town "Providence, RI": it asks about them again.';

const ANSWER_IN_THE_WEB_APP =
  "Repair or confirm them in the web app, or run this command with --again and other --columns, such as lat=3,lng=4. Until then no venues are added.";
const OTHER_COLUMNS = "Run this command again with other --columns, such as lat=3,lng=4.";
const UNCHECKED =
  "Not all positions could be compared with the directory in time. Samespot compares them again before it adds venues.";

const LOOK_EVERY_MS = 500;
/** Positions are judged at the same time as matching. */
const LOOKED_AT_WITHIN_MS = 35_000;

interface Done extends Progress, Pick<Harmonization, "positions"> {
  isUnchecked: boolean;
}

const GONE: Harmonization["state"][] = ["cancelled", "deleting"];

// Also waits for the count and for the judgement of positions.
async function follow(
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

const stopped = (message: string) => new KnownError(503, "unavailable", message);

const GO_ON = "Run the same command to resume it.";
const PAUSED = {
  person: "The run was paused in the web app.",
  connection: "The directory no longer accepts the user's token. The user must log in to the web app again.",
  directory: "The directory does not answer, or rejects the application's credentials.",
  application: "The directory has not enabled the application for this. Ask its operator.",
};

/** Writes the file, and the lists of an edition. Returns how many rows each has, if there is a previous one. */
async function writeAll(
  deps: Writing,
  id: string,
  { output, format, candidates, lists, against }: HarmonizeOptions,
): Promise<Summary["edition"]> {
  const run = await loadToWrite(deps, id);
  const own = { hasCandidates: candidates || against !== undefined, idOf: against && placeIdOf };
  await write(output, () => exportText(deps, run, { format, ...own }));
  if (run.previousId === null) return undefined;
  const previous = await loadToWrite(deps, run.previousId);
  for (const called of EDITION_LISTS) {
    const to = lists[called];
    if (!to) continue;
    const filter = called === "removed" ? { missingIn: id } : { edition: called };
    const list = { outcome: undefined, text: "", filter, called };
    const options = { format: to.format, hasCandidates: candidates, list };
    await write(to.output, () => exportText(deps, called === "removed" ? previous : run, options));
  }
  const { same, changed, added, gone } = await deps.patiently(() => editionChanges(deps, run, previous));
  return { unchanged: same, new: added, changed, removed: gone };
}

/** Looks the venues up again, and writes what became of them. Returns how many venues changed in which way. */
async function writeChanges(
  { signal, ...deps }: Writing & Pick<Waiting, "signal">,
  id: string,
  { venueChanges: to }: HarmonizeOptions,
): Promise<Summary["venue_changes"]> {
  if (!to) return undefined;
  const run = await loadToWrite(deps, id);
  await deps.patiently(() => wantLook(deps, run));
  for (;;) {
    const look = await deps.patiently(() => lookOf(deps, run));
    if (look && !look.isAtWork) {
      await write(to.output, () => changesText(deps, run, to.format));
      return look.counts;
    }
    if (signal.aborted) throw new KnownError(499, "interrupted", `Interrupted. ${WITHOUT_CHANGES}`);
    if (look?.problem) throw stopped(`${wordsOf(look.problem)} ${WITHOUT_CHANGES}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

const WITHOUT_CHANGES =
  "The results are written, but not what became of their venues: the run goes on to look that up in the web app, at “Changes”.";

type Writing = Harmonizer & Pick<Waiting, "patiently">;

async function loadToWrite(deps: Writing, id: string): Promise<Harmonization> {
  const run = await deps.patiently(() => loadHarmonization(deps, id));
  if (!run || run.state === "deleting") throw stopped("The run was deleted in the web app.");
  return run;
}

// Writes to a .part file first, so that nobody mistakes a part for the whole.
export async function write(output: string, text: () => AsyncIterable<string | Uint8Array>): Promise<void> {
  const part = `${output}.part`;
  try {
    await pipeline(Readable.from(text()), createWriteStream(part));
    await rename(part, output);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
