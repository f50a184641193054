import { beforeAll, expect, it } from "vitest";
import { consent } from "../../../src/directory/tokens.ts";
import type { HttpClient, Page } from "../../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, codeFor, decide, exchange, loggedIn, logIn } from "./auth-host.ts";

const host = await authHost();
const { deps } = host;
const FRESH = { prompt: "login" };
let user: Awaited<ReturnType<typeof host.user>>;
let application: { clientId: string; clientSecret: string };
beforeAll(async () => {
  [user, application] = [await host.user(), await host.application({ tokenFlow: true })];
  await consent(deps, { userId: user.id, clientId: application.clientId });
});

const ask = (browser: HttpClient, more: Record<string, string> = FRESH, path?: string) =>
  browser.get(authorizePath(application.clientId, more, path));
const codeIn = ({ location }: Page) => new URL(location).searchParams.get("code") ?? "";

it("B20: auth_time is the time of the password, in the answer for its own code only", async () => {
  const browser = await loggedIn(host, user);
  await deps.pool.query("UPDATE directory.session SET created_at = created_at - interval '1 hour'");
  const [login, started] = [await ask(browser, FRESH, "authorize"), Date.now()];
  const asked = await logIn(browser, login, user);
  const given = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 1100)); // the decision and the exchange come later
  const { body } = await exchange(host, application, codeIn(await decide(browser, asked, "allow")));
  expect(body).toEqual({ access_token: expect.any(String), auth_time: expect.any(Number) });
  const authTime = (body as { auth_time?: number }).auth_time ?? 0;
  expect(Number.isInteger(authTime)).toBe(true);
  expect(authTime).toBeGreaterThanOrEqual(Math.floor(started / 1000));
  expect(authTime).toBeLessThanOrEqual(Math.floor(given / 1000));

  const plain = await exchange(host, application, await codeFor(browser, application.clientId));
  expect(plain.body).toEqual({ access_token: body.access_token });
});

it("B20: auth_time is returned beside token_type in the answer to a POST", async () => {
  const browser = await loggedIn(host, user);
  const code = codeIn(await logIn(browser, await ask(browser), user));
  const fields = { grant_type: "authorization_code", redirect_uri: CALLBACK, code };
  const client = { client_id: application.clientId, client_secret: application.clientSecret };
  const body = new URLSearchParams({ ...fields, ...client });
  const reply = await fetch(`${host.url}/oauth2/access_token`, { method: "POST", body });
  expect(await reply.json()).toEqual({
    access_token: expect.any(String),
    token_type: "bearer",
    auth_time: expect.any(Number),
  });
});

it("B20: auth_time is absent from the fragment of the token flow, even after the password was entered", async () => {
  const browser = await loggedIn(host, user);
  const login = await ask(browser, { ...FRESH, response_type: "token", state: "s" });
  expect(login.body).toContain("Confirm it’s you");
  const { location } = await logIn(browser, login, user);
  expect(location).toMatch(/^https:\/\/app\.example\/callback#access_token=[\w-]{43}&state=s$/);
});
