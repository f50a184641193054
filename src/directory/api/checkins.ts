import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import {
  addCheckinParameters,
  type Checkin as CheckinOnWire,
  checkinResponse,
  checkinsParameters,
  checkinsResponse,
  deleteCheckinParameters,
  deletedCheckinResponse,
  editCheckinParameters,
} from "../../contract/checkins.ts";
import type { Checkin } from "../../db/generated/client.ts";
import { includes } from "../access.ts";
import { addCheckin, listCheckins } from "../checkins.ts";
import { deleteCheckin, editCheckin, isEditable } from "../corrections/own.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import type { TokenPair } from "../tokens.ts";
import { findVenues, requireVenue, seenBy, wasDeleted } from "../venues/find.ts";
import { compactVenue, epochSeconds, type Presentation } from "../venues/present.ts";
import type { VenueRow } from "../venues/rows.ts";
import { type Tile, tileOfPlace } from "../venues/tiles.ts";
import { presentationFor } from "./common/presentation.ts";
import { requireSelf } from "./common/users.ts";

export function registerCheckins(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/users/:id/checkins",
    summary: "The user's check-ins, newest first",
    parameters: checkinsParameters,
    response: checkinsResponse,
    example: ({ checkin }) => ({ checkins: { count: 1, items: [{ ...checkin, shout: "Hello" }] } }),
    answer: async ({ caller, parameters, id }) => {
      requireSelf(caller, id);
      const { count, items } = await listCheckins(deps, caller.userId, parameters);
      const venues = await findVenues(
        deps.pool,
        items.map(({ venueId }) => venueId),
        { sees: seenBy(caller) },
      );
      const presentation = await presentationFor(deps, caller, [...venues.values()]);
      const madeThrough = await applicationsOf(deps, items);
      const found = items.flatMap((checkin) => {
        const venue = venues.get(checkin.venueId);
        return venue ? [presentCheckin({ checkin, caller, venue, madeThrough }, presentation)] : [];
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
    example: ({ checkin }) => ({ checkin: { ...checkin, shout: "Hello" } }),
    needs: "enabled",
    answer: async ({ caller, parameters }) => {
      const { checkin, venue, tile } = await checkIn(deps, caller, parameters);
      const counted =
        (await findVenues(deps.pool, [venue.id], { tiles: [tile], sees: seenBy(caller) })).get(venue.id) ?? venue;
      return { checkin: await presentOne(deps, caller, checkin, counted) };
    },
  });
}

/** POST /v2/checkins/edit and /v2/checkins/delete (ours; wire-format 10). */
export function registerOwnCheckins(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["POST"],
    path: "/v2/checkins/edit",
    mayMiss: true,
    summary: "Changes what the user says to a check-in",
    description: OWN,
    parameters: editCheckinParameters,
    response: checkinResponse,
    example: ({ checkin }) => ({ checkin: { ...checkin, shout: "Hello again", editable: true } }),
    needs: "enabled",
    isOurs: true,
    answer: ({ caller, parameters: { checkinId: id, shout }, idempotencyKey: key }) =>
      editCheckin(deps, { id, by: caller, key, shout }, async (checkin) => {
        const venue = await requireVenue(deps.pool, checkin.venueId, seenBy(caller));
        return { checkin: await presentOne(deps, caller, checkin, venue) };
      }),
  });

  userEndpoint(app, deps, {
    methods: ["POST"],
    path: "/v2/checkins/delete",
    mayMiss: true,
    summary: "Deletes a check-in",
    description: OWN,
    parameters: deleteCheckinParameters,
    response: deletedCheckinResponse,
    example: ({ checkin }) => ({ checkin: { id: checkin.id } }),
    needs: "enabled",
    isOurs: true,
    answer: async ({ caller, parameters: { checkinId: id }, idempotencyKey: key }) => ({
      checkin: await deleteCheckin(deps, { id, by: caller, key }),
    }),
  });
}

const OWN = `For the user whose check-in it is, through the application that it was made through: those have \`editable\` in
users/self/checkins. 404 if the user has no such check-in, 403 if it was made through another application.`;

/** Follows a venue that is merged meanwhile, or moved to another tile. */
async function checkIn(
  deps: ApiDeps,
  by: TokenPair,
  { venueId, shout }: z.output<typeof addCheckinParameters>,
  gone?: { id: string; tile: Tile },
): Promise<{ checkin: Checkin; venue: VenueRow; tile: Tile }> {
  const venue = await requireVenue(deps.pool, venueId, seenBy(by));
  const tile = tileOfPlace(deps.pool, venue);
  if (venue.id === gone?.id && tile === gone.tile) throw wasDeleted();
  const checkin = await addCheckin(deps, { by, venue: { ...venue, tile }, shout });
  return checkin ? { checkin, venue, tile } : checkIn(deps, by, { venueId, shout }, { id: venue.id, tile });
}

async function presentOne(deps: ApiDeps, caller: Caller & TokenPair, checkin: Checkin, venue: VenueRow) {
  const madeThrough = await applicationsOf(deps, [checkin]);
  return presentCheckin({ checkin, caller, venue, madeThrough }, await presentationFor(deps, caller, [venue]));
}

interface Presented {
  checkin: Checkin;
  caller: Caller & TokenPair;
  venue: VenueRow;
  madeThrough: (checkin: Checkin) => CheckinSource;
}

function presentCheckin({ checkin, caller, venue, madeThrough }: Presented, presentation: Presentation): CheckinOnWire {
  return {
    id: checkin.id,
    createdAt: epochSeconds(checkin.createdAt),
    type: "checkin",
    ...(checkin.shout && { shout: checkin.shout }),
    timeZoneOffset: checkin.timeZoneOffset,
    venue: compactVenue(venue, presentation),
    source: madeThrough(checkin),
    photos: { count: 0, items: [] },
    comments: { count: 0, items: [] },
    posts: { count: 0, textCount: 0 },
    likes: { count: 0, groups: [] },
    like: false,
    isMayor: false,
    ...(isEditable(checkin, caller) && includes(caller.access, "enabled") && { editable: true }),
  };
}

type CheckinSource = NonNullable<CheckinOnWire["source"]>;

/** Exporters read the `source` of each check-in, and stop without it. The address of an application is where it takes people back. */
async function applicationsOf({ prisma, config }: ApiDeps, checkins: readonly Checkin[]) {
  const clientIds = [...new Set(checkins.flatMap(({ clientId }) => clientId ?? []))];
  const applications = await prisma.application.findMany({
    select: { clientId: true, name: true, redirectUris: true },
    where: { clientId: { in: clientIds } },
  });
  const directory = { name: "Samespot venue directory", url: config.auth.url };
  const sources = new Map<string | null, CheckinSource>(
    applications.map(({ clientId, name, redirectUris: [uri] }) => [
      clientId,
      { name, url: uri === undefined ? directory.url : new URL(uri).origin },
    ]),
  );
  return ({ clientId }: Checkin): CheckinSource => sources.get(clientId) ?? directory;
}
