import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  after,
  answers,
  answersHtml,
  answersToken,
  BAD_TOKENS,
  type Behaviour,
  confusesTypes,
  cutsAfter,
  drips,
  drops,
  gzipBomb,
  hangs,
  mixes,
  nests,
  rateLimits,
  redirectsTo,
  truncates,
  unauthorizedFrom,
  usual,
} from "./behaviours.ts";
import { startFakeDirectory } from "./fake-directory.ts";

const directory = await startFakeDirectory();
const { authUrl, baseUrl, client } = directory;
const CALLBACK = "http://localhost:3000/login/callback";
afterAll(() => directory.close());
beforeEach(() => directory.reset());

const get = (url: string, params: Record<string, string>, options: RequestInit = {}) =>
  fetch(`${url}?${new URLSearchParams(params)}`, { redirect: "manual", ...options });
const authenticate = () =>
  get(`${authUrl}/oauth2/authenticate`, { client_id: client.id, redirect_uri: CALLBACK, state: "abc" });
const exchange = (code = directory.issueCode(CALLBACK)) => {
  const credentials = { client_id: client.id, client_secret: client.secret };
  const grant = { grant_type: "authorization_code", redirect_uri: CALLBACK, code };
  return get(`${authUrl}/oauth2/access_token`, { ...credentials, ...grant });
};
const logIn = async () => ((await (await exchange()).json()) as { access_token: string }).access_token;
const api = (path: string, params: Record<string, string> = {}, options?: RequestInit) =>
  get(
    `${baseUrl}/v2/${path}`,
    { v: "20260101", client_id: client.id, client_secret: client.secret, ...params },
    options,
  );
const search = (options?: RequestInit) => api("venues/search", {}, options);
const behave = (behaviour: Behaviour) => directory.behave("/v2/venues/*", behaviour);

describe("the misbehaving fake directory", () => {
  it("misbehaves where requested, and nowhere else", async () => {
    directory.behave("*", answers(500, {}));
    directory.behave("/v2/*", answers(502, {}));
    directory.behave("/v2/venues/search", answers(503, { any: "thing" }, { "retry-after": "7" }));
    const answer = await search();
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      503,
      "7",
      { any: "thing" },
    ]);
    expect((await api("venues/add")).status).toBe(502);
    expect((await authenticate()).status).toBe(500);
  });

  it("follows its initial script", async () => {
    const scripted = await startFakeDirectory({ script: { "/oauth2/access_token": answersHtml() } });
    const answer = await fetch(`${scripted.authUrl}/oauth2/access_token`);
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "text/html",
      expect.stringContaining("<h1>"),
    ]);
    await scripted.close();
  });

  it.each(Object.entries(BAD_TOKENS))("returns %s as a token", async (_, token) => {
    directory.behave("/oauth2/access_token", answersToken(token));
    expect(await (await exchange()).json()).toEqual({ access_token: token });
  });

  it("redirects to another host", async () => {
    directory.behave("/oauth2/*", redirectsTo("http://127.0.0.1:1/steal"));
    const answer = await authenticate();
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "http://127.0.0.1:1/steal"]);
  });

  it("drops a parameter of the redirect back", async () => {
    directory.behave("/oauth2/authenticate", drops("state"));
    const back = new URL((await authenticate()).headers.get("location") ?? "");
    expect([...back.searchParams.keys()]).toEqual(["code"]);
  });

  it("hangs until the client gives up", async () => {
    behave(hangs());
    await expect(search({ signal: AbortSignal.timeout(200) })).rejects.toThrow("timeout");
  });

  it("sends its answer in small pieces", async () => {
    directory.behave("/oauth2/access_token", drips(1));
    expect(await logIn()).toHaveLength(48);
    behave(drips());
    const answer = await search({ signal: AbortSignal.timeout(300) });
    await expect(answer.text()).rejects.toThrow("timeout");
  });

  it.each([0, 1, 20])("cuts the connection after %i bytes, with its work done", async (bytes) => {
    behave(cutsAfter(bytes));
    const name = `Cut after ${bytes}`;
    const add = api("venues/add", { oauth_token: await logIn(), name, ll: "1,2" }).then((answer) => answer.text());
    await expect(add).rejects.toThrow(/terminated|fetch failed/);
    behave(usual);
    const found = await api("venues/search", { query: "cut" });
    expect(await found.text()).toContain(name);
  });

  it("truncates its JSON", async () => {
    behave(truncates());
    await expect((await search()).json()).rejects.toThrow(SyntaxError);
  });

  it("returns values of wrong types", async () => {
    behave(confusesTypes());
    const answer = (await (await search()).json()) as { meta: object; response: { venues: object } };
    expect(answer.meta).toEqual({ code: "200" });
    expect(answer.response.venues).toMatchObject({ 0: { id: 24, location: { lat: expect.any(String), cc: 2 } } });
  });

  it("expands to many megabytes of valid JSON", async () => {
    directory.behave("/oauth2/access_token", gzipBomb(3));
    const unpacked = await (await exchange()).text();
    expect(unpacked.length).toBeGreaterThan(3 * 1024 * 1024);
    expect(JSON.parse(unpacked)).toEqual({ access_token: "bomb" });
  });

  it("nests lists to the requested depth", async () => {
    behave(nests(100_000));
    const body = await (await search()).text();
    expect(body).toContain("[".repeat(100_000));
    expect(() => JSON.parse(body)).not.toThrow();
  });

  it("rejects the token from the k-th request on", async () => {
    behave(unauthorizedFrom(3));
    const statuses = [await search(), await search(), await search(), await search()].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 401, 401]);
    behave(after(2, answersHtml(502)));
    expect([(await search()).status, (await search()).status]).toEqual([200, 502]);
  });

  it.each(["5", "Wed, 21 Oct 2037 07:28:00 GMT", "junk", "-1", undefined])(
    "limits the rate with Retry-After %s",
    async (wait) => {
      behave(rateLimits(wait));
      const answer = await search();
      expect([answer.status, answer.headers.get("retry-after") ?? undefined]).toEqual([429, wait]);
      expect(await answer.json()).toMatchObject({ meta: { errorType: "quota_exceeded" } });
    },
  );

  it("mixes behaviours in the same order for the same seed", async () => {
    const row = async (seed: number) => {
      behave(mixes(seed, [usual, answers(500, {}), rateLimits("1")]));
      const statuses: number[] = [];
      for (let i = 0; i < 20; i++) statuses.push((await search()).status);
      return statuses;
    };
    const first = await row(7);
    expect(new Set(first)).toEqual(new Set([200, 500, 429]));
    expect(await row(7)).toEqual(first);
    expect(await row(8)).not.toEqual(first);
  });
});
