import { describe, expect, it } from "vitest";
import { checkRedirectUri, redirectUriMatches } from "../../src/directory/redirect-uris.ts";
import { authHost, authorizePath, decide, loggedIn } from "./auth-host.ts";

const host = await authHost();
const registered = "https://app.example/cb/in?tenant=1";

const changes = [
  "https://app.example/cb/in?tenant=1/",
  "https://app.example/cb/in/?tenant=1",
  "https://app.example/cb/in",
  "https://app.example/cb/in?",
  "https://app.example/cb/in?tenant=2",
  "https://app.example/cb/in?tenant=",
  "https://app.example/cb/in?Tenant=1",
  "https://app.example/cb/in?tenant=1&x=2",
  "https://app.example/cb/in?x=2&tenant=1",
  "https://app.example/cb/in?tenant=1#",
  "https://app.example/cb/in?tenant=1#x",
  "https://app.example/cb/in?tenant=%31",
  "https://app.example/cb/in?tenant=1%23",
  "https://app.example/cb/in?tenant=1 ",
  " https://app.example/cb/in?tenant=1",
  "https://app.example/cb/in?tenant=1\n",
  "https://app.example/cb/in?tenant=1\0",
  "https://app.example/CB/in?tenant=1",
  "https://app.example/cb//in?tenant=1",
  "https://app.example//cb/in?tenant=1",
  "https://app.example/cb/./in?tenant=1",
  "https://app.example/cb/x/../in?tenant=1",
  "https://app.example/cb/%2e/in?tenant=1",
  "https://app.example/cb%2fin?tenant=1",
  "https://app.example/%63b/in?tenant=1",
  "https://app.example\\cb\\in?tenant=1",
  "https:\\\\app.example/cb/in?tenant=1",
  "https:/app.example/cb/in?tenant=1",
  "//app.example/cb/in?tenant=1",
  "/cb/in?tenant=1",
  "http://app.example/cb/in?tenant=1",
  "HTTPS://app.example/cb/in?tenant=1",
  "https://APP.example/cb/in?tenant=1",
  "https://app.example:443/cb/in?tenant=1",
  "https://app.example:8443/cb/in?tenant=1",
  "https://app.example./cb/in?tenant=1",
  "https://app.example.evil.example/cb/in?tenant=1",
  "https://evilapp.example/cb/in?tenant=1",
  "https://www.app.example/cb/in?tenant=1",
  "https://app.example@evil.example/cb/in?tenant=1",
  "https://user:pass@app.example/cb/in?tenant=1",
  "https://xn--app-example/cb/in?tenant=1",
  "https://аpp.example/cb/in?tenant=1",
  "javascript:alert(1)//https://app.example/cb/in?tenant=1",
];

describe("an application with exact matching", () => {
  it.each(changes)("is never answered at %j", async (redirect_uri) => {
    const { clientId } = await host.application({ redirectUris: [registered] });
    const page = await host.browser().get(authorizePath(clientId, { redirect_uri }));
    expect([page.status, page.location]).toEqual([400, ""]);
    expect(page.body).toContain("redirect_uri");
  });

  it("is answered at each of its registered addresses, and at none of another application's", async () => {
    const second = "https://app.example/second";
    const { clientId } = await host.application({ redirectUris: [registered, second] });
    await host.application({ redirectUris: ["https://other.example/cb"] });
    for (const redirect_uri of [registered, second])
      expect((await host.browser().get(authorizePath(clientId, { redirect_uri }))).status).toBe(200);
    const foreign = authorizePath(clientId, { redirect_uri: "https://other.example/cb" });
    expect((await host.browser().get(foreign)).status).toBe(400);
  });
});

describe("an application with path matching", () => {
  const plain = "https://app.example/cb";
  const application = { redirectUris: [plain, registered], redirectMatch: "path" as const };

  it.each([`${plain}?redirect_state=abc`, `${plain}?a=1&b=%20`, `${registered}&redirect_state=abc`, plain, registered])(
    "is answered at %s",
    (uri) => expect(redirectUriMatches(application, uri)).toBe(true),
  );

  it.each([
    ...changes.filter((uri) => !uri.startsWith(`${registered}&`)),
    `${plain}/?x=1`,
    `${plain}x?x=1`,
    `${plain};x?x=1`,
    `${plain}&x=1`,
    `${plain}?x=1#y`,
    `${plain}?x=\\`,
    `${plain}?code=stolen`,
    `${plain}?%63ode=stolen`,
    `${plain}?x=1&state=forged`,
    `${plain}?access_token=stolen`,
    `${plain}?x=${"1".repeat(2000)}`,
  ])("is not answered at %j", (uri) => expect(redirectUriMatches(application, uri)).toBe(false));

  it("gets its extra query back, and must send the same address again for the token", async () => {
    const { clientId } = await host.application(application);
    const browser = await loggedIn(host, await host.user());
    const page = await browser.get(authorizePath(clientId, { redirect_uri: `${plain}?redirect_state=abc` }));
    expect((await decide(browser, page, "allow")).location).toMatch(
      /^https:\/\/app\.example\/cb\?redirect_state=abc&code=[\w-]+$/,
    );
  });
});

describe("a loopback address", () => {
  const application = {
    redirectUris: ["http://localhost:5000/cb", "http://[::1]/cb"],
    redirectMatch: "exact" as const,
  };

  it.each(["http://localhost:5000/cb", "http://localhost:61234/cb", "http://localhost/cb", "http://[::1]:80/cb"])(
    "matches with any port: %s",
    (uri) => expect(redirectUriMatches(application, uri)).toBe(true),
  );

  it.each([
    "http://127.0.0.1:5000/cb",
    "http://localhost:5000/other",
    "http://localhost:99999/cb",
    "http://localhost:/cb",
    "http://localhost:5000@evil.example/cb",
    "http://localhost.evil.example:5000/cb",
    "https://localhost:5000/cb",
  ])("does not match another host, path or scheme: %s", (uri) =>
    expect(redirectUriMatches(application, uri)).toBe(false),
  );
});

describe("registering a redirect URI", () => {
  it.each([
    "https://app.example/cb",
    "https://app.example",
    "https://app.example:8443/cb?x=1",
    "http://localhost:5000/cb",
    "http://127.0.0.1/cb",
    "http://[::1]:1/cb",
  ])("takes %s", (uri) => expect(() => checkRedirectUri(uri)).not.toThrow());

  it.each([
    ["javascript:alert(1)", "must be https"],
    ["data:text/html,x", "must be https"],
    ["myapp://cb", "must be https"],
    ["http://app.example/cb", "must be https"],
    ["http://localhost.evil.example/cb", "must be https"],
    ["http://localhost@evil.example/cb", "must be https"],
    ["https://app.example/cb#x", "fragment"],
    ["https://app.example/cb#", "fragment"],
    ["https://*.example/cb", "wildcard"],
    ["https://app.example/*", "wildcard"],
    ["https://user:pass@app.example/cb", "user name"],
    ["https://app.example\\cb", "percent-encoded"],
    ["https://app.example/a b", "percent-encoded"],
    ["https://äpp.example/cb", "percent-encoded"],
    ["https://APP.example/cb", "written as https://app.example/cb"],
    ["https://app.example:443/cb", "written as https://app.example/cb"],
    ["https://app.example/a/../cb", "written as https://app.example/cb"],
    ["https://app.example/cb?code=1", "the answer adds them"],
    ["app.example/cb", "must be"],
    ["", "full address"],
    [`https://app.example/${"a".repeat(2000)}`, "longer"],
  ])("refuses %j and says why", (uri, why) => expect(() => checkRedirectUri(uri)).toThrow(why));
});
