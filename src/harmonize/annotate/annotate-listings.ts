import type { Auth } from "../../directory-client/answers.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import { sha256 } from "../../shared/crypto.ts";
import { storable } from "../run/candidates.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { type AnnotateTask, beginTask, type Deps, endTask, type Run, runTask } from "../run/long-task.ts";
import { countListings } from "../run/metrics.ts";
import { onItsOwn } from "../run/trouble.ts";
import { ALREADY_ON, annotateReport, mappingOf, nextToAnnotate, noteAnnotation, PUT_THERE } from "./rows.ts";

/** Begins to write every mapping to the directory, with the token of this person. False where something else is under way. */
export const startAnnotating = (
  deps: Pick<Deps, "prisma" | "queue">,
  { id }: Pick<Harmonization, "id">,
  person: Person,
): Promise<boolean> => beginTask(deps, id, { kind: "annotate", accountId: person.id });

/** Calls at a time. */
const AT_ONCE = 4;

const NO_PROVIDER = "No provider id is reserved for this Samespot. Whoever runs it needs to set PROVIDER_ID.";

/**
 * The worker's task `annotate`: writes the owner's own id of each matched listing on its venue (interface,
 * venues/annotate), unless that was done before. The same once more changes nothing, so any run may be cut short. Ends
 * with the state `ready` and a report in `task`, or with a reason to wait.
 */
export const annotateListings = (deps: Deps, h: Harmonization, run: Run): Promise<void> =>
  runTask<AnnotateTask>(deps, h, { kind: "annotate", signal: run.signal }, (task, auth, signal) =>
    annotateAll(deps, h, { task, auth, signal }),
  );

interface Running extends Run {
  task: AnnotateTask & { runner: string };
  auth: Auth;
  providerId: string;
}

async function annotateAll(deps: Deps, h: Harmonization, run: Omit<Running, "providerId">): Promise<undefined> {
  const { task, signal } = run;
  const providerId = await deps.providerId();
  if (providerId === undefined) {
    await endTask(deps, h.id, task.runner, { problem: NO_PROVIDER });
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
    if (!(await inLanes(numbers, signal, (number) => annotate(deps, h, running, number)))) return;
    after = last;
  }
}

/**
 * Does all of them, AT_ONCE at a time, as long as each answers that it goes on. Else, and when one fails, no other is begun,
 * and those under way come to their end.
 */
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

/** False once the task is to stop. */
async function annotate(
  deps: Deps,
  h: Harmonization,
  { task, auth, providerId }: Running,
  number: number,
): Promise<boolean> {
  const mapping = await mappingOf(deps, h, task, number);
  if (mapping === "stopped") return false;
  if (!mapping) return true;
  const { ownId, venueId, wasElsewhere } = mapping;
  const link = { providerId, linkedId: ownId };
  // Of this task only: a later one must not be answered with what was true then.
  const call = Buffer.from(sha256(JSON.stringify([link, venueId, task.since])));
  const once = { idempotencyKey: `${h.id}:${number}:${call.toString("base64url")}` };
  const write = () =>
    deps.directory.annotate(auth, venueId, link, once).catch((error) => toConflict(error, wasElsewhere));
  const { done: conflict, problem } = await onItsOwn(deps, auth, write);
  await noteAnnotation(deps, { id: h.id, number }, mapping, conflict ?? problem?.message);
  countListings("annotate");
  return true;
}

/** The directory takes an id for one venue only, and says which has it. No call of the interface takes it back. */
function toConflict(error: unknown, wasElsewhere: boolean): string {
  const holder = error instanceof DirectoryError ? error.holder : undefined;
  if (!holder) throw error;
  const where = `${ALREADY_ON} the venue “${storable(holder.name)}” (${storable(holder.id)})`;
  if (!wasElsewhere) return `${where}.`;
  return `${where}, ${PUT_THERE}. Ask the directory to remove it there, then annotate again.`;
}
