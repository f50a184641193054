import { expect, it } from "vitest";
import { categoryId, runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory();

it("C26: check-ins and visit counts are visible to their own user only", async () => {
  const { clientId, clientSecret } = await directory.application();
  const [ada, ben] = [await directory.user(), await directory.user()];
  const [mine, theirs] = [
    await directory.token({ userId: ada.id, clientId }),
    await directory.token({ userId: ben.id, clientId }),
  ];
  const call = (path: string, fields: Record<string, string> = {}, method = "GET") =>
    directory.call(path, { oauth_token: theirs, ...fields }, { method });
  const place = { name: "Quiet Corner", ll: "5,5" };
  const added = await call("/v2/venues/add", { ...place, primaryCategoryId: categoryId("Bar") });
  const { id: venueId } = added.body.response.venue;
  const shout = "only for those I know";
  const { checkin } = (await call("/v2/checkins/add", { oauth_token: mine, venueId, shout }, "POST")).body.response;

  expect((await call("/v2/users/self/checkins", { oauth_token: mine })).body.response.checkins.count).toBe(1);
  const ids = [ada.id, ada.id.toUpperCase(), ada.handle, `${ada.id}%00`, `self%2f..%2f${ada.id}`, "SELF", "*", "%25"];
  for (const id of ids)
    for (const path of [`/v2/users/${id}`, `/v2/users/${id}/checkins`]) {
      const { status, text } = await call(path);
      expect([path, status]).toEqual([path, 400]);
      for (const secret of [shout, checkin.id, ada.handle]) expect(text).not.toContain(secret);
    }
  const own = { userId: ada.id, USER_ID: ada.id, id: ada.id, user: ada.id };
  const inOne = [`/users/${ada.id}/checkins`, `/users/self/checkins?oauth_token=${mine}`, `/users/${ada.id}`];
  const others = [
    await call("/v2/users/self/checkins", own),
    await call("/v2/users/self", own),
    await call("/v2/multi", { requests: inOne.join(",") }),
    await call("/v2/multi", { requests: inOne.map(encodeURIComponent).join(",") }),
    await call(`/v2/venues/${venueId}`),
    await call("/v2/venues/search", place),
    await directory.call(`/v2/venues/${venueId}`, { client_id: clientId, client_secret: clientSecret }),
  ];
  for (const { status, text } of others) {
    expect(status).toBe(200);
    for (const secret of [shout, checkin.id, ada.id, ada.handle]) expect(text).not.toContain(secret);
  }
  expect(others[0]?.body.response.checkins).toEqual({ count: 0, items: [] });
  expect(others[4]?.body.response.venue.beenHere).toMatchObject({ count: 0 });
});
