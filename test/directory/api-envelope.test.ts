import { describe, expect, test } from "vitest";
import { envelope } from "../../src/contract/envelope.ts";
import { apiHost, credentialsOf, DOWNTOWN, expectError, V } from "./api-host.ts";

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

describe("v", () => {
  test("missing is answered 410", async () => {
    const { v: _, ...rest } = good();
    expectError(await host.send("GET", PATH, rest), 410, "param_error");
    expectError(await host.send("GET", PATH, { ...rest, v: "" }), 410, "param_error");
  });

  test.each([
    "2024",
    "20241301",
    "20230229",
    "٢٠٢٤٠١٠١",
    "-2024010",
    "2024-01-01",
    "202401011",
    "v20240101",
    " 20240101",
  ])("%s is refused", async (v) => expectError(await host.send("GET", PATH, { ...good(), v }), 400, "param_error"));

  test.each(["20110101", "20120928", "20240229", "20991231"])("%s is accepted", async (v) => {
    expect((await host.send("GET", PATH, { ...good(), v })).status).toBe(200);
  });
});

describe("parameters", () => {
  test.each(["v", "ll", "query", "client_id", "client_secret"])("%s given twice is refused", async (name) => {
    const fields: Record<string, string | string[]> = { ...good(), query: "x" };
    const answer = await host.send("GET", PATH, { ...fields, [name]: [String(fields[name]), String(fields[name])] });
    expectError(answer, 400, "param_error");
    expect(answer.body.meta.errorDetail).toContain(name);
  });

  test("oauth_token given twice is refused", async () => {
    const { token } = host.user;
    expectError(await host.send("GET", PATH, { v: V, ll: DOWNTOWN, oauth_token: [token, token] }), 400, "param_error");
  });

  test("one in the query and again in the body of a POST was given twice", async () => {
    const fields = { v: V, oauth_token: host.user.token, venueId: "x" };
    expectError(await host.send("POST", "/v2/checkins/add", { venueId: "x" }, { body: fields }), 400, "param_error");
  });

  test("unknown ones are ignored, also repeated, bracketed and named like an object's own", async () => {
    const odd = {
      m: ["foursquare", "swarm"],
      "ll[]": "x",
      "query[a]": "x",
      Bar: "",
      __proto__: "x",
      constructor: "x",
      hasOwnProperty: "x",
      toString: "x",
    };
    expect((await host.send("GET", PATH, { ...odd, ...good() })).status).toBe(200);
    expect((await host.send("GET", PATH, good())).status).toBe(200);
  });

  test.each(["\u0000", "a\u0007b", "\ufffd", "\u202egnp"])("%j in a text is refused", async (query) => {
    expectError(await host.send("GET", PATH, { ...good(), query }), 400, "param_error");
  });

  test.each(["query=%ff", "query=%C0%AF", "query=%ED%A0%80"])("broken UTF-8 (%s) is refused", async (broken) => {
    const all = new URLSearchParams(good()).toString();
    const answer = await host.send("GET", `${PATH}?${all}&${broken}`);
    expectError(answer, 400, "param_error");
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

  test("a method in a header changes nothing", async () => {
    const headers = { "x-http-method-override": "POST" };
    expectError(await host.send("GET", "/v2/checkins/add", good(), { headers }), 405, "other");
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

test("no error repeats what was sent", async () => {
  const secret = "canary-4711";
  const fields = { ...good(), oauth_token: secret, client_secret: secret, query: `${secret}\u0000`, ll: secret };
  const { oauth_token: _, ...userless } = fields;
  const { client_secret: __, ...valid } = userless;
  const answers = await Promise.all([
    host.send("GET", PATH, fields),
    host.send("GET", PATH, userless),
    host.send("GET", PATH, { ...valid, client_secret: host.application.clientSecret }),
    host.send("GET", `/v2/${secret}`, fields),
    host.send("PUT", PATH, fields),
    host.send("GET", PATH, { ...good(), query: [secret, secret] }),
    host.send("GET", `/v2/venues/${secret}`, good()),
    host.send("GET", `/v2/users/${secret}`, { v: V, oauth_token: host.user.token }),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain(secret);
  }
});
