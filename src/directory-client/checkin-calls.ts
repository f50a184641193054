import { type Checkin, checkinResponse, checkinsResponse, deletedCheckinResponse } from "../contract/checkins.ts";
import type { Auth } from "./calls/answers.ts";
import type { Call } from "./calls/call-directory.ts";

export interface CheckinCalls {
  checkins(auth: Auth, page: { limit: number; offset: number }): Promise<{ count: number; items: Checkin[] }>;
  /** wire-format 10. Adds a check-in each time; after `unreachable` the outcome is unknown. */
  addCheckin(auth: Auth, checkin: { venueId: string; shout?: string | undefined }): Promise<Checkin>;
  /** wire-format 10, for check-ins that are `editable`. Both may be repeated. Throw `not_found` for one that is gone. */
  editCheckin(auth: Auth, checkin: { checkinId: string; shout?: string | undefined }): Promise<Checkin>;
  deleteCheckin(auth: Auth, checkinId: string): Promise<void>;
}

export const checkinCalls = (call: Call): CheckinCalls => ({
  checkins: async (auth, page) =>
    (await call(checkinsResponse, "users/self/checkins", auth, { ...page }, { maxBytes: 5_000_000 })).checkins,
  addCheckin: async (auth, checkin) =>
    (await call(checkinResponse, "checkins/add", auth, checkin, { method: "POST" })).checkin,
  editCheckin: async (auth, checkin) =>
    (await call(checkinResponse, "checkins/edit", auth, checkin, { method: "POST" })).checkin,
  async deleteCheckin(auth, checkinId) {
    await call(deletedCheckinResponse, "checkins/delete", auth, { checkinId }, { method: "POST" });
  },
});
