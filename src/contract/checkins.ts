import { z } from "zod";
import { promised } from "./ours.ts";
import { LIMIT, OFFSET, venueId, wholeNumber } from "./parameters.ts";
import { counted, shown, venue } from "./resources.ts";
import { textInLines } from "./text.ts";

export const addCheckinParameters = z.object({
  venueId,
  shout: textInLines("shout", 200)
    .optional()
    .meta({ description: "What the user says to the check-in.", examples: ["Hello"] }),
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
  photos: promised(counted),
  comments: promised(counted),
  posts: promised(shown(z.looseObject({ count: z.number(), textCount: z.number() }))),
  likes: promised(counted),
  like: promised(shown(z.boolean())),
  isMayor: promised(shown(z.boolean())),
});
export type Checkin = z.infer<typeof checkin>;

export const checkinResponse = z.looseObject({ checkin });

export const checkinsResponse = z.looseObject({
  checkins: z.looseObject({
    count: z.number().int().nonnegative().meta({ description: "Of all check-ins, not of those in `items`." }),
    items: z.array(checkin),
  }),
});
