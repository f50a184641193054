import { ALL_ALIKE, type FileFormat } from "../../files/format.ts";
import { quoted } from "../../harmonize/file/preview.ts";
import { secondsSince } from "../../shared/seconds-since.ts";
import { positionsText } from "../../web/harmonize/base/positions.ts";
import { createPatience } from "../patience.ts";
import type { Context } from "../with-directory.ts";
import { count } from "../words.ts";
import { askYesNo } from "../yes-no.ts";
import { storePlaces } from "./against.ts";
import { beginOrGoOn, forget } from "./begin.ts";
import { reachDirectory } from "./directory.ts";
import { checkFiles } from "./files.ts";
import { follow, GO_ON } from "./follow.ts";
import { type HarmonizeOptions, outputsOf, type Summary } from "./options.ts";
import { createProgressDisplay, type Shows } from "./progress.ts";
import { asWorker } from "./worker.ts";
import { writeAll, writeChanges } from "./write.ts";

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
    const seconds = secondsSince(begun);
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
