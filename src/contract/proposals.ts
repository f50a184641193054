import { z } from "zod";
import { editParameters } from "./correction-parameters.ts";
import { LIMIT, OFFSET, wholeNumber } from "./parameters.ts";
import { BLUE_STATE } from "./sample-ids.ts";
import { textInLines } from "./text.ts";

export const PROPOSE_PATH = "/v2/venues/propose";

export const WITHDRAW_PATH = "/v2/venues/withdraw";

/** The most open proposals of a user. */
export const MOST_OPEN_PROPOSALS = 50;

/** Parameters of POST {base_url}/v2/venues/propose (ours): those of venues/edit, or `duplicateOf`. */
export const proposeParameters = editParameters.extend({
  duplicateOf: z
    .string()
    .optional()
    .meta({ description: "Id of the venue that it is a duplicate of, instead of values.", examples: [BLUE_STATE] }),
  comment: textInLines("comment", 300)
    .optional()
    .meta({ description: "For the operators of the directory.", examples: ["I was there yesterday."] }),
});

/** Parameters of POST {base_url}/v2/venues/withdraw (ours). */
export const withdrawParameters = z.object({
  proposalId: z
    .string("proposalId is required")
    .regex(/^\d{1,18}$/, "proposalId must be the id of a proposal")
    .meta({ description: "Id of one of the user's proposals, see users/self/proposals.", examples: ["5"] }),
});

/** Parameters of GET {base_url}/v2/users/self/proposals (ours). */
export const proposalsParameters = z.object({
  venueId: z
    .string()
    .optional()
    .meta({ description: "Only proposals for this venue.", examples: [BLUE_STATE] }),
  limit: wholeNumber("limit", 1, 250).default(20).meta(LIMIT),
  offset: wholeNumber("offset", 0, 1_000_000).default(0).meta(OFFSET),
});

export const proposal = z.looseObject({
  id: z.string(),
  venueId: z.string(),
  state: z.enum(["open", "accepted", "declined", "withdrawn"]).meta({
    description: "`accepted`: it was carried out, at once if the user may edit the venue. `withdrawn`: by the user.",
  }),
  createdAt: z.number().meta({ description: "In epoch seconds." }),
  values: z
    .record(z.string(), z.string())
    .meta({ description: "What the venue should have, by the names of venues/edit; an empty string for nothing." }),
  duplicateOf: z.string().optional().meta({ description: "With `new`, the venue that an operator merged it into." }),
  new: z.boolean().optional().meta({
    description:
      "Whether it is a venue that the user added, which is `held` while this is open. `values` is what was added.",
  }),
  comment: z.string().optional(),
  decidedAt: z.number().optional().meta({ description: "In epoch seconds." }),
  answer: z.string().optional().meta({ description: "The answer of the operator who decided." }),
  change: z.looseObject({ id: z.string() }).optional().meta({ description: "For venues/revert." }),
});
export type Proposal = z.infer<typeof proposal>;

export const proposalResponse = z.looseObject({ proposal });

export const proposalsResponse = z.looseObject({
  proposals: z.looseObject({
    count: z
      .number()
      .int()
      .nonnegative()
      .meta({ description: "The number of all proposals, not of those in `items`." }),
    items: z.array(proposal),
  }),
});
