import { afterAll, beforeEach, expect, test } from "vitest";
import { createAuthHost } from "../../src/directory-client/auth-host.ts";
import { DirectoryError } from "../../src/directory-client/calls/errors.ts";
import { createOutbound } from "../../src/directory-client/calls/outbound.ts";
import { createDirectoryClient } from "../../src/directory-client/client.ts";
import {
  after,
  answers,
  answersError,
  answersHtml,
  type Behaviour,
  confusesTypes,
  cutsAfter,
  gzipBomb,
  hangs,
  nests,
  rateLimits,
  redirectsTo,
  truncates,
} from "../support/fake-directory/behaviours.ts";
import { startFakeDirectory } from "../support/fake-directory/fake-directory.ts";

const directory = await startFakeDirectory();
afterAll(directory.close);
beforeEach(directory.reset);

const line = { dispatcher: createOutbound(), deadlineMs: 500 };
const newClient = () =>
  createDirectoryClient({ ...line, baseUrl: directory.baseUrl, version: "20260101" }, authHost.features);
const authHost = createAuthHost({ authUrl: directory.authUrl, apiUrl: directory.baseUrl }, line);
const client = newClient();
const app = { clientId: directory.client.id, clientSecret: directory.client.secret };
const redirectUri = "http://localhost/back";
const exchange = { ...app, redirectUri, codeVerifier: "v" };
const { token } = await authHost.exchangeCode({ ...exchange, code: directory.issueCode(redirectUri) });
const user = { token };
const stranger = { token: "a-token-of-nobody" };
const near = { lat: 41.8, lng: -71.4 };

const failure = async (call: Promise<unknown>): Promise<DirectoryError> => {
  const error = await call.then(() => undefined).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DirectoryError);
  return error as DirectoryError;
};

const NOT_ENABLED = {
  meta: { code: 403, errorType: "not_authorized" },
  response: { application: { access: "stopped" } },
};

const FAULTS: [what: string, behaviour: Behaviour, kind: string][] = [
  ["silence", hangs(), "unreachable"],
  ["a connection cut before the head", cutsAfter(0), "unreachable"],
  ["a connection cut in the body", cutsAfter(20), "unreachable"],
  ["status 503 in HTML", answersHtml(503), "unreachable"],
  ["status 500", answersError(500, "server_error"), "unreachable"],
  ["HTML", answersHtml(), "invalid_answer"],
  ["half a JSON", truncates(), "invalid_answer"],
  ["wrong types", confusesTypes(), "invalid_answer"],
  ["lists a hundred thousand deep", nests(100_000), "invalid_answer"],
  ["a gzip bomb", gzipBomb(50), "invalid_answer"],
  ["a redirect", redirectsTo("http://127.0.0.1:1/"), "invalid_answer"],
  ["a bad parameter", answersError(400, "param_error"), "rejected"],
  ["not_authorized", answersError(403, "not_authorized"), "rejected"],
  ["an application that is not enabled", answers(403, NOT_ENABLED), "not_enabled"],
  ["429", rateLimits("7"), "rate_limited"],
  ["the hourly limit", answersError(403, "rate_limit_exceeded"), "rate_limited"],
  ["404", answersError(404, "endpoint_error"), "not_found"],
  ["401", answersError(401, "invalid_auth"), "refused_token"],
  ["400 invalid_auth", answersError(400, "invalid_auth"), "refused_token"],
];
test.each(FAULTS)(
  "a search that gets %s is reported accordingly after one call, without address or secret",
  async (_what, behaviour, kind) => {
    directory.behave("/v2/*", behaviour);
    const error = await failure(client.searchVenues(user, { ll: near, query: "private words" }));
    expect(error.kind).toBe(kind);
    expect(directory.requests.length).toBe(1);
    const told = [error.message, error.title, error.stack, String(error.cause)].join("\n");
    for (const secret of [user.token, "private", "127.0.0.1", "http"])
      expect(told.replace(/file:\S+/g, "")).not.toContain(secret);
  },
);

test("refused application credentials are distinguished from a refused user token", async () => {
  const error = await failure(client.searchVenues({ ...app, clientSecret: "wrong" }, { ll: near }));
  expect(error.kind).toBe("refused_client");
});

test("a directory's error text is shown unless it repeats a secret", async () => {
  const says = (errorDetail: string) => answers(400, { meta: { code: 400, errorDetail }, response: {} });
  directory.behave("/v2/venues/search", says("ll is out of range"));
  expect((await failure(client.searchVenues(user, { ll: near }))).message).toBe("ll is out of range");
  directory.behave("/v2/venues/search", says(`unknown token ${user.token}`));
  expect((await failure(client.searchVenues(user, { ll: near }))).message).not.toContain(user.token);
});

const WAITS: [header: string | undefined, seconds: number][] = [
  ["7", 7],
  ["0", 1],
  ["999999999", 3600],
  ["-5", 60],
  ["soon", 60],
  ["1e9", 60],
  ["7.5", 60],
  ["0x10", 60],
  ["7, 9", 60],
  [undefined, 60],
  [new Date(Date.now() - 86_400_000).toUTCString(), 1],
  ["Thu, 99 Foo 2026 25:00:00 GMT", 60],
  [new Date(Date.now() + 315_360_000_000).toUTCString(), 3600],
];
test.each(WAITS)("F08: Retry-After %s means a wait of %i seconds", async (header, seconds) => {
  directory.behave("/v2/*", rateLimits(header));
  expect((await failure(client.searchVenues(app, { ll: near }))).retryAfter).toBe(seconds);
});

const epoch = (seconds: number) => String(Math.round(Date.now() / 1000 + seconds));
const RESETS: [header: string, seconds: number][] = [
  [epoch(600), 600],
  [epoch(315_360_000), 3600],
  [epoch(-600), 1],
  ["", 60],
  ["0", 60],
  ["-5", 60],
  ["0x7fffffff", 60],
  ["1e10", 60],
  [`${Date.now() + 600_000}`, 60],
  ["soon", 60],
];
test.each(RESETS)(
  "the hourly limit with X-RateLimit-Reset %s means a wait of about %i seconds",
  async (header, seconds) => {
    directory.behave("/v2/*", answersError(403, "rate_limit_exceeded", { "x-ratelimit-reset": header }));
    const error = await failure(client.searchVenues(app, { ll: near }));
    expect(error.kind).toBe("rate_limited");
    expect(Math.abs((error.retryAfter ?? 0) - seconds)).toBeLessThan(seconds === 600 ? 30 : 1);
  },
);

test("Retry-After takes precedence over X-RateLimit-Reset, and the message says when to retry", async () => {
  const headers = { "x-ratelimit-reset": epoch(3000), "retry-after": "720" };
  directory.behave("/v2/*", answersError(403, "rate_limit_exceeded", headers));
  const error = await failure(client.searchVenues(app, { ll: near }));
  expect([error.retryAfter, error.headers]).toEqual([720, { "retry-after": "720" }]);
  expect(error.message).toBe("The venue directory asks us to slow down. Please try again in 12 minutes.");
});

test("a code exchange told to wait is reported as rate-limited", async () => {
  directory.behave("/oauth2/access_token", answers(429, { error: "rate_limit_exceeded" }, { "retry-after": "40" }));
  const error = await failure(authHost.exchangeCode({ ...exchange, code: "any" }));
  expect([error.kind, error.retryAfter]).toEqual(["rate_limited", 40]);
});

test("a call carries v, its parameters and one credential, and no sign of its origin", async () => {
  const { venues, confident } = await client.matchVenues(
    app,
    { name: "Corner Coffee", ll: near, city: "" },
    { minScore: 0.2 },
  );
  expect([venues[0]?.name, confident]).toEqual(["Corner Coffee", false]);
  const [request] = directory.requests;
  const credentials = { client_id: app.clientId, client_secret: app.clientSecret };
  const listing = { name: "Corner Coffee", ll: "41.8,-71.4", intent: "match", minScore: "0.2" };
  expect(request?.params).toEqual({ v: "20260101", ...listing, ...credentials });
  expect([request?.headers.referer, request?.headers.cookie]).toEqual([undefined, undefined]);
});

test("ids that would change the address are not sent", async () => {
  const words = ["search", "add", "Categories", "ANNOTATE", "match", "explore", "trending", "managed", "timeseries"];
  for (const id of ["..", ".", "", "a/b", "a?b", "a%2fb", "x".repeat(101), ...words])
    expect((await failure(client.venue(app, id))).kind).toBe("not_found");
  expect(directory.requests).toEqual([]);
});

test("an id may contain a colon, and an unknown venue id is not found, whatever the directory's wording", async () => {
  directory.behave("/v2/venues/node%3A1", answersError(400, "param_error"));
  expect((await failure(client.venue(app, "node:1"))).kind).toBe("not_found");
  expect(directory.requests.map(({ path }) => path)).toEqual(["/v2/venues/node%3A1"]);
  directory.behave("/v2/venues/*", answersError(403, "not_authorized"));
  expect((await failure(client.venue(app, "abc"))).kind).toBe("rejected");
});

test("concurrent callers share one request for the category tree, which is then cached", async () => {
  const own = newClient();
  const trees = await Promise.all(Array.from({ length: 5 }, () => own.categories(app)));
  expect(trees.every(([first]) => first?.name === "Café")).toBe(true);
  await own.categories(user);
  expect(directory.requests.length).toBe(1);
});

test("a caller with a refused token does not break the category tree for the other waiting callers", async () => {
  const own = newClient();
  const [refused, good] = await Promise.allSettled([own.categories(stranger), own.categories(app)]);
  expect([refused.status, good.status]).toEqual(["rejected", "fulfilled"]);
});

test("a failed request for the category tree is not cached", async () => {
  const own = newClient();
  directory.behave("/v2/venues/categories", after(1, answersError(500, "server_error")));
  await failure(own.categories(app));
  directory.reset();
  expect((await own.categories(app)).length).toBe(1);
});
