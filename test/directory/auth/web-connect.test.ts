import { beforeAll, expect, it } from "vitest";
import { updateApplication } from "../../../src/directory/applications/applications.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, decide, exchange, loggedIn } from "./auth-host.ts";

const host = await authHost();
const FIRST = "https://app.example/first";
let browser: HttpClient;
let connected: { clientId: string; clientSecret: string };

beforeAll(async () => {
  browser = await loggedIn(host, await host.user());
  connected = await host.application({ redirectUris: [FIRST, CALLBACK], webConnect: true });
});

/** Logs in with this redirect_uri ("" for none), and returns the code and the address it was sent to. */
async function logInWith(redirect_uri: string): Promise<{ to: string; code: string }> {
  const page = await browser.get(authorizePath(connected.clientId, { redirect_uri, state: "s" }));
  const { location } = page.location ? page : await decide(browser, page, "allow");
  const { origin, pathname, searchParams } = new URL(location);
  expect(searchParams.get("state")).toBe("s");
  return { to: origin + pathname, code: searchParams.get("code") ?? "" };
}

it("web connect allows an exchange without redirect_uri only if the request had none (RFC 6749 section 4.1.3)", async () => {
  const without = await logInWith("");
  expect((await exchange(host, connected, without.code, { redirect_uri: CALLBACK })).body.error).toBe("invalid_grant");
  expect((await exchange(host, connected, without.code, { redirect_uri: "" })).status).toBe(200);
  const named = await logInWith(FIRST);
  expect((await exchange(host, connected, named.code, { redirect_uri: "" })).body.error).toBe("invalid_request");
  expect((await exchange(host, connected, named.code, { redirect_uri: FIRST })).status).toBe(200);
});

it("web connect reports a mistake or a denial to the first registered redirect URI", async () => {
  await logInWith(CALLBACK); // who knows the application is not asked before they are led to it
  const wrong = await browser.get(authorizePath(connected.clientId, { redirect_uri: "", response_type: "foo" }));
  expect(wrong.location).toMatch(/^https:\/\/app\.example\/first\?error=unsupported_response_type&/);
  const page = await browser.get(authorizePath(connected.clientId, { redirect_uri: "" }, "authorize"));
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example;");
  const denied = await decide(browser, page, "deny");
  expect(denied.location).toMatch(/^https:\/\/app\.example\/first\?error=access_denied&/);
});

it.each([
  ["continues after a change of the rate limit only", { rateLimit: 9 }, "?code="],
  ["ends after a change of the first redirect URI", { redirectUris: [CALLBACK, FIRST] }, ""],
  ["ends when web connect is turned off", { webConnect: false }, ""],
])("a web connect request after a change of its application during consent %s", async (_what, changes, answer) => {
  const { clientId } = await host.application({ redirectUris: [FIRST, CALLBACK], webConnect: true });
  const page = await browser.get(authorizePath(clientId, { redirect_uri: "" }));
  await updateApplication(host.deps, clientId, changes);
  const { status, location } = await decide(browser, page, "allow");
  expect([status, location]).toEqual(answer ? [303, expect.stringContaining(answer)] : [400, ""]);
});
