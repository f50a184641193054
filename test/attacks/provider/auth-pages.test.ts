import { beforeAll, describe, expect, it } from "vitest";
import { authorizePath, codeFor, loggedIn, rawRequest } from "../../directory/auth/auth-host.ts";
import type { HttpClient, Page } from "../../support/http-client.ts";
import { CALLBACK, runningDirectory, V } from "../running-directory.ts";

const directory = await runningDirectory();
const host = { ...directory, url: directory.auth };
let user: Awaited<ReturnType<typeof directory.user>>;
let browser: HttpClient;

beforeAll(async () => {
  user = await directory.user();
  browser = await loggedIn(host, user);
});

it("B23: no error page may be framed, whichever layer sends it", async () => {
  const { clientId } = await directory.application();
  const { auth } = directory;
  const from = (address: string) => rawRequest(auth + address, { headers: { accept: "text/html" } });
  const broken = async () => {
    const rename = (from: string, to: string) =>
      directory.database.pool.query(`ALTER TABLE directory.${from} RENAME TO ${to}`);
    await rename("authorization_request", "gone");
    const answer = await from(authorizePath(clientId));
    await rename("gone", "authorization_request");
    return answer;
  };
  const posted = async (path: string, body: string, type = "application/x-www-form-urlencoded") => {
    const reply = await fetch(auth + path, { method: "POST", headers: { "content-type": type }, body });
    return { status: reply.status, headers: Object.fromEntries(reply.headers) };
  };
  const answers: [status: number, answer: { status: number; headers: Record<string, unknown> }][] = [
    [400, await from("/login/%zz")],
    [400, await rawRequest(`${auth}/login`, { headers: { "x-forwarded-proto": "http" } })],
    [421, await rawRequest(`${auth}/login`, { headers: { host: "evil.example" } })],
    [404, await from("/nothing")],
    [404, await from("/assets/nothing.js")],
    [405, await from("/logout")],
    [405, await rawRequest(`${auth}/oauth2/authorize`, { method: "OPTIONS" })],
    [413, await posted("/login", "x".repeat(70_000))],
    [415, await posted("/oauth2/consent", "<x/>", "application/xml")],
    [400, await posted("/oauth2/access_token", "x=1")],
    [401, await posted("/oauth2/revoke", "x=1")],
    [403, await posted("/login", "handle=x")],
    [500, await broken()],
  ];
  for (const [expected, { status, headers }] of answers)
    expect([status, headers["content-security-policy"], headers["x-frame-options"]]).toEqual([
      expected,
      expect.stringContaining("frame-ancestors 'none'"),
      "DENY",
    ]);
  for (const path of ["/applications", "/applications/new", "/applications/nothing"]) {
    const { headers } = await browser.get(path);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
});

describe("B40: a script of another origin", () => {
  const ORIGINS = ["https://evil.example", "https://app.example", "null", directory.api, directory.auth];

  /** Returns the CORS headers for each kind of request. */
  async function rights(address: string, methods: string[]) {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
    const calls = ORIGINS.flatMap((origin) =>
      methods.map(async (method) => {
        const headers = { origin, cookie, ...(method === "OPTIONS" ? preflight : {}) };
        const reply = await fetch(address, { method, headers, redirect: "manual" });
        const found = ["origin", "credentials"].map((name) => reply.headers.get(`access-control-allow-${name}`));
        return JSON.stringify([...found, reply.status < 500]);
      }),
    );
    return [...new Set(await Promise.all(calls))].map((found) => JSON.parse(found));
  }

  it("B40: can read only the public endpoints of the auth host", async () => {
    const { clientId, clientSecret } = await directory.application();
    await codeFor(browser, clientId);
    const exchange = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code: "x" });
    const paths = [
      ...["authenticate", "authorize"].map((path) => authorizePath(clientId, {}, path)),
      ...[authorizePath("nobody"), authorizePath(clientId, { response_type: "foo" }), "/oauth2/consent", "/"],
      ...["/login", "/logout", "/settings", "/settings/disconnect", "/applications", `/applications/${clientId}`],
      ...[`/oauth2/access_token?${exchange}`, "/oauth2/access_token", "/oauth2/revoke", "/healthz", "/readyz"],
      ...["/nothing", "/login/%zz"],
    ];
    for (const path of paths)
      expect([path, await rights(directory.auth + path, ["GET", "POST", "OPTIONS"])]).toEqual([
        path,
        [[null, null, true]],
      ]);
    const metadata = `${directory.auth}/.well-known/oauth-authorization-server`;
    expect(await rights(metadata, ["GET"])).toEqual([["*", null, true]]);
  });

  it("B40: can read the API without browser credentials, whatever the answer", async () => {
    const { clientId, clientSecret } = await directory.application();
    const token = await directory.token({ userId: user.id, clientId });
    const own = { v: V, client_id: clientId, client_secret: clientSecret, ll: "41.8,-71.4" };
    const paths = [
      ...[own, { v: V, oauth_token: "wrong" }, {}].map((fields) => `/v2/venues/search?${new URLSearchParams(fields)}`),
      ...[`/v2/users/self?v=${V}&oauth_token=${token}`, `/v2/venues/add?v=${V}`, "/v2/nothing", "/nothing", "/v2/%zz"],
    ];
    for (const path of paths)
      expect([path, await rights(directory.api + path, ["GET", "POST", "OPTIONS"])]).toEqual([
        path,
        [["*", null, true]],
      ]);
  });
});

describe("B41: a mistake in the request of an application", () => {
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const MISTAKES: [error: string, fields: Record<string, string>][] = [
    ["invalid_request", { response_type: "" }],
    ["unsupported_response_type", { response_type: "foo" }],
    ["unauthorized_client", { response_type: "token" }],
    ["invalid_request", { state: "\0" }],
    ["invalid_request", { code_challenge: challenge, code_challenge_method: "plain" }],
  ];

  /** Expects that nothing leads away from the page, except a link that the user may follow. */
  function staysHere({ status, location, headers, body }: Page, error: string): void {
    expect([status, location, headers.get("refresh")]).toEqual([400, "", null]);
    expect(body).not.toMatch(/http-equiv|data-hand-over="now"|autofocus|<script(?! type="module" src="\/assets\/)/);
    expect(body).toMatch(new RegExp(`<a [^>]*href="${CALLBACK}[?#]error=${error}&amp;`));
    expect(body).toContain("Go back to the application");
    expect(body).toContain("https://app.example");
  }

  it("B41: shows a page before consent, and redirects to the application only while the consent lasts", async () => {
    const [{ clientId }, other] = [await directory.application(), await directory.application()];
    await directory.token({ userId: user.id, clientId: other.clientId });
    await directory.token({ userId: (await directory.user()).id, clientId });
    const asPage = { "sec-fetch-dest": "document" };
    const answers = (by: HttpClient) =>
      Promise.all(
        MISTAKES.flatMap(([error, fields]) =>
          ["authenticate", "authorize"].flatMap((path) =>
            ["", "touch", "webpopup"].map(async (display) => ({
              error,
              page: await by.get(authorizePath(clientId, { ...fields, display }, path), asPage),
            })),
          ),
        ),
      );
    for (const by of [directory.browser(), browser])
      for (const { page, error } of await answers(by)) staysHere(page, error);

    await codeFor(browser, clientId);
    for (const { page, error } of await answers(browser)) {
      const to =
        page.location || (/data-hand-over="now"/.test(page.body) ? CALLBACK + page.body.split(CALLBACK)[1] : "");
      expect(to).toMatch(new RegExp(`^${CALLBACK}[?#]error=${error}&`));
    }
    for (const { page, error } of await answers(directory.browser())) staysHere(page, error);
    await browser.submit(await browser.get("/settings"), "/settings/disconnect", { client_id: clientId });
    for (const { page, error } of await answers(browser)) staysHere(page, error);
  });
});
