import { randomId } from "../../../src/shared/crypto.ts";
import { type Answer, failure, success } from "./behaviours.ts";
import type { FakeVenue, ReceivedRequest, State } from "./fake-endpoints.ts";

/** One per day, backwards from a fixed day. */
export const fakeCheckins = (count: number, venues: FakeVenue[]) =>
  Array.from({ length: count }, (_, day) => ({
    id: `fa4e${day.toString(16).padStart(20, "0")}`,
    createdAt: 1_790_000_000 - day * 86_400,
    timeZoneOffset: -240,
    venue: venues[day % 2],
    shout: undefined as string | undefined,
    editable: undefined as true | undefined,
  }));

export function listCheckins({ params }: ReceivedRequest, { checkins }: State): Answer {
  const offset = Number(params.offset ?? 0);
  const items = checkins.slice(offset, offset + Number(params.limit ?? 20));
  return success({ checkins: { count: checkins.length, items } });
}

export function addCheckin({ params: { venueId, shout } }: ReceivedRequest, { checkins, venues }: State): Answer {
  const venue = venues.find(({ id }) => id === venueId);
  if (!venue) return failure(400, "param_error", "There is no such venue.");
  const createdAt = Math.floor(Date.now() / 1000);
  const checkin = { id: randomId(), createdAt, timeZoneOffset: -240, venue, shout, editable: true as const };
  checkins.unshift(checkin);
  return success({ checkin });
}

export function editCheckin({ params: { checkinId, shout } }: ReceivedRequest, { checkins }: State): Answer {
  const checkin = checkins.find(({ id }) => id === checkinId);
  if (!checkin) return failure(404, "param_error", "You have no such check-in.");
  checkin.shout = shout;
  return success({ checkin });
}

export function deleteCheckin({ params: { checkinId = "" } }: ReceivedRequest, { checkins }: State): Answer {
  const at = checkins.findIndex(({ id }) => id === checkinId);
  if (at < 0) return failure(404, "param_error", "You have no such check-in.");
  checkins.splice(at, 1);
  return success({ checkin: { id: checkinId } });
}
