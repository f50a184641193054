import { z } from "zod";
import type { Coded } from "./problems.ts";

const none: z.ZodType<unknown> = z.object({});
const said = z.array(z.string());

/** Why a listing was decided as it was, with its parameters; `said` are the directory's words. What each is called: words.ts. */
export const REASONS = {
  /** The directory's reasons for the venue that somebody chose. */
  evidence: z.object({ said }),
  found_by_hand: none,
  /** `venues`: those that were refused; missing where each listing of a family had its own. */
  none_alike: z.object({ venues: z.number().int().nonnegative().optional() }),
  added: none,
  added_with_others: none,
  found_before_adding: z.object({ said }),
  add_unknown: none,
  /** What no other code says; as it was told. */
  told: z.object({ said: z.string() }),
};

export type ReasonCode = keyof typeof REASONS;
export type ReasonOf<Code extends ReasonCode> = Coded<typeof REASONS, Code>;
export type Reason = ReasonOf<ReasonCode>;
