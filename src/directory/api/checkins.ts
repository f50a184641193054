import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import {
  addCheckinParameters,
  type Checkin as CheckinOnWire,
  checkinResponse,
  checkinsParameters,
  checkinsResponse,
} from "../../contract/checkins.ts";
import type { Checkin } from "../../db/generated/client.ts";
import { addCheckin, listCheckins } from "../checkins.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { findVenues, requireVenue, seenBy, wasDeleted } from "../venues/find.ts";
import { compactVenue, epochSeconds, type Presentation } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { type Tile, tileOfPlace } from "../venues/tiles.ts";
import { presentationFor } from "./presentation.ts";
import { requireSelf } from "./users.ts";

export function registerCheckins(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/users/:id/checkins",
    summary: "The user's check-ins, newest first",
    parameters: checkinsParameters,
    response: checkinsResponse,
    answer: async ({ caller, parameters, id }) => {
      requireSelf(caller, id);
      const { count, items } = await listCheckins(deps, caller.userId, parameters);
      const venues = await findVenues(
        deps.pool,
        items.map(({ venueId }) => venueId),
        { sees: seenBy(caller) },
      );
      const presentation = await presentationFor(deps, caller, [...venues.values()]);
      const found = items.flatMap((checkin) => {
        const venue = venues.get(checkin.venueId);
        return venue ? [presentCheckin(checkin, venue, presentation)] : [];
      });
      return { checkins: { count, items: found } };
    },
  });

  userEndpoint(app, deps, {
    methods: ["POST"],
    path: "/v2/checkins/add",
    summary: "Checks the user in",
    parameters: addCheckinParameters,
    response: checkinResponse,
    needs: "enabled",
    answer: async ({ caller, parameters }) => {
      const { checkin, venue, tile } = await checkIn(deps, caller.userId, parameters);
      const counted =
        (await findVenues(deps.pool, [venue.id], { tiles: [tile], sees: seenBy(caller) })).get(venue.id) ?? venue;
      return { checkin: presentCheckin(checkin, counted, await presentationFor(deps, caller, [counted])) };
    },
  });
}

/** Follows a venue that is merged meanwhile, or moved to another tile. */
async function checkIn(
  deps: ApiDeps,
  userId: string,
  { venueId, shout }: z.output<typeof addCheckinParameters>,
  gone?: { id: string; tile: Tile },
): Promise<{ checkin: Checkin; venue: VenueRow; tile: Tile }> {
  const venue = await requireVenue(deps.pool, venueId, seenBy({ userId }));
  const tile = tileOfPlace(deps.pool, venue);
  if (venue.id === gone?.id && tile === gone.tile) throw wasDeleted();
  const checkin = await addCheckin(deps, { userId, venue: { ...venue, tile }, shout });
  return checkin ? { checkin, venue, tile } : checkIn(deps, userId, { venueId, shout }, { id: venue.id, tile });
}

function presentCheckin(checkin: Checkin, venue: VenueRow, presentation: Presentation): CheckinOnWire {
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
