import type { HarmonizationState, PauseReason } from "../../db/generated/enums.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import { randomToken } from "../../shared/crypto.ts";
import type { Harmonizer } from "./deps.ts";
import { HAS_TASK, HELD_UNTIL } from "./harmonizations.ts";
import { holdUp } from "./hold-up.ts";
import type { Problem } from "./problems/problems.ts";

/** The `task` of a harmonization: running, or the last one once it has a report. */
export type LongTask = AddTask | AnnotateTask | UndoTask;

interface Begun {
  accountId: string;
  since: string;
  /** The only worker's run that may continue the task. */
  runner?: string;
}

/** What a person chooses for an add. */
export interface AddWish {
  /** For listings without a guess. */
  categoryId: string | undefined;
  /** Whether to add those with only an estimated position too. */
  byAddress: boolean | undefined;
}

export interface AddTask extends Begun, Partial<AddWish> {
  kind: "add";
  report?: AddReport;
  problem?: Problem;
}

/** Counts of listings; `failed` ones carry their reason. `left`: without a category; `heldBack`: at a doubtful position. */
export interface AddReport {
  added: number;
  matched: number;
  review: number;
  heldBack: number;
  left: number;
  failed: number;
}

export interface AnnotateTask extends Begun {
  kind: "annotate";
  report?: AnnotateReport;
  problem?: Problem;
}

/** Counts of mappings; `conflicts`: another venue has the id. */
export interface AnnotateReport {
  annotated: number;
  alreadyThere: number;
  conflicts: number;
  failed: number;
}

export interface UndoTask extends Begun {
  kind: "undo";
  report?: UndoReport;
  problem?: Problem;
}

/** Counts of listings; those `failed`, and those `held` by other files, carry their reason. */
export interface UndoReport {
  undone: number;
  held: number;
  failed: number;
}

export interface Run {
  signal: AbortSignal;
}

export type Deps = Pick<
  Harmonizer,
  "prisma" | "pool" | "directory" | "directoryUrl" | "authFor" | "tokenRefused" | "queue" | "providerId"
>;

const STATES = { add: "adding", annotate: "annotating", undo: "undoing" } as const satisfies Record<
  string,
  HarmonizationState
>;

/** Starts and queues a task. Returns false unless the harmonization is `ready`. */
export async function beginTask(
  { prisma, queue }: Pick<Deps, "prisma" | "queue">,
  id: string,
  begun: Pick<LongTask, "kind" | "accountId"> & Partial<AddWish>,
): Promise<boolean> {
  const { kind } = begun;
  const task = JSON.stringify(begun);
  const updated = await prisma.$executeRaw`
    UPDATE app.harmonization AS h SET state = ${STATES[kind]}::app.harmonization_state, paused_for = NULL,
      retry_at = ${HELD_UNTIL}, task = ${task}::jsonb || jsonb_build_object('since', now())
    WHERE id = ${id}::uuid AND state = 'ready'`;
  if (updated === 1) await queue.send({ kind, harmonizationId: id });
  return updated === 1;
}

/** Then a task yields to waiting ones; the supervision queues it again behind them (attacks F23). */
const TURN_MS = 20_000;

/** Runs a task exclusively. `work` ends soon after its signal aborts, and returns the seconds to wait, if any. */
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

/** Claims the task for this run, which bars all others. Returns undefined if it is paused, waiting or ended. */
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

export async function endTask(
  { prisma }: Pick<Deps, "prisma">,
  id: string,
  runner: string,
  end: { report: NonNullable<LongTask["report"]> } | { problem: Problem },
): Promise<boolean> {
  const ended = await prisma.$executeRaw`
    UPDATE app.harmonization SET state = 'ready', retry_at = NULL, task = (task - 'runner') || ${JSON.stringify(end)}::jsonb
    WHERE id = ${id}::uuid AND paused_for IS NULL AND task->>'runner' = ${runner}
      AND ${HAS_TASK}`;
  return ended === 1;
}

/** Seconds. */
const BACK_OFF = 15;

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
      AND ${HAS_TASK}`;
}

export const isLost = (error: unknown): error is DirectoryError =>
  error instanceof DirectoryError && (error.kind === "unreachable" || error.kind === "invalid_answer");
