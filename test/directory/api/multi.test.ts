import { beforeAll, describe, expect, test } from "vitest";
import { type Envelope, envelope } from "../../../src/contract/envelope.ts";
import type { Venue } from "../../../src/contract/resources.ts";
import { type Answer, addedVenues, apiHost, credentialsOf, expectError, freshVenue, V, venueOf } from "./host.ts";

const host = await apiHost();
const limited = await apiHost({ rateLimit: 7 });
const PATH = "/v2/multi";

const responsesOf = (answer: Answer): Envelope[] => {
  expect(answer.status).toBe(200);
  return (answer.body.response.responses as unknown[]).map((each) => envelope.parse(each));
};
const multi = async (requests: string) => responsesOf(await host.asUser(PATH, { requests }));

let venue: Venue;
let search: Record<string, string>;
beforeAll(async () => {
  const fields = freshVenue();
  venue = venueOf(await host.asUser("/v2/venues/add", fields));
  search = { ll: fields.ll, query: fields.name };
});
const venuesIn = ({ response }: Envelope) => (response.venues as Venue[]).map(({ id }) => id);

describe("multi", () => {
  test.each(["GET", "POST"])("by %s returns each call in its own envelope, in order", async (method) => {
    const requests = `/users/self,/venues/search?ll=${search.ll},/venues/categories,/venues/${venue.id}`;
    const answer = await host.asUser(PATH, { requests }, { method });
    const [self, found, categories, details, ...rest] = responsesOf(answer);
    expect(self?.response.user).toMatchObject({ id: host.user.userId });
    expect(venuesIn(found as Envelope)).toEqual([venue.id]);
    expect(categories?.response.categories).not.toEqual([]);
    expect(details?.response.venue).toMatchObject({ id: venue.id });
    expect(rest).toEqual([]);
  });

  test("gives each call its code and request id, and the user's notification tray", async () => {
    const answer = await host.asUser(PATH, { requests: "/users/self,/users/self" });
    const metas = [answer.body, ...responsesOf(answer)].map(({ meta }) => meta);
    for (const meta of metas) expect(meta).toEqual({ code: 200, requestId: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(new Set(metas.map(({ requestId }) => requestId)).size).toBe(3);
    for (const each of responsesOf(answer)) expect(each.notifications).toEqual(answer.body.notifications);
    const userless = await host.userless(PATH, { requests: "/venues/categories" });
    expect(responsesOf(userless)[0]).not.toHaveProperty("notifications");
  });

  test("accepts a plain or doubly encoded query, with commas in both", async () => {
    const plain = new URLSearchParams(search).toString();
    for (const query of [plain, encodeURIComponent(plain), `ll=${search.ll}&query=${search.query}`]) {
      const [found, self] = await multi(`/venues/search?${query},/users/self`);
      expect(venuesIn(found as Envelope)).toEqual([venue.id]);
      expect(self?.meta.code).toBe(200);
    }
  });

  test("accepts the encoding of the Python client", async () => {
    const quoted = encodeURIComponent(encodeURIComponent(new URLSearchParams(search).toString()));
    const credentials = new URLSearchParams({ v: V, oauth_token: host.user.token });
    const requests = `/venues/search%3F${quoted},/users/self%3F`;
    const answer = await host.send("GET", `${PATH}?requests=${requests}&${credentials}`);
    const [found, self] = responsesOf(answer);
    expect(venuesIn(found as Envelope)).toEqual([venue.id]);
    expect(self?.meta.code).toBe(200);
  });

  test("accepts paths in upper or lower case, with or without /v2 and the leading slash", async () => {
    for (const path of ["/v2/Users/self", "/Users/self", "users/self", "/V2/USERS/self/checkins"]) {
      const [answer] = await multi(path);
      expect(answer?.meta.code).toBe(200);
    }
  });

  test("returns a failed call in its place", async () => {
    const requests = "/venues/search?ll=nowhere,/nothing/here,/venues/no-such-venue,/users/someone,/users/self";
    const answers = await multi(requests);
    expect(answers.map(({ meta }) => [meta.code, meta.errorType])).toEqual([
      [400, "param_error"],
      [404, "endpoint_error"],
      [400, "param_error"],
      [400, "param_error"],
      [200, undefined],
    ]);
    for (const { response } of answers.slice(0, 4)) expect(response).toEqual({});
  });

  test("returns a server error in its place", async () => {
    await host.deps.pool.query("ALTER TABLE directory.checkin RENAME TO broken");
    const answers = await multi("/users/self/checkins,/venues/categories");
    await host.deps.pool.query("ALTER TABLE directory.broken RENAME TO checkin");
    expect(answers.map(({ meta }) => meta.code)).toEqual([500, 200]);
    expect(answers[0]?.meta.errorType).toBe("server_error");
  });

  test("is read-only, and rejects adding, annotating, checking in and multi itself", async () => {
    const before = await addedVenues(host);
    const fields = new URLSearchParams(freshVenue()).toString();
    const paths = [`/venues/add?${fields}`, `/checkins/add?venueId=${venue.id}`, "/multi?requests=/users/self"];
    const annotate = [`/venues/${venue.id}/annotate?providerId=x&linkedId=y`, `/venues/annotate?venueId=${venue.id}`];
    for (const answer of [...(await multi(paths.join())), ...(await multi(annotate.join()))])
      expect(answer.meta).toMatchObject({ code: 400, errorType: "param_error" });
    expect(await addedVenues(host)).toBe(before);
    expect((await host.asUser("/v2/users/self/checkins")).body.response.checkins).toMatchObject({ count: 0 });
  });

  test("acts for the caller of the whole request, whatever credentials a path contains", async () => {
    const someone = await host.newUser();
    const [self] = await multi(`/users/self?oauth_token=${someone.token}&v=1&client_id=x`);
    expect(self?.response.user).toMatchObject({ id: host.user.userId });
    const requests = `/users/self?oauth_token=${host.user.token},/venues/categories`;
    const userless = responsesOf(await host.userless(PATH, { requests }));
    expect(userless.map(({ meta }) => [meta.code, meta.errorType])).toEqual([
      [400, "invalid_auth"],
      [200, undefined],
    ]);
  });

  test("requires credentials, a version, and one to five requests", async () => {
    const requests = "/venues/categories";
    expectError(await host.send("GET", PATH, { v: V, requests }), 400, "invalid_auth");
    expectError(await host.send("GET", PATH, { ...credentialsOf(host.application), requests }), 410, "param_error");
    expectError(await host.userless(PATH), 400, "param_error");
    expectError(await host.userless(PATH, { requests: "" }), 400, "param_error");
    const many = (count: number) => Array.from({ length: count }, () => requests).join();
    expect(responsesOf(await host.userless(PATH, { requests: many(5) }))).toHaveLength(5);
    expectError(await host.userless(PATH, { requests: many(6) }), 400, "param_error");
  });

  test.each([
    "/%zz",
    "/venues/%zz",
    "/venues/search?%zz",
    ",",
    "/",
    "//",
    "?",
    "/venues/search?ll=%zz",
    "/__proto__",
    " ",
  ])("returns an inner 4xx for %j", async (requests) => {
    for (const { meta } of await multi(requests)) expect([400, 404]).toContain(meta.code);
  });

  test("counts as one call for each path, and reports that under JSONP too", async () => {
    const five = Array.from({ length: 5 }, () => "/venues/categories").join();
    const first = await limited.userless(PATH, { requests: five });
    expect([first.status, Number(first.headers["x-ratelimit-remaining"])]).toEqual([200, 2]);
    expectError(await limited.userless(PATH, { requests: five }), 403, "rate_limit_exceeded");
    const refused = await limited.userless(PATH, { requests: five, callback: "c" });
    expect(refused.status).toBe(200);
    expect(JSON.parse(refused.text.slice(2, -2)).meta).toMatchObject({ code: 403, errorType: "rate_limit_exceeded" });
  });
});
