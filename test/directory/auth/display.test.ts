import { beforeAll, expect, it } from "vitest";
import type { HttpClient, Page } from "../../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, codeFor, decide, loggedIn } from "./auth-host.ts";

const host = await authHost({ signUp: true });
/** What current browsers send when they show the response as a page. */
const asPage = { "sec-fetch-dest": "document" };
let browser: HttpClient;
let clientId: string;

beforeAll(async () => {
  browser = await loggedIn(host, await host.user());
  ({ clientId } = await host.application());
});

const DISPLAYS = ["", "touch", "wap", "webpopup", "canary-display"];

/** Returns every kind of page by name, in this display. */
async function everyPage(display: string) {
  const stranger = host.browser();
  const login = await stranger.get(authorizePath(clientId, { display }));
  const [, request = ""] = /name="request" value="(\w+)"/.exec(login.body) ?? [];
  const { clientId: known } = await host.application();
  await codeFor(browser, known);
  return {
    login,
    "login, wrong": await stranger.submit(login, "/login", { handle: "", password: "" }),
    "login, stale": await stranger.post("/login", { request, handle: "a" }),
    "sign-up": await stranger.get(`/sign-up?request=${request}`),
    "sign-up, wrong": await stranger.submit(await stranger.get(`/sign-up?request=${request}`), "/sign-up"),
    consent: await browser.get(authorizePath(clientId, { display })),
    authorize: await browser.get(authorizePath(known, { display }, "authorize")),
    refusal: await stranger.get(authorizePath(clientId, { display, response_type: "foo" })),
    "broken link": await stranger.get(authorizePath("nobody", { display })),
    "given twice": await stranger.get(`${authorizePath(clientId, { display })}&display=wap&display=touch`),
    "hand-over": await browser.get(authorizePath(known, { display }), asPage),
    over: await stranger.get(`/login?request=${"0".repeat(24)}`),
    settings: await browser.get("/settings"),
    "settings, wrong": await browser.submit(await browser.get("/settings"), "/settings/password"),
    home: await stranger.get("/"),
    forged: await browser.post("/settings/password", {}),
    missing: await browser.get("/nothing-here"),
    "wrong method": await browser.get("/logout"),
    metadata: await browser.get("/.well-known/oauth-authorization-server"),
    "token error": await browser.get("/oauth2/access_token"),
    revocation: await browser.post("/oauth2/revoke", {}),
  };
}

it.each(DISPLAYS)("B23: no page with display=%s may be framed", async (display) => {
  for (const [name, { status, headers }] of Object.entries(await everyPage(display))) {
    const framing = [headers.get("content-security-policy"), headers.get("x-frame-options")];
    expect([name, status, ...framing]).toEqual([
      name,
      expect.any(Number),
      expect.stringContaining("frame-ancestors 'none'"),
      "DENY",
    ]);
    expect(status, name).toBeLessThan(500);
  }
});

it("B29: every display works, an unknown one is ignored, and a repeated one is rejected, without reflection", async () => {
  const plain = await everyPage("");
  for (const display of DISPLAYS) {
    const { login, consent, refusal, "given twice": twice } = await everyPage(display);
    expect([login.status, consent.status, refusal.status, twice.status]).toEqual([200, 200, 400, 400]);
    for (const { body } of [login, consent, refusal, twice]) {
      expect(body.match(/<h1/g)).toHaveLength(1);
      expect(body).not.toContain("canary-display");
    }
    const isWap = display === "wap";
    for (const { body } of [login, consent, refusal]) expect(/<svg|<link|<script|<style/.test(body)).toBe(!isWap);
    const shown = /data-display="(\w+)"/.exec(login.body)?.[1];
    expect(shown).toBe({ touch: "touch", webpopup: "webpopup" }[display]);
    if (display === "canary-display")
      expect(login.body.replace(/value="[^"]*"|request=\w+/g, "")).toBe(
        plain.login.body.replace(/value="[^"]*"|request=\w+/g, ""),
      );
  }
});

it.each([
  ["application/vnd.wap.xhtml+xml, application/xhtml+xml", true],
  ["text/vnd.wap.wml", true],
  ["application/vnd.wap.xhtml+xml, text/html;q=0.9", false],
  ["text/html, text/vnd.wap.wml", false],
  ["*/*", false],
])("the WAP pages are selected by the Accept header of old phones: %s", async (accept, isWap) => {
  for (const display of ["", "unknown"]) {
    const page = await host.browser().get(authorizePath(clientId, { display }), { accept });
    expect([page.status, /<link|<script/.test(page.body)]).toEqual([200, !isWap]);
  }
  const asked = await host.browser().get(authorizePath(clientId, { display: "touch" }), { accept });
  expect(asked.body).toContain('data-display="touch"');
});

it("an authorization answer is delivered by a page only for display=webpopup in a browser that shows pages", async () => {
  const { clientId: known } = await host.application();
  await codeFor(browser, known);
  const state = `x"'<&; url=y`;
  for (const display of DISPLAYS.filter((each) => each !== "webpopup")) {
    const { status, location } = await browser.get(authorizePath(known, { display }), asPage);
    expect([status, location]).toEqual([303, expect.stringContaining(`${CALLBACK}?code=`)]);
  }
  for (const headers of [{}, { "sec-fetch-dest": "empty" }, { "sec-fetch-dest": "iframe" }]) {
    const { status, location } = await browser.get(authorizePath(known, { display: "webpopup" }), headers);
    expect([status, location]).toEqual([303, expect.stringContaining(`${CALLBACK}?code=`)]);
  }
  const page = await browser.get(authorizePath(known, { display: "webpopup", state }), asPage);
  expect([page.status, page.location]).toEqual([200, ""]);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "unsafe-none",
    "content-security-policy": expect.stringContaining("script-src 'self';"),
  });
  const sent = encodeURIComponent(state).replaceAll("'", "&#39;");
  const [link, refresh] = [/<a [^>]*href="([^"]*)"/, /<noscript><meta http-equiv="refresh" content="0; url=([^"]*)">/];
  for (const pattern of [link, refresh])
    expect(pattern.exec(page.body)?.[1]).toMatch(
      new RegExp(`^${CALLBACK}\\?code=[\\w-]{43}&amp;state=${sent.replace(/[.*+?]/g, "\\$&")}$`),
    );
  expect(page.body).not.toMatch(/<script(?![^>]* src=)/);
});

it("a denial, a mistake and the token flow are delivered by the same page, each once", async () => {
  const application = await host.application({ tokenFlow: true });
  const more = { display: "webpopup", state: "s" };
  const goesTo = ({ body }: Page) => /url=([^"]*)"/.exec(body)?.[1]?.replaceAll("&amp;", "&");

  const asked = await browser.get(authorizePath(application.clientId, more), asPage);
  const fields = Object.fromEntries(
    [...asked.body.matchAll(/name="(_csrf|request)" value="([^"]*)"/g)].map(([, name = "", value]) => [
      name,
      value ?? "",
    ]),
  );
  const send = (decision: string) => browser.post("/oauth2/consent", { ...fields, decision }, asPage);
  expect(goesTo(await send("deny"))).toMatch(/^https:\/\/app\.example\/callback\?error=access_denied&.*&state=s$/);
  expect((await send("allow")).status).toBe(400);

  await decide(browser, await browser.get(authorizePath(application.clientId)), "allow");
  const wrong = await browser.get(authorizePath(application.clientId, { ...more, response_type: "foo" }), asPage);
  expect(goesTo(wrong)).toMatch(/\?error=unsupported_response_type&.*&state=s$/);
  const token = await browser.get(authorizePath(application.clientId, { ...more, response_type: "token" }), asPage);
  expect(goesTo(token)).toMatch(/^https:\/\/app\.example\/callback#access_token=[\w-]{43}&state=s$/);
  expect(host.logs.text()).not.toContain(/access_token=([\w-]{43})/.exec(token.body)?.[1]);
});
