import { createWriteStream, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { lookStateOf, wantLook } from "../../harmonize/changes/changes.ts";
import { changesText } from "../../harmonize/export/changes.ts";
import { exportText } from "../../harmonize/export/export.ts";
import { editionChanges } from "../../harmonize/results/listings.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization } from "../../harmonize/run/harmonizations.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { KnownError } from "../../shared/errors.ts";
import { placeIdOf } from "./against.ts";
import { EDITION_LISTS } from "./begin.ts";
import { LOOK_EVERY_MS, stopped } from "./follow.ts";
import type { HarmonizeOptions, Summary } from "./options.ts";
import type { Waiting } from "./worker.ts";

/** Writes the file, and the lists of an edition. Returns how many rows each has, if there is a previous one. */
export async function writeAll(
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
export async function writeChanges(
  { signal, ...deps }: Writing & Pick<Waiting, "signal">,
  id: string,
  { venueChanges: to }: HarmonizeOptions,
): Promise<Summary["venue_changes"]> {
  if (!to) return undefined;
  const run = await loadToWrite(deps, id);
  await deps.patiently(() => wantLook(deps, run));
  for (;;) {
    const look = await deps.patiently(() => lookStateOf(deps, run));
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
