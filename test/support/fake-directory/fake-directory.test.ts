import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { startFakeDirectory } from "./fake-directory.ts";

const directory = await startFakeDirectory();
const { client } = directory;
const CALLBACK = "http://localhost:3000/login/callback";
afterAll(() => directory.close());
beforeEach(() => directory.reset());

const query = (params: Record<string, string>) => new URLSearchParams(params).toString();
const authenticate = (params: Record<string, string> = {}) => {
  const all = { client_id: client.id, response_type: "code", redirect_uri: CALLBACK, state: "a b&c", ...params };
  return fetch(`${directory.authUrl}/oauth2/authenticate?${query(all)}`, { redirect: "manual" });
};
const exchange = (code: string, secret = client.secret) => {
  const given = { client_id: client.id, client_secret: secret, redirect_uri: CALLBACK, code };
  return fetch(`${directory.authUrl}/oauth2/access_token?${query({ grant_type: "authorization_code", ...given })}`);
};
const logIn = async () => ((await (await exchange(directory.issueCode(CALLBACK))).json()) as Token).access_token;
type Token = { access_token: string };
const api = (path: string, params: Record<string, string>, signal?: AbortSignal) =>
  fetch(`${directory.baseUrl}/v2/${path}?${query({ v: "20260101", ...params })}`, signal ? { signal } : {});
const userless = { client_id: client.id, client_secret: client.secret };

describe("the well-behaved fake directory", () => {
  it("redirects the browser straight back with code and state", async () => {
    const answer = await authenticate();
    expect(answer.status).toBe(302);
    const back = new URL(answer.headers.get("location") ?? "");
    expect(back.origin + back.pathname).toBe(CALLBACK);
    expect(back.searchParams.get("state")).toBe("a b&c");
    expect(directory.secrets).toContain(back.searchParams.get("code"));
  });

  it("exchanges a code once, for exactly the access token", async () => {
    const code = directory.issueCode(CALLBACK);
    expect((await exchange(code, "wrong")).status).toBe(400);
    expect(await (await exchange(code)).json()).toEqual({ access_token: expect.stringMatching(/^[0-9a-f]{48}$/) });
    expect(await (await exchange(code)).json()).toEqual({ error: "invalid_grant" });
  });

  it("gives each person one token, and drops it when it is revoked", async () => {
    const first = await logIn();
    expect(await logIn()).toBe(first);
    const person = directory.signIn("Ana");
    const second = await logIn();
    expect(second).not.toBe(first);
    expect(await (await api("users/self", { oauth_token: second })).json()).toMatchObject({
      response: { user: { id: person.id, firstName: "Ana" } },
    });
    directory.revoke();
    expect((await api("users/self", { oauth_token: second })).status).toBe(401);
    expect((await api("users/self", { oauth_token: first })).status).toBe(200);
  });

  it("finds an added venue in a search", async () => {
    const oauth_token = await logIn();
    const added = await api("venues/add", { oauth_token, name: "Blue Lantern", ll: "41.8,-71.4" });
    const { response } = (await added.json()) as { response: { venue: { id: string } } };
    const found = await api("venues/search", { ...userless, query: "lantern", ll: "41.8,-71.4" });
    expect(await found.json()).toMatchObject({ response: { venues: [response.venue] } });
    expect((await api(`venues/${response.venue.id}`, { oauth_token })).status).toBe(200);
  });

  it("pages through the check-ins", async () => {
    const answer = await api("users/self/checkins", { oauth_token: await logIn(), offset: "40" });
    const { response } = (await answer.json()) as { response: { checkins: { count: number; items: unknown[] } } };
    expect(response.checkins.count).toBe(45);
    expect(response.checkins.items).toHaveLength(5);
  });

  it.each([
    ["venues/search", { v: "" }, 410],
    ["venues/search", {}, 400],
    ["venues/search", { oauth_token: "wrong" }, 401],
    ["venues/add", userless, 400],
    ["users/self/checkins", userless, 400],
    ["venues/nothing", userless, 404],
  ])("rejects %s with %j", async (path, params, status) => {
    expect((await api(path, params as Record<string, string>)).status).toBe(status);
  });

  it("records requests, including form bodies", async () => {
    await fetch(`${directory.baseUrl}/v2/venues/add?v=20260101`, {
      method: "POST",
      headers: { referer: "http://elsewhere" },
      body: new URLSearchParams({ name: "Café" }),
    });
    expect(directory.requests).toEqual([
      expect.objectContaining({ host: "api", method: "POST", path: "/v2/venues/add", body: "name=Caf%C3%A9" }),
    ]);
    expect(directory.requests[0]?.params).toEqual({ v: "20260101", name: "Café" });
    expect(directory.requests[0]?.headers.referer).toBe("http://elsewhere");
  });
});
