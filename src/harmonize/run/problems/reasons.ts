import { z } from "zod";
import type { Coded } from "../../../files/problems.ts";

const none: z.ZodType<unknown> = z.object({});
const said = z.array(z.string());
/** The attribution of the venue's source. */
const hasCredit = { credit: z.string().nullish() };
/** Of a new venue: whether it waited for the directory's approval, and whether the candidates had been rejected, for the undo. */
const isNew = z.object({ held: z.boolean().optional(), wasRejected: z.boolean().optional() });

/** Why a listing was decided, with parameters; `said`: the directory's words. words.ts words it. */
export const REASONS = {
  evidence: z.object({ said }),
  /** `said`: how the venue compares. */
  found_by_hand: z.object({ said, ...hasCredit }),
  /** `venues`: how many were rejected; missing if each listing of the family had its own. */
  none_alike: z.object({ venues: z.number().int().nonnegative().optional() }),
  added: isNew,
  added_with_others: isNew,
  add_undone: none,
  /** Undecided again, because its venue was deleted here. */
  venue_deleted: none,
  found_before_adding: z.object({ said }),
  add_unknown: none,
  /** Undecided again, by a person. */
  sent_back: none,
  /** `file`: a bridge file; `was`: the venue's id in it, if that has been merged since. */
  elsewhere: z.object({ file: z.string(), was: z.string().nullish(), ...hasCredit }),
  told: z.object({ said: z.string() }),
};

export type ReasonCode = keyof typeof REASONS;
export type ReasonOf<Code extends ReasonCode> = Coded<typeof REASONS, Code>;
export type Reason = ReasonOf<ReasonCode>;

/** The attribution of the venue that a listing has, from its candidates or from the reason. */
export const creditOf = ({
  chosen,
  why,
}: {
  chosen: { credit?: string } | null;
  why: Reason | null;
}): string | undefined => chosen?.credit ?? ((why && "credit" in why && why.credit) || undefined);
