import { z } from "zod";
import { ours, promised } from "./ours.ts";
import { LIMIT, OFFSET, venueId, wholeNumber } from "./parameters.ts";
import { counted, shown, venue } from "./resources.ts";
import { textInLines } from "./text.ts";

const shout = textInLines("shout", 200)
  .optional()
  .meta({ description: "What the user says to the check-in.", examples: ["Hello"] });

export const addCheckinParameters = z.object({ venueId, shout });

const checkinId = z
  .string("checkinId is required")
  .regex(/^[\w.:-]{1,64}$/, "checkinId must be the id of a check-in")
  .meta({ description: "Id of the check-in.", examples: ["21e221d21d268d93b315abb9"] });

/** Parameters of POST {base_url}/v2/checkins/delete (ours). */
export const deleteCheckinParameters = z.object({ checkinId });

/** Parameters of POST {base_url}/v2/checkins/edit (ours). */
export const editCheckinParameters = z.object({
  checkinId,
  shout: shout.meta({
    description: "What the user says to the check-in from now on; without it, nothing.",
    examples: ["Hello again"],
  }),
});

export const checkinsParameters = z.object({
  limit: wholeNumber("limit", 1, 250).default(20).meta(LIMIT),
  offset: wholeNumber("offset", 0, 1_000_000).default(0).meta(OFFSET),
  sort: z
    .enum(["newestfirst", "oldestfirst"], "sort must be newestfirst or oldestfirst")
    .default("newestfirst")
    .meta({ description: "By the time of the check-in." }),
  afterTimestamp: wholeNumber("afterTimestamp", 0, 99_999_999_999)
    .optional()
    .meta({ description: "Only check-ins later than this, in epoch seconds.", examples: [1_767_286_800] }),
  beforeTimestamp: wholeNumber("beforeTimestamp", 0, 99_999_999_999)
    .optional()
    .meta({ description: "Only check-ins earlier than this, in epoch seconds.", examples: [1_767_373_200] }),
});
export type CheckinsParameters = z.infer<typeof checkinsParameters>;

export const checkin = z.looseObject({
  id: z.string(),
  createdAt: z.number().meta({ description: "In epoch seconds." }),
  timeZoneOffset: promised(z.number().optional()).meta({ description: "In minutes east of UTC." }),
  shout: z.string().optional(),
  venue: promised(venue.optional()),
  type: promised(shown(z.string())),
  source: promised(shown(z.looseObject({ name: z.string(), url: z.string() }))).meta({
    description: "The application that it was made through; of older ones, which are not known, the directory.",
  }),
  photos: promised(counted),
  comments: promised(counted),
  posts: promised(shown(z.looseObject({ count: z.number(), textCount: z.number() }))),
  likes: promised(counted),
  like: promised(shown(z.boolean())),
  isMayor: promised(shown(z.boolean())),
  editable: ours(z.boolean().optional()).meta({
    description:
      "`true`: this application may edit and delete it with checkins/edit and checkins/delete. Otherwise missing.",
  }),
});
export type Checkin = z.infer<typeof checkin>;

export const checkinResponse = z.looseObject({ checkin });

/** Of checkins/delete (ours): the id of what was deleted. */
export const deletedCheckinResponse = z.looseObject({ checkin: z.looseObject({ id: z.string() }) });

export const checkinsResponse = z.looseObject({
  checkins: z.looseObject({
    count: z.number().int().nonnegative().meta({ description: "Of all check-ins, not of those in `items`." }),
    items: z.array(checkin),
  }),
});
