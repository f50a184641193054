import { describe, expect, test } from "vitest";
import { type Envelope, envelope } from "../../../src/contract/envelope.ts";
import { apiHost, credentialsOf, DOWNTOWN, expectError, freshVenue, V, venueOf } from "../api/host.ts";

const host = await apiHost();
const PATH = "/v2/venues/search";
const good = () => ({ v: V, ...credentialsOf(host.application), ll: DOWNTOWN });

describe("every answer", () => {
  test("is an envelope with a request id of 24 hex characters, and no error type on success", async () => {
    const answer = await host.send("GET", PATH, good());
    expect(envelope.parse(answer.body).meta).toEqual({ code: 200, requestId: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test.each([["text/json"], ["image/png"], ["*/*;q=0"]])("is JSON whatever the client accepts (%s)", async (accept) => {
    const answer = await host.send("GET", PATH, good(), { headers: { accept } });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toContain("application/json");
  });

  test("contains the notification tray with a user's token, in errors too, and not otherwise", async () => {
    const tray = [{ type: "notificationTray", item: { unreadCount: 0 } }];
    expect((await host.asUser(PATH, { ll: DOWNTOWN })).body.notifications).toEqual(tray);
    expect((await host.asUser(PATH, { ll: "nowhere" })).body.notifications).toEqual(tray);
    expect((await host.userless(PATH, { ll: DOWNTOWN })).body).not.toHaveProperty("notifications");
  });
});

describe("the API host", () => {
  test.each(["/v2/venues", "/v2/nothing/here", "/v1/venues/search", "/v2//venues/search", "/robots.txt"])(
    "returns 404 endpoint_error for %s",
    async (path) => expectError(await host.send("GET", path, good()), 404, "endpoint_error"),
  );

  test.each([
    ["/v2/venues/search", "GET, HEAD"],
    ["/v2/venues/categories", "GET, HEAD"],
    ["/v2/venues/add", "GET, POST"],
    ["/v2/venues/0123456789abcdef01234567", "GET, HEAD"],
    ["/v2/venues/annotate", "GET, POST"],
    ["/v2/venues/0123456789abcdef01234567/annotate", "GET, POST"],
    ["/v2/venues/0123456789abcdef01234567/links", "GET, HEAD"],
    ["/v2/multi", "GET, POST, HEAD"],
    ["/v2/users/self", "GET, HEAD"],
    ["/v2/users/self/checkins", "GET, HEAD"],
    ["/v2/checkins/add", "POST"],
  ])("allows at %s only %s", async (path, allowed) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "QUERY"]) {
      if (allowed.split(", ").includes(method)) continue;
      const answer = await host.send(method, path, good());
      const allow = String(answer.headers.allow).split(", ");
      expect([method, answer.status, allow.toSorted()]).toEqual([method, 405, allowed.split(", ").toSorted()]);
      if (method !== "HEAD") expectError(answer, 405, "other");
    }
  });

  test.each([
    ["/v2/venues/explore", 404],
    ["/v2/venues/trending", 404],
    ["/v2/venues/suggestcompletion", 404],
    ["/v2/venues/suggestCompletion", 404],
    ["/v2/users/search", 404],
    ["/v2/users/leaderboard/", 404],
    ["/v2/venues/match", 405],
    ["/V2/Venues/Lookup", 405],
    ["/v2/venues/0123456789abcdef01234567", 400],
    ["/v2/venues/abcdefabcdefabcdefabcdef", 400],
    ["/v2/venues/n123456", 400],
    ["/v2/users/123", 400],
    ["/v2/venues/some-place", 400],
  ])("tells the name of an endpoint that it lacks from an unknown id: %s is %i", async (path, status) => {
    const errorType = status === 404 ? "endpoint_error" : status === 405 ? "other" : "param_error";
    const answer = await host.asUser(path);
    expectError(answer, status, errorType);
    expect(answer.headers.allow).toBe(status === 405 ? "POST" : undefined);
    const requests = `${path.toLowerCase()}?limit=1`;
    const [inside] = (await host.asUser("/v2/multi", { requests })).body.response.responses as Envelope[];
    expect(inside?.meta.code).toBe(status === 405 ? 400 : status);
  });

  test("finds a venue whose imported id is a word", async () => {
    const { id } = venueOf(await host.asUser("/v2/venues/add", freshVenue()));
    await host.deps.pool.query("UPDATE directory.venue SET id = 'explore' WHERE id = $1", [id]);
    expect(venueOf(await host.asUser("/v2/venues/explore")).id).toBe("explore");
    await host.deps.pool.query("UPDATE directory.venue SET id = $1 WHERE id = 'explore'", [id]);
  });

  test("returns a description of the service at the root", async () => {
    const answer = await host.send("GET", "/");
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Samespot");
  });

  test("returns category icons as images", async () => {
    const answer = await host.send("GET", "/icons/coffee_64.svg");
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toContain("image/svg+xml");
    expectError(await host.send("GET", "/icons/nothing_64.svg"), 404, "endpoint_error");
  });
});

describe("request bodies", () => {
  test.each(["application/json", "text/plain", "application/octet-stream"])(
    "may be empty in a POST of type %s, which reads its parameters from the query",
    async (type) => {
      const fields = { v: V, oauth_token: host.user.token, venueId: "x" };
      const answer = await host.send("POST", "/v2/checkins/add", fields, { headers: { "content-type": type } });
      expect(answer.body.meta.errorDetail).toContain("no venue with this id");
    },
  );

  test("other than forms are rejected", async () => {
    const headers = { "content-type": "application/json" };
    const answer = await host.send("POST", "/v2/checkins/add", {}, { headers, body: { venueId: "x" } });
    expectError(answer, 400, "param_error");
    expect(answer.body.meta.errorDetail).toContain("x-www-form-urlencoded");
  });

  test("are rejected when compressed", async () => {
    const headers = { "content-encoding": "gzip" };
    const answer = await host.send("POST", "/v2/checkins/add", {}, { headers, body: { venueId: "x" } });
    expectError(answer, 415, "other");
    expect(answer.body.meta.errorDetail).toContain("Content-Encoding");
    expect((await host.send("GET", PATH, good(), { headers })).status).toBe(200);
  });

  test("are rejected above 64 KB", async () => {
    const answer = await host.send("POST", "/v2/checkins/add", {}, { body: { shout: "x".repeat(70_000) } });
    expectError(answer, 413, "other");
  });
});
