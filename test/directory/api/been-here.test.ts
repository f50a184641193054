import { expect, test } from "vitest";
import { apiHost, freshVenue, venueOf, venuesOf } from "./host.ts";

const host = await apiHost();
const checkin = (venueId: string) => host.asUser("/v2/checkins/add", { venueId }, { method: "POST" });
const often = (count: number) => ({ count, marked: count > 0, lastCheckinExpiredAt: 0 });

test("beenHere counts only the visits of the token's user to each venue", async () => {
  const { ll, name, ...more } = freshVenue();
  const added = venueOf(await host.asUser("/v2/venues/add", { ll, name, ...more }));
  expect(added.beenHere).toEqual(often(0));
  for (const count of [1, 2, 3]) {
    const { checkin: made } = (await checkin(added.id)).body.response;
    expect(made).toMatchObject({ venue: { id: added.id, beenHere: often(count) } });
  }
  const { token } = await host.newUser();
  for (const [sending, expected] of [
    [{}, often(3)],
    [{ token }, often(0)],
  ] as const) {
    const found = venuesOf(await host.asUser("/v2/venues/search", { ll, query: name }, sending));
    const details = venueOf(await host.asUser(`/v2/venues/${added.id}`, {}, sending));
    const again = await host.asUser("/v2/venues/add", { ll, name, ...more }, sending);
    expect(found.map(({ beenHere }) => beenHere)).toEqual([expected]);
    expect(details.beenHere).toEqual(expected);
    expect(again.body.response).toMatchObject({ candidateDuplicateVenues: [{ beenHere: expected }] });
  }
  const { checkins } = (await host.asUser("/v2/users/self/checkins")).body.response;
  expect(checkins).toMatchObject({ items: Array(3).fill({ venue: { beenHere: often(3) } }) });
  for (const path of [`/v2/venues/${added.id}`, "/v2/venues/search"])
    expect((await host.userless(path, { ll })).text).not.toContain("beenHere");
});
