import { describe, expect, test } from "vitest";
import { checkinsResponse } from "../../../src/contract/checkins.ts";
import { userResponse } from "../../../src/contract/resources.ts";
import { addApplication } from "../../../src/directory/applications/applications.ts";
import { revokeToken } from "../../../src/directory/tokens.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import { AUTH_URL, apiHost, categoryId, connect, freshVenue, venueOf, venuesOf } from "./host.ts";

const host = await apiHost();

let count = 0;
async function newVenue(): Promise<string> {
  count += 1;
  const ll = `${-10 - count},100`;
  const venue = venueOf(
    await host.asUser("/v2/venues/add", { name: `Spot ${count}`, ll, primaryCategoryId: categoryId("Bar") }),
  );
  return venue.id;
}

/** Creates a user with `total` hourly check-ins at one venue, the first at `start` (epoch seconds). */
async function regular(total: number, start = 1_700_000_000) {
  const user = await host.newUser();
  const venueId = await newVenue();
  const data = Array.from({ length: total }, (_, hour) => ({
    id: randomId(),
    userId: user.userId,
    venueId,
    timeZoneOffset: -300,
    createdAt: new Date((start + hour * 3600) * 1000),
  }));
  await host.deps.prisma.checkin.createMany({ data });
  return { user, venueId };
}

const page = async (token: string, fields: Record<string, string | number> = {}, id = "self") => {
  const answer = await host.asUser(`/v2/users/${id}/checkins`, fields, { token });
  return checkinsResponse.parse(answer.body.response).checkins;
};

describe("users/self/checkins", () => {
  test("returns the newest 20 check-ins by default, with the total count", async () => {
    const { user, venueId } = await regular(63);
    const { count: total, items } = await page(user.token);
    expect([total, items.length]).toEqual([63, 20]);
    expect(items.map(({ createdAt }) => createdAt)).toEqual(items.map((_, at) => 1_700_000_000 + (62 - at) * 3600));
    expect(items[0]).toMatchObject({
      type: "checkin",
      timeZoneOffset: -300,
      venue: { id: venueId, contact: {}, categories: [{ name: "Bar" }] },
      photos: { count: 0 },
      comments: { count: 0 },
      likes: { count: 0 },
    });
  });

  test.each(["newestfirst", "oldestfirst"])("sorted %s in pages of 7 contains every check-in once", async (sort) => {
    const { user } = await regular(40);
    const seen: number[] = [];
    for (let offset = 0; offset < 45; offset += 7)
      seen.push(...(await page(user.token, { sort, limit: 7, offset })).items.map(({ createdAt }) => createdAt));
    const expected = Array.from({ length: 40 }, (_, hour) => 1_700_000_000 + hour * 3600);
    expect(seen).toEqual(sort === "oldestfirst" ? expected : expected.reverse());
  });

  test("returns check-ins of the same second once each across pages", async () => {
    const { user, venueId } = await regular(0);
    const at = new Date(1_700_000_000_000);
    const data = Array.from({ length: 9 }, () => ({
      id: randomId(),
      userId: user.userId,
      venueId,
      timeZoneOffset: 0,
      createdAt: at,
    }));
    await host.deps.prisma.checkin.createMany({ data });
    const pages = await Promise.all([0, 3, 6].map((offset) => page(user.token, { limit: 3, offset })));
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(9);
  });

  test("returns at most 250 check-ins at once", async () => {
    const { user } = await regular(260);
    expect((await page(user.token, { limit: 250 })).items).toHaveLength(250);
    expect((await host.asUser("/v2/users/self/checkins", { limit: 251 }, { token: user.token })).status).toBe(400);
  });

  test("returns and counts the check-ins strictly between two timestamps", async () => {
    const { user } = await regular(10);
    const hour = (n: number) => 1_700_000_000 + n * 3600;
    const { count: total, items } = await page(user.token, { afterTimestamp: hour(2), beforeTimestamp: hour(7) });
    expect(total).toBe(4);
    expect(items.map(({ createdAt }) => createdAt)).toEqual([hour(6), hour(5), hour(4), hour(3)]);
  });

  test.each([
    ["limit", "0"],
    ["offset", "-1"],
    ["sort", "random"],
    ["afterTimestamp", "yesterday"],
    ["beforeTimestamp", "1e9"],
  ])("rejects %s=%s", async (name, value) => {
    const answer = await host.asUser("/v2/users/self/checkins", { [name]: value });
    expect(answer.body.meta).toMatchObject({
      code: 400,
      errorType: "param_error",
      errorDetail: expect.stringContaining(name),
    });
  });
});

describe("checkins/add", () => {
  const add = (venueId: string, token: string, more = {}) =>
    host.asUser("/v2/checkins/add", { venueId, ...more }, { method: "POST", token });

  test("returns the check-in with its venue, and lists it first in the history", async () => {
    const user = await host.newUser();
    const venueId = await newVenue();
    const answer = await add(venueId, user.token, { shout: "Hello <b>there</b>" });
    const checkin = answer.body.response.checkin as { id: string };
    expect(answer.status).toBe(200);
    expect(checkin).toMatchObject({ shout: "Hello <b>there</b>", timeZoneOffset: 420, venue: { id: venueId } });
    expect((await page(user.token)).items[0]?.id).toBe(checkin.id);
  });

  test("takes the time zone of the venue at this moment", async () => {
    const user = await host.newUser();
    const kathmandu = freshVenue({ ll: "27.717,85.324" });
    const { id } = venueOf(await host.asUser("/v2/venues/add", kathmandu));
    expect((await add(id, user.token)).body.response.checkin).toMatchObject({ timeZoneOffset: 345 });
    const complete = venueOf(await host.userless(`/v2/venues/${id}`));
    expect(complete).toMatchObject({ timeZone: "Asia/Kathmandu" });
  });

  test.each([
    ["https://app.example/callback", "https://app.example"],
    ["http://localhost:3000/login/callback", "http://localhost:3000"],
  ])("names the application in the source, registered with %s, wherever a check-in is shown", async (uri, url) => {
    const { userId } = await host.newUser();
    const venueId = await newVenue();
    const { clientId } = await addApplication(host.deps, {
      ownerId: userId,
      name: "Walks & talks",
      redirectUris: [uri],
    });
    const { token } = await connect(host.deps, { userId, clientId });
    const { checkin } = (await add(venueId, token)).body.response as { checkin: { id: string } };
    const edited = { checkinId: checkin.id, shout: "Hello" };
    const edit = await host.asUser("/v2/checkins/edit", edited, { method: "POST", token });
    const [listed] = (await page(token)).items;
    for (const each of [checkin, edit.body.response.checkin, listed])
      expect(each).toMatchObject({ id: checkin.id, source: { name: "Walks & talks", url } });
  });

  test("has a source even if the application is not known or was deleted", async () => {
    const { user } = await regular(1);
    const gone = {
      id: randomId(),
      userId: user.userId,
      venueId: await newVenue(),
      timeZoneOffset: 0,
      clientId: "GONE",
    };
    await host.deps.prisma.checkin.create({ data: gone });
    for (const { source } of (await page(user.token)).items)
      expect(source).toEqual({ name: "Samespot venue directory", url: AUTH_URL });
  });

  test("counts check-ins and users of the venue, even for one user at the same moment", async () => {
    const [first, second] = [await host.newUser(), await host.newUser()];
    const venueId = await newVenue();
    const calls = [first, first, first, first, second].map(({ token }) => add(venueId, token));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const venue = venueOf(await host.userless(`/v2/venues/${venueId}`));
    expect(venue.stats).toMatchObject({ checkinsCount: 5, usersCount: 2 });
  });

  test.each(["", "x", "0123456789abcdef01234567", "0123456789ABCDEF01234567"])(
    "rejects the venue id %j",
    async (venueId) => {
      const answer = await add(venueId, host.user.token);
      expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
    },
  );

  test("rejects a shout of 201 characters", async () => {
    expect((await add(await newVenue(), host.user.token, { shout: "x".repeat(201) })).status).toBe(400);
  });
});

describe("users/self", () => {
  test("has the fields that log-in libraries read, and objects where they index", async () => {
    const { user, venueId } = await regular(2);
    const answer = await host.asUser("/v2/users/self", {}, { token: user.token });
    expect(userResponse.parse(answer.body.response).user).toMatchObject({
      id: user.userId,
      firstName: expect.stringMatching(/./),
      gender: "none",
      relationship: "self",
      photo: { prefix: expect.stringMatching(/^http/), suffix: ".svg" },
      homeCity: "",
      bio: "",
      contact: {},
      checkins: { count: 2 },
      friends: { count: 0 },
      createdAt: expect.closeTo(Date.now() / 1000, -2),
    });
    expect(venueId).toMatch(/^[0-9a-f]{24}$/);
  });

  test("has a photo with a working URL", async () => {
    const { user } = (await host.asUser("/v2/users/self")).body.response as {
      user: { photo: { prefix: string; suffix: string } };
    };
    const { pathname } = new URL(`${user.photo.prefix}64${user.photo.suffix}`);
    expect((await host.send("GET", pathname)).status).toBe(200);
  });

  test("can be read by the user's own id too, and by no other", async () => {
    const other = await host.newUser();
    expect((await host.asUser(`/v2/users/${host.user.userId}`)).status).toBe(200);
    for (const id of [other.userId, "1", "SELF2", "self%00"]) {
      const answer = await host.asUser(`/v2/users/${id}`);
      expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
    }
  });

  test("is refused to a token just revoked", async () => {
    const user = await host.newUser();
    expect((await host.asUser("/v2/users/self", {}, { token: user.token })).status).toBe(200);
    await revokeToken(host.deps, user);
    expect((await host.asUser("/v2/users/self", {}, { token: user.token })).status).toBe(401);
  });
});
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
