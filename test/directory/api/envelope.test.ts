import { describe, expect, test } from "vitest";
import { envelope } from "../../../src/contract/envelope.ts";
import { apiHost, credentialsOf, DOWNTOWN, expectError, V } from "./host.ts";

const host = await apiHost();
const PATH = "/v2/venues/search";
const good = () => ({ v: V, ...credentialsOf(host.application), ll: DOWNTOWN });

describe("every answer", () => {
  test("is an envelope with a request id of 24 hex characters and no error type when it went well", async () => {
    const answer = await host.send("GET", PATH, good());
    expect(envelope.parse(answer.body).meta).toEqual({ code: 200, requestId: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test.each([["text/json"], ["image/png"], ["*/*;q=0"]])("is JSON whatever the client accepts (%s)", async (accept) => {
    const answer = await host.send("GET", PATH, good(), { headers: { accept } });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toContain("application/json");
  });

  test("carries the notification tray with a user's token, errors too, and not without", async () => {
    const tray = [{ type: "notificationTray", item: { unreadCount: 0 } }];
    expect((await host.asUser(PATH, { ll: DOWNTOWN })).body.notifications).toEqual(tray);
    expect((await host.asUser(PATH, { ll: "nowhere" })).body.notifications).toEqual(tray);
    expect((await host.userless(PATH, { ll: DOWNTOWN })).body).not.toHaveProperty("notifications");
  });
});

describe("paths and methods", () => {
  test.each(["/v2/venues", "/v2/nothing/here", "/v1/venues/search", "/v2//venues/search", "/robots.txt"])(
    "%s is answered 404 endpoint_error",
    async (path) => expectError(await host.send("GET", path, good()), 404, "endpoint_error"),
  );

  test.each([
    ["/v2/venues/search", "GET"],
    ["/v2/venues/categories", "GET"],
    ["/v2/venues/add", "GET, POST"],
    ["/v2/venues/0123456789abcdef01234567", "GET"],
    ["/v2/venues/annotate", "GET, POST"],
    ["/v2/venues/0123456789abcdef01234567/annotate", "GET, POST"],
    ["/v2/venues/0123456789abcdef01234567/links", "GET"],
    ["/v2/multi", "GET, POST"],
    ["/v2/users/self", "GET"],
    ["/v2/users/self/checkins", "GET"],
    ["/v2/checkins/add", "POST"],
  ])("%s answers %s and nothing else", async (path, allowed) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "QUERY"]) {
      if (allowed.split(", ").includes(method)) continue;
      const answer = await host.send(method, path, good());
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allowed]);
      if (method !== "HEAD") expectError(answer, 405, "other");
    }
  });

  test("the root says what this is", async () => {
    const answer = await host.send("GET", "/");
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Samespot");
  });

  test("category icons are pictures", async () => {
    const answer = await host.send("GET", "/icons/coffee_64.svg");
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toContain("image/svg+xml");
    expectError(await host.send("GET", "/icons/nothing_64.svg"), 404, "endpoint_error");
  });
});

describe("bodies", () => {
  test.each(["application/json", "text/plain", "application/octet-stream"])(
    "an empty POST of type %s takes its parameters from the query",
    async (type) => {
      const fields = { v: V, oauth_token: host.user.token, venueId: "x" };
      const answer = await host.send("POST", "/v2/checkins/add", fields, { headers: { "content-type": type } });
      expect(answer.body.meta.errorDetail).toContain("id of a venue");
    },
  );

  test("of another kind than a form are refused", async () => {
    const headers = { "content-type": "application/json" };
    const answer = await host.send("POST", "/v2/checkins/add", {}, { headers, body: { venueId: "x" } });
    expectError(answer, 400, "param_error");
    expect(answer.body.meta.errorDetail).toContain("x-www-form-urlencoded");
  });

  test("that are compressed are refused", async () => {
    const headers = { "content-encoding": "gzip" };
    const answer = await host.send("POST", "/v2/checkins/add", {}, { headers, body: { venueId: "x" } });
    expectError(answer, 415, "other");
    expect(answer.body.meta.errorDetail).toContain("Content-Encoding");
    expect((await host.send("GET", PATH, good(), { headers })).status).toBe(200);
  });

  test("above 64 KB are refused", async () => {
    const answer = await host.send("POST", "/v2/checkins/add", {}, { body: { shout: "x".repeat(70_000) } });
    expectError(answer, 413, "other");
  });
});
