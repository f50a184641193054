import { z } from "zod";
import type { Trial } from "../../harmonize/file/trial.ts";
import { isToBeJudged } from "../../harmonize/positions/task.ts";
import { type Progress, progressOf } from "../../harmonize/results/progress.ts";
import { type Harmonization, isAtWork, isOwner } from "../../harmonize/run/harmonizations.ts";
import { isOpen } from "../../harmonize/run/positions.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { KnownError } from "../../shared/errors.ts";
import { positionsView } from "../harmonize/base/positions.ts";
import { type Call, requireSeenWith } from "./endpoint.ts";

const STATES = ["draft", "reading", "matching", "adding", "annotating", "undoing", "ready", "cancelled"] as const;

export const time = z.iso.datetime();

/** What every answer about a file begins with. */
export const fileBrief = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(STATES).meta({ description: "`draft` before the start, `ready` once its results are there." }),
  is_at_work: z.boolean(),
  paused_for: z.enum(["person", "connection", "directory", "application"]).nullable(),
  is_own: z.boolean(),
  is_shared: z.boolean(),
  rows: z.int().meta({ description: "0 before the file has been read." }),
  previous_id: z.uuid().nullable().meta({ description: "The edition before." }),
  created_at: time,
  matched_at: time.nullable(),
  expires_at: time.nullable().meta({ description: "When it is deleted unless it is used before." }),
  page: z.url().meta({ description: "In the web app." }),
});

export const outcomeCounts = z.object({
  matched: z.int(),
  review: z.int(),
  none: z.int(),
  failed: z.int(),
  pending: z.int(),
});

export const fileState = fileBrief.extend({
  progress: z.object({
    done: z.int(),
    total: z.int().meta({ description: "While the file is read, an estimate." }),
    per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
    has_worker: z.boolean(),
  }),
  counts: outcomeCounts.nullable().meta({ description: "Rows by outcome; null while they are still counted." }),
  can: z
    .object({
      add: z.int(),
      add_by_address: z.int(),
      annotate: z.int(),
      undo_adding: z.int(),
      retry: z.int(),
    })
    .nullable()
    .meta({ description: "How many rows each next step is about." }),
  positions: z
    .object({
      verdict: z.enum(["fine", "wrong", "elsewhere", "unknown"]),
      is_open: z.boolean(),
      message: z.string().nullable(),
    })
    .nullable()
    .meta({
      description:
        "Whether the positions look right; `is_open`: answer before venues are added. Null before they are judged.",
    }),
  is_judging: z.boolean().meta({ description: "Whether the positions are still being judged." }),
  problem: z.string().nullable().meta({ description: "Why a draft could not be tried or started." }),
});

export function fileBriefOf(
  { web, member }: Pick<Call<unknown, unknown>, "web" | "member">,
  h: Harmonization,
): z.output<typeof fileBrief> {
  return {
    id: h.id,
    name: h.name,
    state: h.state as (typeof STATES)[number],
    is_at_work: isAtWork(h),
    paused_for: h.pausedFor,
    is_own: isOwner(h, member),
    is_shared: h.isShared,
    rows: h.listingCount,
    previous_id: h.previousId,
    created_at: h.createdAt.toISOString(),
    matched_at: h.matchedAt?.toISOString() ?? null,
    expires_at: h.expiresAt?.toISOString() ?? null,
    page: `${web.config.web.url}/harmonizations/${h.id}`,
  };
}

export async function stateOf(
  call: Pick<Call<unknown, unknown>, "web" | "member">,
  h: Harmonization,
): Promise<z.output<typeof fileState>> {
  const progress = await progressOf(call.web.harmonizer, h);
  const { error } = (h.trial as Partial<Trial> | null) ?? {};
  const view = positionsView(h.positions);
  return {
    ...fileBriefOf(call, h),
    progress: {
      done: progress.done,
      total: progress.total,
      has_worker: progress.hasWorker,
      per_second: progress.perSecond ?? null,
      seconds_left: progress.secondsLeft ?? null,
    },
    counts: progress.isCounted ? progress.counts : null,
    can: progress.isCounted ? stepsOf(progress) : null,
    positions: h.positions && {
      verdict: h.positions.verdict,
      is_open: isOpen(h.positions),
      message: view ? [("heading" in view && view.heading) || "", view.message].filter(Boolean).join(" ") : null,
    },
    is_judging: isBeingJudged(h),
    problem: error ? wordsOf(error) : null,
  };
}

const stepsOf = ({ addable, addableByAddress, annotatable, undoable, retryable }: Progress) => ({
  add: addable,
  add_by_address: addableByAddress,
  annotate: annotatable,
  undo_adding: undoable,
  retry: retryable,
});

export const isBeingJudged = (h: Harmonization) => isToBeJudged(h) && h.positions === null;

/** @throws KnownError 404 if it was deleted meanwhile */
export async function currentState(call: Pick<Call<unknown, unknown>, "web" | "member" | "token">, id: string) {
  return stateOf(call, await requireSeenWith(call, id));
}

export const nothingDone = () =>
  new KnownError(409, "conflict", "Nothing was done: something else is running, or there is nothing left to do.");
