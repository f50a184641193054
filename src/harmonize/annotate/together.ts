import { type DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import { type Deps, isLost } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import { problemOf } from "../run/problems/problems.ts";
import { callFor, conflictIn, type Running } from "./call.ts";
import { mappingsOf, type Noted, noteAnnotations } from "./rows.ts";

/** Calls at once: a pause waits for them. */
const PORTION = 100;

/**
 * Annotates listings with one call for many, if the directory takes such. Returns those to be annotated alone: all if it takes
 * none, and those without an answer; "stopped" if the task is paused, waiting, over or another run's.
 * @throws DirectoryError after noting the outcomes, if every call would be refused now
 */
export async function annotateTogether(
  deps: Deps,
  h: { id: string },
  running: Running,
  numbers: number[],
): Promise<number[] | "stopped"> {
  const most = Math.min(PORTION, await deps.directory.mostLines("annotate"));
  if (most < 2) return numbers;
  const left: number[] = [];
  for (let from = 0; from < numbers.length && !running.signal.aborted; from += most) {
    const alone = await annotatePortion(deps, h, running, numbers.slice(from, from + most));
    if (alone === "stopped") return "stopped";
    left.push(...alone);
  }
  return left;
}

async function annotatePortion(
  deps: Deps,
  h: { id: string },
  running: Running,
  numbers: number[],
): Promise<number[] | "stopped"> {
  const mappings = await mappingsOf(deps, h, running.task, numbers);
  if (mappings === "stopped") return "stopped";
  if (mappings.length === 0) return [];
  const calls = mappings.map((mapping) => callFor(h, running, mapping));
  const written = await deps.directory.annotateVenues(running.auth, calls);
  if (!written) return mappings.map(({ number }) => number);
  const [noted, lost]: [Noted[], number[]] = [[], []];
  let holdUp: DirectoryError | undefined;
  for (const [at, mapping] of mappings.entries()) {
    const outcome = written[at];
    const error = outcome && "error" in outcome ? outcome.error : undefined;
    if (error && isHoldUp(error)) holdUp = error;
    else if (!outcome || isLost(error)) lost.push(mapping.number);
    else noted.push({ ...mapping, problem: error && (conflictIn(error, mapping) ?? problemOf(error)) });
  }
  await noteAnnotations(deps, h, noted);
  countListings("annotate", noted.length);
  if (holdUp) throw holdUp;
  return lost;
}
