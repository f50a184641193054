import { z } from "zod";

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

type Table = typeof REASONS;
export type ReasonCode = keyof Table;
/** As it is stored: never a sentence of ours. */
export type Reason = ReasonOf<ReasonCode>;
export type ReasonOf<Code extends ReasonCode> = Code extends ReasonCode
  ? { code: Code } & z.output<Table[Code]>
  : never;
