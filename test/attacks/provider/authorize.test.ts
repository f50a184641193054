import { beforeAll, describe, expect, it } from "vitest";
import { updateApplication } from "../../../src/directory/applications/applications.ts";
import { authorizePath, codeFor, decide, exchange, loggedIn, logIn } from "../../directory/auth/auth-host.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import type { HttpClient, Page } from "../../support/http-client.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";
import { forEach } from "../venue-api.ts";

const directory = await runningDirectory();
const host = { ...directory, url: directory.auth };
type Person = Awaited<ReturnType<typeof directory.user>>;
let user: Person;
let other: Person;
let browser: HttpClient;
let stranger: HttpClient;

beforeAll(async () => {
  [user, other] = [await directory.user(), await directory.user()];
  browser = await loggedIn(host, user);
  stranger = directory.browser();
});

/** Creates an application with consent, whose requests are answered at once. */
async function allowed(more: Parameters<typeof directory.application>[0] = {}) {
  const application = await directory.application(more);
  await directory.token({ userId: user.id, clientId: application.clientId });
  return application;
}

/** Returns the target of the page's link or meta refresh to the application. */
const leadsTo = ({ body }: Page): string =>
  (/href="(https:\/\/app\.example\/callback[^"]*)"/.exec(body)?.[1] ?? "")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

it("B03: a missing, unknown or repeated client_id shows a page that does not repeat the request", async () => {
  const { clientId } = await allowed();
  const unknown = ["canary", "canary".padEnd(24, "0"), "canary\0", "canary'\"><script>", "canary%", "", " ", "é"];
  const once = [...unknown, "canary".repeat(1500), `${clientId} `, clientId.toUpperCase()];
  const twice = [
    [clientId, clientId],
    [clientId, "canary"],
    ["canary", clientId],
  ];
  const queries = [
    ...once.map((id) => ({ client_id: id })),
    ...once.map((id) => ({ client_id: id, redirect_uri: "https://canary.example/" })),
    ...once.map((id) => ({ client_id: id, response_type: "foo", state: "canary", display: "canary" })),
  ].map((fields) => `?${new URLSearchParams({ response_type: "code", redirect_uri: CALLBACK, ...fields })}`);
  for (const [first = "", second = ""] of twice)
    queries.push(`${authorizePath(first).replace(/^[^?]*/, "")}&client_id=${second}`);
  queries.push(`?${new URLSearchParams({ response_type: "code", redirect_uri: CALLBACK })}`, "");
  const addresses = ["authenticate", "authorize"].flatMap((path) => queries.map((query) => `/oauth2/${path}${query}`));
  await forEach(addresses, async (address) => {
    const page = await browser.get(address);
    expect([page.url, page.status, page.location]).toEqual([page.url, 400, ""]);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.body + [...page.headers.values()].join()).not.toMatch(/canary|app\.example/);
  });
});

it("B04: an unknown response_type is reported to the application with the state, and without a code or token", async () => {
  const { clientId } = await allowed({ tokenFlow: true });
  const unsupported = ["foo", "code token", "token code", "CODE", "code ", "id_token", "none", "code,token", "\0"];
  const kinds = [["", "invalid_request"], ...unsupported.map((kind) => [kind, "unsupported_response_type"])];
  for (const [response_type = "", error] of kinds)
    for (const path of ["authenticate", "authorize"]) {
      const address = authorizePath(clientId, { response_type, state: "s&1" }, path);
      const { status, location } = await browser.get(address);
      expect([status, location.startsWith(`${CALLBACK}?error=${error}&`)]).toEqual([303, true]);
      // A user without consent is asked before being redirected.
      const page = await stranger.get(address);
      expect([page.status, page.location, leadsTo(page)]).toEqual([400, "", location]);
      const { searchParams, hash } = new URL(location);
      expect([[...searchParams.keys()].sort(), hash]).toEqual([["error", "error_description", "state"], ""]);
      expect(searchParams.get("state")).toBe("s&1");
    }
  for (const [first, second] of ["code", "token"].flatMap((one) => ["code", "token"].map((two) => [one, two]))) {
    const path = authorizePath(clientId, { response_type: first ?? "" });
    const { status, location } = await browser.get(`${path}&response_type=${second}`);
    expect([status, location]).toEqual([400, ""]);
  }
});

describe("B07: a state", () => {
  const MARKUP = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;&#39;`;
  const states: [kind: string, state: string][] = [
    ["of more than 2 KB of many scripts", "дом-家-🏠-é-".repeat(150)],
    ["of what addresses are made of", "a&b=c#d+e%f%20g%2B/h?i j;k\\l"],
    ["that looks like an answer", "&code=x&access_token=y#error=z"],
    ["of markup", MARKUP],
    ["of white space", " \t a\r\nSet-Cookie: a=b\n "],
  ];

  it.each(states)(
    "B07: %s is returned byte for byte with every answer, and is inert on every page",
    async (_kind, state) => {
      const { clientId } = await directory.application({ tokenFlow: true });
      const get = (more: Record<string, string> = {}, path?: string, headers = {}, by = browser) =>
        by.get(authorizePath(clientId, { state, ...more }, path), headers);
      const asked = await get();
      const denied = await decide(browser, await get(), "deny");
      const shown = [asked, await get({}, "authenticate", {}, stranger)];
      const mistake = await get({ response_type: "foo" }, "authenticate", {}, stranger);
      const over = await decide(browser, asked, "allow");
      const popup = await get({ display: "webpopup" }, "authenticate", { "sec-fetch-dest": "document" });
      const straight = [await get(), await get({ response_type: "foo" }), await get({ response_type: "token" })];

      const answers = [denied, over, ...straight].map(({ location }) => location);
      for (const location of [...answers, leadsTo(mistake), leadsTo(popup)]) {
        expect(location.startsWith(CALLBACK)).toBe(true);
        expect(location.split("state=").slice(1)).toEqual([encodeURIComponent(state)]);
        expect(new URLSearchParams(location.split(/[?#]/)[1]).getAll("state")).toEqual([state]);
      }
      for (const { body, headers } of [...shown, mistake, popup, denied, over, ...straight]) {
        expect(body).not.toMatch(/<script>|<img src=x|<[^>]* onerror/);
        expect(headers.has("set-cookie") && headers.get("set-cookie")?.includes("a=b")).toBe(false);
      }
    },
  );
});

it("B20: authenticate asks for consent once or after a withdrawal, and authorize asks every time and offers another account", async () => {
  const [mine, application] = [await loggedIn(host, user), await directory.application()];
  const ask = (path?: string) => mine.get(authorizePath(application.clientId, { state: "s" }, path));
  const asks = (page: Page, { handle }: Person) =>
    expect([page.status, page.location, page.body]).toEqual([
      200,
      "",
      expect.stringContaining(`Logged in as <b>${handle}</b>`),
    ]);
  asks(await ask(), user);
  await codeFor(mine, application.clientId);
  for (let time = 0; time < 2; time += 1) {
    expect((await ask()).location).toMatch(/\/callback\?code=[\w-]{43}&state=s$/);
    const asked = await ask("authorize");
    asks(asked, user);
    if (time === 0) await decide(mine, asked, "allow");
  }
  // A user with consent is asked as well.
  await directory.token({ userId: other.id, clientId: application.clientId });
  const login = await mine.follow(await mine.submit(await ask("authorize"), "/logout"));
  const consent = await logIn(mine, login, other);
  asks(consent, other);
  const { searchParams } = new URL((await decide(mine, consent, "allow")).location);
  expect(searchParams.get("state")).toBe("s");
  const { body } = await exchange(host, application, searchParams.get("code") ?? "");
  const self = await directory.call("/v2/users/self", { oauth_token: body.access_token ?? "" });
  expect(self.body.response.user.id).toBe(other.id);

  await mine.submit(await mine.get("/settings"), "/settings/disconnect", { client_id: application.clientId });
  asks(await ask(), other);
});

it("B21: a token appears only in the fragment and in no store or log, and a code never appears in the fragment", async () => {
  const { clientId } = await directory.application({ tokenFlow: true });
  const get = (more: Record<string, string>, path?: string, headers = {}) =>
    browser.get(authorizePath(clientId, { state: "s", ...more }, path), headers);
  const token = { response_type: "token" };
  const asked = await decide(browser, await get(token), "allow");
  const answers = [asked, await get(token), await decide(browser, await get(token, "authorize"), "allow")];
  const popup = await get({ ...token, display: "webpopup" }, "authenticate", { "sec-fetch-dest": "document" });
  const addresses = [...answers.map(({ location }) => location), leadsTo(popup)];
  expect(new Set(addresses).size).toBe(1);
  const [, given = ""] =
    /^https:\/\/app\.example\/callback#access_token=([\w-]{43})&state=s$/.exec(asked.location) ?? [];
  expect((await directory.call("/v2/users/self", { oauth_token: given })).status).toBe(200);
  for (const { body, headers } of [...answers, popup]) {
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.replaceAll(`${CALLBACK}#access_token=${given}`, "")).not.toContain(given);
  }

  const codes = [await get({}), await decide(browser, await get({}, "authorize"), "allow")];
  const failed = [await get({ response_type: "foo" }), await decide(browser, await get({}, "authorize"), "deny")];
  for (const { location } of [...codes, ...failed])
    expect(location).toMatch(/^https:\/\/app\.example\/callback\?[^#]+$/);
  expectNoSecrets({ log: directory.logs.text() }, { "access token": [given] });
});

it("B22: an application without the token flow is refused it, even if it loses the flow during consent", async () => {
  const { clientId } = await allowed();
  const token = { response_type: "token", state: "s" };
  for (const path of ["authenticate", "authorize"]) {
    const { status, location } = await browser.get(authorizePath(clientId, token, path));
    expect([status, location]).toEqual([
      303,
      expect.stringMatching(
        /^https:\/\/app\.example\/callback#error=unauthorized_client&error_description=[\w%]+&state=s$/,
      ),
    ]);
    const page = await stranger.get(authorizePath(clientId, token, path));
    expect([page.status, page.location, leadsTo(page)]).toEqual([400, "", location]);
  }
  await updateApplication(directory.deps, clientId, { tokenFlow: true });
  const asked = await browser.get(authorizePath(clientId, token, "authorize"));
  await updateApplication(directory.deps, clientId, { tokenFlow: false });
  const late = await decide(browser, asked, "allow");
  expect([late.status, late.location]).toEqual([400, ""]);
});
