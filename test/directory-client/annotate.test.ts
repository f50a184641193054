import { afterAll, beforeEach, expect, test } from "vitest";
import type { DirectoryClient } from "../../src/directory-client/client.ts";
import { answers, answersError, answersHtml, cutsAfter, rateLimits } from "../support/fake-directory/behaviours.ts";
import { directoryClients } from "./directory-clients.ts";

const { directory, newClient, newHost, app, user } = await directoryClients();
afterAll(directory.close);
beforeEach(directory.reset);
const client = newClient();

const annotate = (venueId: string, linkedId: string, more = {}, by: DirectoryClient = client) =>
  by.annotate(
    user,
    venueId,
    { providerId: "maps", linkedId, ...more },
    { idempotencyKey: `key of ${linkedId}`.replace(/ /g, "-") },
  );
const twoVenues = async () => {
  const { venues } = await client.searchVenues(app, { query: "corner harbor" });
  return venues.slice(0, 2).map(({ id, name }) => ({ id, name }));
};

test("an annotation is one POST with its key, and has neither token nor id in the address", async () => {
  const [venue = { id: "" }] = await twoVenues();
  await annotate(venue.id, "row 7", { url: "https://maps.example/7" });
  await annotate(venue.id, "row 7");
  const { method, path, headers, body, params } = directory.requests[1] ?? expect.fail();
  expect([method, path, headers["idempotency-key"]]).toEqual([
    "POST",
    `/v2/venues/${venue.id}/annotate`,
    "key-of-row-7",
  ]);
  const sent = { v: "20260101", providerId: "maps", linkedId: "row 7", url: "https://maps.example/7" };
  expect(params).toEqual({ ...sent, oauth_token: user.token });
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual(params);
});

test("annotating a venue with an id that another venue has fails with a conflict that names the other venue", async () => {
  const [one = { id: "" }, other = { id: "" }] = await twoVenues();
  await annotate(one.id, "taken");
  await expect(annotate(other.id, "taken")).rejects.toMatchObject({ kind: "conflict", status: 409, holder: one });
});

test.each([
  ["404", answersError(404, "endpoint_error"), "not_found"],
  ["another 409", answersError(409, "other"), "rejected"],
  ["not_authorized", answersError(403, "not_authorized"), "rejected"],
  ["a cut connection", cutsAfter(0), "unreachable"],
  ["429", rateLimits("7"), "rate_limited"],
  ["a refused token", answersError(401, "invalid_auth"), "refused_token"],
  ["a page", answersHtml(), "invalid_answer"],
])("an annotation that gets %s is reported accordingly after one call", async (_what, behaviour, kind) => {
  directory.behave("/v2/*", behaviour);
  await expect(annotate("abc", "1")).rejects.toMatchObject({ kind });
  expect(directory.requests.length).toBe(1);
});

test("an id that would change the address is not sent", async () => {
  for (const id of ["..", "", "a/b", "match", "ADD"])
    await expect(annotate(id, "1")).rejects.toMatchObject({ kind: "not_found" });
  expect(directory.requests).toEqual([]);
});

test("idempotency keys are used where the metadata announces them, and nowhere else", async () => {
  expect(await newClient().honoursKeys()).toBe(false);
  directory.offerKeys();
  expect(await newClient().honoursKeys()).toBe(true);
  directory.behave("/.well-known/*", answersError(500, "server_error"));
  await expect(newClient().honoursKeys()).rejects.toMatchObject({ kind: "unreachable" });
});

test("a venues/match endpoint is accepted only on the API host", async () => {
  const tells = async (venue_match_endpoint: unknown) => {
    directory.behave("/.well-known/*", answers(200, { issuer: directory.authUrl, venue_match_endpoint }));
    return (await newHost().features()).matchUrl?.href;
  };
  const path = "/v2/venues/match";
  expect(await tells(directory.baseUrl + path)).toBe(directory.baseUrl + path);
  for (const address of [directory.authUrl + path, `https://evil.example${path}`, path, "x", ""])
    expect(await tells(address)).toBeUndefined();
});
