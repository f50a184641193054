import { z } from "zod";
import { venueId } from "./parameters.ts";
import { BLUE_STATE } from "./sample-ids.ts";

/** Parameters of POST {base_url}/v2/venues/delete (ours), and a line of its NDJSON. */
export const deleteParameters = z.object({ venueId });

/** Parameters of POST {base_url}/v2/venues/merge (ours). */
export const mergeParameters = z.object({
  venueId: venueId.meta({ description: "Id of the duplicate, which leads to the other from then on." }),
  into: z.string().meta({ description: "Id of the venue that stays.", examples: [BLUE_STATE] }),
});

/** Parameters of POST {base_url}/v2/venues/revert (ours). */
export const revertParameters = z.object({
  changeId: z
    .string()
    .regex(/^[0-9]{1,18}$/, "changeId must be the id of a change")
    .meta({ description: "Id of a change, from the answer of venues/merge.", examples: ["17"] }),
});

/** Hours after an add in which the venue may be deleted again by who added it. */
export const DELETABLE_HOURS = 24;
