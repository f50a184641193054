import { z } from "zod";
import type { DirectoryErrorKind } from "../../../directory-client/calls/errors.ts";
import { type Coded, cell, ROW_PROBLEMS } from "../../../files/problems.ts";
import type { KnownError } from "../../../shared/errors.ts";
import { storable } from "../../../shared/storable.ts";

const none: z.ZodType<unknown> = z.object({});
const words = z.string();
const count = z.number().int().nonnegative();
const ll = z.object({ lat: z.number(), lng: z.number() });

/** `said`: the directory's message; `wait`: seconds; `near`: the place that it does not know. */
const refusal = z.object({
  said: words.optional(),
  wait: z.number().positive().optional(),
  near: words.optional(),
});

const DIRECTORY = {
  unreachable: refusal,
  refused_token: refusal,
  refused_client: refusal,
  not_enabled: refusal,
  rejected: refusal,
  not_found: refusal,
  invalid_answer: refusal,
  rate_limited: refusal,
  duplicate: refusal,
  conflict: refusal,
} satisfies Record<DirectoryErrorKind, typeof refusal>;

/** What can go wrong with a listing, a task or a worker, each with its parameters. The texts are in words.ts. */
export const PROBLEMS = {
  ...DIRECTORY,
  ...ROW_PROBLEMS,
  ended_worker: z.object({ times: count }),
  // Of a listing to add.
  unusable_name: none,
  unplaced: none,
  no_category: z.object(cell),
  /** Far from the place that its row names; with a slip that would explain it. */
  implausible_position: z.object({ ll, km: count, place: words, slip: words.optional(), wouldBe: ll.optional() }),
  /** Far from the other listings of its file, and among them without the slip. */
  mistyped_position: z.object({ ll, slip: words, wouldBe: ll }),
  add_unknown: none,
  decided: z.object({ venue: words.optional() }),
  decided_meanwhile: z.object({ venue: words }),
  /** The venue that has the id; `isOurs`: this file put it there. */
  already_on: z.object({ id: words, name: words, isOurs: z.literal(true).optional() }),
  positions_unanswered: none,
  /** Of an added listing whose venue was not deleted: what the directory said. */
  not_undone: z.object({ said: words }),
  /** Of an added listing whose venue `rows` of other files hold, in so many other lists. Which ones is not for everybody who sees the row. */
  venue_held: z.object({ rows: count, lists: count }),
  no_undo: none,
  no_provider: none,
  not_connected: none,
  too_many_rows: z.object({ most: count }),
  worker_idle: z.object({ seconds: count }),
  told: z.object({ ...cell, said: words }),
};

/** Why an added venue was not deleted again. */
export const NOT_DELETED = ["not_undone", "venue_held"] as const satisfies ProblemCode[];

export type ProblemCode = keyof typeof PROBLEMS;
export type ProblemOf<Code extends ProblemCode> = Coded<typeof PROBLEMS, Code>;
export type Problem = ProblemOf<ProblemCode>;

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

export function problemOf(error: KnownError): Problem {
  const { code, params } = error;
  const said = params?.said === undefined ? {} : { said: storable(String(params.said)) };
  const known = params && isProblemCode(code) ? PROBLEMS[code].safeParse({ ...params, ...said }).data : undefined;
  if (known) return JSON.parse(JSON.stringify({ ...(known as object), code })); // drops undefined values
  return { code: "told", said: storable(error.message) };
}
