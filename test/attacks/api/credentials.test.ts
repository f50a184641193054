import { describe, expect, it } from "vitest";
import { rawExchange, runningDirectory } from "../running-directory.ts";
import { expectError, type Fields, forEach, query, statusOf, venueApi, written } from "../venue-api.ts";

const directory = await runningDirectory();
const api = venueApi(directory);
const SELF = "/v2/users/self";
const host = new URL(directory.api).host;

describe("a token", () => {
  it("C01: is accepted as oauth_token in the query of a GET or a POST and in a form", async () => {
    const { oauth_token } = api.user;
    const self = await directory.call(SELF, { oauth_token });
    expect([self.status, self.body.response.user?.id]).toEqual([200, api.user.id]);
    const inForm = await directory.call("/v2/multi", { oauth_token, requests: "/users/self" }, { method: "POST" });
    expect(inForm.body.response.responses[0].response.user.id).toBe(api.user.id);
    const address = `${directory.api}/v2/multi?${query({ oauth_token, requests: "/users/self" })}`;
    expect((await fetch(address, { method: "POST" })).status).toBe(200);
  });

  it("C01: is ignored under any other name and in any other place", async () => {
    const { oauth_token: token } = api.user;
    const inQuery = [
      "access_token",
      "token",
      "OAUTH_TOKEN",
      "oauth_token[]",
      "oauth-token",
      "api_key",
      "v2.oauth_token",
    ];
    await forEach(inQuery, async (name) =>
      expectError(name, await directory.call(SELF, { [name]: token }), 400, "invalid_auth"),
    );
    const inHeader: Fields[] = [
      ...["OAuth", "Token", "Basic", "Bearer:", "BearerToken"].map((scheme) => ({
        authorization: `${scheme} ${token}`,
      })),
      { authorization: `OAuth oauth_token="${token}"` },
      ...["oauth_token", "x-oauth-token", "access_token", "x-access-token"].map((name) => ({ [name]: token })),
      { cookie: `oauth_token=${token}; access_token=${token}; token=${token}` },
    ];
    await forEach(inHeader, async (headers) =>
      expectError(headers, await directory.call(SELF, {}, { headers }), 400, "invalid_auth"),
    );
    const body = query({ oauth_token: token });
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const inBodyOfGet = await rawExchange(
      directory.api,
      written("GET", `${SELF}?${query({})}`, { host, body, headers }),
    );
    expect(statusOf(inBodyOfGet)).toBe(400);
    const inJson = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ oauth_token: token }),
    };
    expect((await fetch(`${directory.api}/v2/multi?${query({ requests: SELF })}`, inJson)).status).toBe(400);
  });

  it("C01: is read from oauth_token when another token comes as access_token or in a cookie", async () => {
    const { oauth_token: good } = api.user;
    const someone = await directory.user();
    const other = await directory.token({ userId: someone.id, clientId: api.client.client_id });
    const both = await directory.call(SELF, { oauth_token: good, access_token: other });
    expect(both.body.response.user.id).toBe(api.user.id);
    const elsewhere = { authorization: `Token ${other}`, cookie: `oauth_token=${other}` };
    const beside = await directory.call(SELF, { oauth_token: good }, { headers: elsewhere });
    expect(beside.body.response.user.id).toBe(api.user.id);
    expectError(
      "bad beside good",
      await directory.call(SELF, { oauth_token: "bad", access_token: good }),
      401,
      "invalid_auth",
    );
    expectError(
      "empty beside good",
      await directory.call(SELF, { oauth_token: "", access_token: good }),
      400,
      "invalid_auth",
    );
    const userless = { ...api.client, access_token: good };
    expectError("of an application", await directory.call(SELF, userless), 400, "invalid_auth");
    const search = await directory.call("/v2/venues/search", { ...userless, ll: "0,0" });
    expect([search.status, search.body.notifications]).toEqual([200, undefined]);
  });
});

/** Endpoints that need no user. */
const OPEN = [
  ...["/v2/venues/search", "/v2/venues/match", "/v2/venues/categories", "/v2/venues/{id}", "/v2/venues/{id}/links"],
  ...["/v2/multi", "/v2/map/tile", "/v2/addresses/locate", "/v2/venues/lookup"],
];

describe("an application's credentials", () => {
  it("C03: can read public data, and can neither read nor write a user's data", async () => {
    const before = await api.rows();
    await forEach(api.endpoints, async ({ method, path }) => {
      const [address, { oauth_token: _, ...fields }] = api.goodCall({ path });
      const answer = await directory.call(address, { ...fields, ...api.client }, { method });
      if (OPEN.includes(path)) expect([path, answer.status]).toEqual([path, 200]);
      else expectError(path, answer, 400, "invalid_auth");
    });
    expect(api.endpoints.filter(({ path }) => !OPEN.includes(path)).map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "/v2/venues/add",
        "/v2/venues/delete",
        "/v2/venues/merge",
        "/v2/venues/revert",
        "/v2/venues/annotate",
        "/v2/venues/{id}/annotate",
        "/v2/users/{id}/checkins",
      ]),
    );
    expect(await api.rows()).toEqual(before);
  });

  it("C03: cannot reach a user's data through multi either", async () => {
    const requests = `/users/self,/users/self/checkins,/users/${api.user.id},/venues/add?${query(api.newVenue())}`;
    const before = await api.rows();
    const { body } = await directory.call("/v2/multi", { ...api.client, requests });
    const codes = body.response.responses.map(({ meta }: { meta: { code: number } }) => meta.code);
    expect(codes).toEqual([400, 400, 400, 400]);
    expect(await api.rows()).toEqual(before);
  });

  it("C03: are rejected beside another application's token, whether right or wrong", async () => {
    const other = await directory.application();
    const search = { ll: "0,0", oauth_token: api.user.oauth_token };
    const disagreeing: Fields[] = [
      { client_id: other.clientId, client_secret: other.clientSecret },
      { client_id: other.clientId },
      { client_id: other.clientId, client_secret: api.client.client_secret },
      { client_id: "nobody", client_secret: api.client.client_secret },
    ];
    await forEach(disagreeing, async (client) =>
      expectError(client, await directory.call("/v2/venues/search", { ...search, ...client }), 400, "invalid_auth"),
    );
    expect((await directory.call("/v2/venues/search", { ...search, ...api.client })).status).toBe(200);
    const mixed = { client_id: other.clientId, client_secret: api.client.client_secret };
    expectError("mixed", await directory.call("/v2/venues/search", { ll: "0,0", ...mixed }), 400, "invalid_auth");
  });
});
