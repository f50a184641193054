import { Prisma } from "../../db/generated/client.ts";
import type { HarmonizationState, PauseReason } from "../../db/generated/enums.ts";
import type { Auth } from "../../directory-client/answers.ts";
import { DirectoryError, isHoldUp } from "../../directory-client/errors.ts";
import { randomToken } from "../../shared/crypto.ts";
import type { Harmonizer } from "./deps.ts";
import { HELD_UNTIL } from "./harmonizations.ts";
import { holdUp } from "./hold-up.ts";

/**
 * `task` of a harmonization: what a worker does with all of its listings or, once it has a report, did last. Whoever
 * began it is whose token is used; `since` is the database's clock, ISO 8601.
 */
export type LongTask = AddTask | AnnotateTask;

interface Begun {
  accountId: string;
  since: string;
  /** The run of a worker that may go on with it; an older one that comes back late may not. */
  runner?: string;
}

export interface AddTask extends Begun {
  kind: "add";
  /** For listings that name no category of their own. */
  categoryId?: string;
  report?: AddReport;
  /** Why nothing was added at all. */
  problem?: string;
}

/** How many listings were added, found to be there, put before a person, and not added for a reason that they carry. */
export interface AddReport {
  added: number;
  matched: number;
  review: number;
  failed: number;
}

export interface AnnotateTask extends Begun {
  kind: "annotate";
  report?: AnnotateReport;
  /** Why nothing was annotated at all. */
  problem?: string;
}

/** How many mappings were annotated now, before, not because another venue has the id, and not for another reason. */
export interface AnnotateReport {
  annotated: number;
  alreadyThere: number;
  conflicts: number;
  failed: number;
}

/** How a worker runs a task: `signal` ends it between two listings. */
export interface Run {
  signal: AbortSignal;
}

export type Deps = Pick<
  Harmonizer,
  "prisma" | "pool" | "directory" | "directoryUrl" | "authFor" | "tokenRefused" | "queue" | "providerId"
>;

const STATES = { add: "adding", annotate: "annotating" } as const satisfies Record<string, HarmonizationState>;

/** Begins a task on one that is ready, and queues it. False where something else is under way, or was begun meanwhile. */
export async function beginTask(
  { prisma, queue }: Pick<Deps, "prisma" | "queue">,
  id: string,
  { kind, accountId, categoryId }: Pick<LongTask, "kind" | "accountId"> & { categoryId?: string | undefined },
): Promise<boolean> {
  const task = JSON.stringify({ kind, accountId, categoryId });
  const begun = await prisma.$executeRaw`
    UPDATE app.harmonization AS h SET state = ${STATES[kind]}::app.harmonization_state, paused_for = NULL,
      retry_at = ${Prisma.raw(HELD_UNTIL)}, task = ${task}::jsonb || jsonb_build_object('since', now())
    WHERE id = ${id}::uuid AND state = 'ready'`;
  if (begun === 1) await queue.send({ kind, harmonizationId: id });
  return begun === 1;
}

/** Then a task gives way to what waits, between two listings; the supervision queues it again, behind that (attacks F23). */
const TURN_MS = 20_000;

/**
 * Runs a task as the only one that goes on with it. `work` ends soon after its signal aborts, and answers after how many
 * seconds to go on, where it has to wait; what the directory holds up waits too.
 */
export async function runTask<T extends LongTask>(
  deps: Deps,
  { id }: { id: string },
  { kind, signal }: { kind: T["kind"]; signal: AbortSignal },
  work: (task: T & { runner: string }, auth: Auth, signal: AbortSignal) => Promise<number | undefined>,
): Promise<void> {
  const task = await takeTask<T>(deps, id, kind);
  if (!task) return;
  const { runner, accountId } = task;
  const auth = await deps.authFor(accountId);
  if (!auth) return haltTask(deps, id, runner, "connection");
  try {
    const wait = await work(task, auth, AbortSignal.any([signal, AbortSignal.timeout(TURN_MS)]));
    if (wait) await haltTask(deps, id, runner, wait);
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    if (isHoldUp(error)) await holdUp(deps, { accountId }, auth, error);
    else await haltTask(deps, id, runner, error.retryAfter ?? BACK_OFF);
  }
}

/**
 * Makes this run the one that goes on; from here on no other begins anything. Undefined where there is nothing to go on
 * with: it is paused, waits, or has ended.
 */
async function takeTask<T extends LongTask>(
  { prisma }: Pick<Deps, "prisma">,
  id: string,
  kind: T["kind"],
): Promise<(T & { runner: string }) | undefined> {
  const runner = randomToken(12);
  const [row] = await prisma.$queryRaw<{ task: T & { runner: string } }[]>`
    UPDATE app.harmonization SET task = task || jsonb_build_object('runner', ${runner}::text), retry_at = NULL
    WHERE id = ${id}::uuid AND state = ${STATES[kind]}::app.harmonization_state AND paused_for IS NULL
      AND coalesce(retry_at, now()) <= now()
    RETURNING task`;
  return row?.task;
}

/** Notes how it ended. False where this run is no longer the one that goes on. */
export async function endTask(
  { prisma }: Pick<Deps, "prisma">,
  id: string,
  runner: string,
  end: { report: AddReport | AnnotateReport } | { problem: string },
): Promise<boolean> {
  const ended = await prisma.$executeRaw`
    UPDATE app.harmonization SET state = 'ready', retry_at = NULL, task = (task - 'runner') || ${JSON.stringify(end)}::jsonb
    WHERE id = ${id}::uuid AND paused_for IS NULL AND task->>'runner' = ${runner}
      AND state IN ('adding', 'annotating')`;
  return ended === 1;
}

/** How long to leave a directory alone that does not answer, in seconds. */
const BACK_OFF = 15;

/** Lets the task wait: so many seconds, or until what it is paused for is over. */
async function haltTask(
  { prisma }: Pick<Deps, "prisma">,
  id: string,
  runner: string,
  wait: number | PauseReason,
): Promise<void> {
  const seconds = typeof wait === "number" ? wait : null;
  const reason = typeof wait === "number" ? null : wait;
  await prisma.$executeRaw`
    UPDATE app.harmonization SET retry_at = greatest(retry_at, now() + make_interval(secs => ${seconds}::float8)),
           paused_for = ${reason}::app.pause_reason
    WHERE id = ${id}::uuid AND paused_for IS NULL AND task->>'runner' = ${runner}
      AND state IN ('adding', 'annotating')`;
}

/** Whether nobody knows what came of a call. */
export const isLost = (error: unknown): error is DirectoryError =>
  error instanceof DirectoryError && (error.kind === "unreachable" || error.kind === "invalid_answer");
