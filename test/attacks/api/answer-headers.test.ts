import { beforeAll, expect, it } from "vitest";
import { changeAccess } from "../../../src/directory/applications/access.ts";
import { runningDirectory, V } from "../running-directory.ts";

const directory = await runningDirectory();
let clientId = "";
let clientSecret = "";
let tokens: string[] = [];

beforeAll(async () => {
  ({ clientId, clientSecret } = await directory.application());
  const users = [await directory.user(), await directory.user()];
  tokens = await Promise.all(users.map(({ id }) => directory.token({ userId: id, clientId })));
});

it("C18: every answer of the API, errors included, forbids caching, type sniffing and referrers", async () => {
  const [oauth_token = ""] = tokens;
  const user = new URLSearchParams({ v: V, oauth_token });
  const other = await directory.application();
  await changeAccess(directory.deps, other.clientId, { actorId: null, access: "stopped", why: "" });
  const stopped = new URLSearchParams({ v: V, client_id: other.clientId, client_secret: other.clientSecret });
  const application = new URLSearchParams({ v: V, client_id: clientId, client_secret: clientSecret, ll: "1,1" });
  const big = { method: "POST", body: new URLSearchParams({ shout: "x".repeat(70_000) }) };
  const asked = { "access-control-request-method": "POST", origin: "https://map.example" };
  const calls: [status: number, path: string, init?: RequestInit][] = [
    [200, `/v2/venues/search?${application}`],
    [200, `/v2/venues/categories?${application}`],
    [200, `/v2/venues/categories?${application}&callback=show`],
    [200, `/v2/users/self?${user}`],
    [200, `/v2/users/self/checkins?${user}`],
    [200, `/v2/multi?${user}&requests=/users/self`, { method: "POST" }],
    [200, "/healthz"],
    [204, "/v2/venues/add", { method: "OPTIONS", headers: asked }],
    [400, "/v2/venues/search"],
    [400, `/v2/venues/search?${user}&ll=x`],
    [400, "/v2/%zz"],
    [401, "/v2/users/self?oauth_token=wrong"],
    [400, `/v2/venues/add?${application}`],
    [403, `/v2/venues/search?${stopped}`],
    [404, "/v2/nothing"],
    [404, "/nothing"],
    [405, "/v2/venues/search", { method: "PUT" }],
    [200, `/v2/venues/search?${application}`, { method: "HEAD" }],
    [405, `/v2/venues/add?${user}`, { method: "HEAD" }],
    [410, `/v2/users/self?oauth_token=${oauth_token}`],
    [413, "/v2/checkins/add", big],
    [415, "/v2/checkins/add", { method: "POST", headers: { "content-encoding": "gzip" } }],
  ];
  for (const [status, path, init] of calls) {
    const reply = await fetch(directory.api + path, init);
    expect([path, reply.status, Object.fromEntries(reply.headers)]).toMatchObject([
      path,
      status,
      { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" },
    ]);
    // What is the same for everybody has one.
    const hasTag = path.startsWith("/v2/venues/categories");
    expect([path, reply.headers.has("etag"), reply.headers.has("last-modified")]).toEqual([path, hasTag, false]);
  }
  const token = await fetch(`${directory.auth}/oauth2/access_token`);
  expect([token.headers.get("cache-control"), token.headers.get("x-content-type-options")]).toEqual([
    "no-store",
    "nosniff",
  ]);
});

it("C18: conditional requests never return 304 or another user's answer", async () => {
  const conditions = [
    { "if-none-match": "*" },
    { "if-none-match": 'W/"1", "2"' },
    { "if-modified-since": new Date(Date.now() + 86_400_000).toUTCString() },
    { "if-match": '"x"', "if-unmodified-since": new Date(0).toUTCString() },
  ];
  const ids = new Set<string>();
  for (const headers of conditions)
    for (const oauth_token of tokens) {
      const { status, body } = await directory.call("/v2/users/self", { oauth_token }, { headers });
      expect([headers, status]).toEqual([headers, 200]);
      ids.add(`${oauth_token} ${body.response.user.id}`);
    }
  expect(ids.size).toBe(2);
});
