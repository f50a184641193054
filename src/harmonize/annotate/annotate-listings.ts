import type { Harmonization, Person } from "../run/harmonizations.ts";
import { type AnnotateTask, beginTask, type Deps, endTask, type Run, runTask } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import { onItsOwn } from "../run/trouble.ts";
import { callFor, conflictIn, type Running } from "./call.ts";
import { annotateReport, mappingsOf, nextToAnnotate, noteAnnotations } from "./rows.ts";
import { annotateTogether } from "./together.ts";

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
  const { venueId, idempotencyKey, ...link } = callFor(h, running, mapping);
  const write = () =>
    deps.directory.annotate(auth, venueId, link, { idempotencyKey }).catch((error) => {
      const conflict = conflictIn(error, mapping);
      if (!conflict) throw error;
      return conflict;
    });
  const { done: conflict, problem } = await onItsOwn(deps, auth, write);
  await noteAnnotations(deps, h, [{ ...mapping, problem: conflict ?? problem }]);
  countListings("annotate");
  return true;
}
