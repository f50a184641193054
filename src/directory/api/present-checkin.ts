import type { Checkin as CheckinOnWire } from "../../contract/checkins.ts";
import type { Checkin } from "../../db/generated/client.ts";
import { compactVenue, epochSeconds, type Presentation } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";

/** A check-in as wire-format 10 has it, with its compact venue. */
export function presentCheckin(checkin: Checkin, venue: VenueRow, presentation: Presentation): CheckinOnWire {
  return {
    id: checkin.id,
    createdAt: epochSeconds(checkin.createdAt),
    type: "checkin",
    ...(checkin.shout && { shout: checkin.shout }),
    timeZoneOffset: checkin.timeZoneOffset,
    venue: compactVenue(venue, presentation),
    photos: { count: 0, items: [] },
    comments: { count: 0, items: [] },
    posts: { count: 0, textCount: 0 },
    likes: { count: 0, groups: [] },
    like: false,
    isMayor: false,
  };
}
