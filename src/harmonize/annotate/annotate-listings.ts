import { type DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { type AnnotateTask, beginTask, type Deps, endTask, isLost, type Run, runTask } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import { problemOf } from "../run/problems/problems.ts";
import { tryListing } from "../run/trouble.ts";
import { annotationCall, conflictIn, type Running } from "./call.ts";
import { annotateReport, mappingsOf, type Noted, nextToAnnotate, noteAnnotations } from "./rows.ts";

export const startAnnotating = (
  deps: Pick<Deps, "prisma" | "queue">,
  { id }: Pick<Harmonization, "id">,
  person: Person,
): Promise<boolean> => beginTask(deps, id, { kind: "annotate", accountId: person.id });

const AT_ONCE = 4;

/** The task `annotate`: writes each matched listing's own id to its venue (interface, venues/annotate). Resumable. */
export const annotateListings = (deps: Deps, h: Harmonization, run: Run): Promise<void> =>
  runTask<AnnotateTask>(deps, h, { kind: "annotate", signal: run.signal }, (task, auth, signal) =>
    annotateAll(deps, h, { task, auth, signal }),
  );

async function annotateAll(deps: Deps, h: Harmonization, run: Omit<Running, "providerId">): Promise<undefined> {
  const { task, signal } = run;
  const providerId = await deps.providerId();
  if (providerId === undefined) {
    await endTask(deps, h.id, task.runner, { problem: { code: "no_provider" } });
    return;
  }
  const running = { ...run, providerId };
  for (let after = 0; !signal.aborted; ) {
    const numbers = await nextToAnnotate(deps, h, task, after);
    if (numbers === "stopped") return;
    const last = numbers.at(-1);
    if (last === undefined) {
      await endTask(deps, h.id, task.runner, { report: await annotateReport(deps, h, task) });
      return;
    }
    const left = await annotateTogether(deps, h, running, numbers);
    if (left === "stopped") return;
    if (!(await inLanes(left, signal, (number) => annotate(deps, h, running, number)))) return;
    after = last;
  }
}

// Once `work` returns false or throws, starts no more and awaits the rest.
async function inLanes<T>(items: T[], signal: AbortSignal, work: (item: T) => Promise<boolean>): Promise<boolean> {
  const waiting = [...items];
  let goesOn = true;
  const lane = async () => {
    for (let next = waiting.shift(); next && goesOn && !signal.aborted; next = waiting.shift())
      if (!(await work(next))) goesOn = false;
  };
  const lanes = Array.from({ length: AT_ONCE }, () =>
    lane().finally(() => {
      waiting.length = 0;
    }),
  );
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return goesOn;
}

async function annotate(deps: Deps, h: Harmonization, running: Running, number: number): Promise<boolean> {
  const mappings = await mappingsOf(deps, h, running.task, [number]);
  if (mappings === "stopped") return false;
  const [mapping] = mappings;
  if (!mapping) return true;
  const { auth } = running;
  const { venueId, idempotencyKey, ...link } = annotationCall(h, running, mapping);
  const write = () =>
    deps.directory.annotate(auth, venueId, link, { idempotencyKey }).catch((error) => {
      const conflict = conflictIn(error, mapping);
      if (!conflict) throw error;
      return conflict;
    });
  const { done: conflict, problem } = await tryListing(deps, auth, write);
  await noteAnnotations(deps, h, [{ ...mapping, problem: conflict ?? problem }]);
  countListings("annotate");
  return true;
}

/** Calls at once: a pause waits for them. */
const PORTION = 100;

/**
 * Annotates listings with one call for many, if the directory takes such. Returns those to be annotated alone: all if it takes
 * none, and those without an answer; "stopped" if the task is paused, waiting, over or another run's.
 * @throws DirectoryError after noting the outcomes, if every call would be refused now
 */
async function annotateTogether(
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
  const calls = mappings.map((mapping) => annotationCall(h, running, mapping));
  const written = await deps.directory.annotateVenues(running.auth, calls);
  if (!written) return mappings.map(({ number }) => number);
  const noted: Noted[] = [];
  const lost: number[] = [];
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
