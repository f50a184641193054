import { expect, it } from "vitest";
import { expectNoSecrets } from "../../../support/canaries.ts";
import { formFields } from "../../../support/http-client.ts";
import { authHost, authorizePath, codeFor, decide, exchange, loggedIn, rawRequest } from "../auth-host.ts";

const host = await authHost();
const sessionCookie = "samespot_directory";

it("a log-in answers a wrong password and an unknown handle identically, and fills in only the handle again", async () => {
  const { handle } = await host.user();
  const shown: string[] = [];
  for (const typed of [handle, "nobody"]) {
    const browser = host.browser();
    const page = await browser.get("/login");
    const answer = await browser.submit(page, "/login", { handle: typed, password: "canary-password" });
    expect(answer.status).toBe(401);
    expect(answer.body).toContain("Username or password is wrong");
    expect(answer.body).toContain(`value="${typed}"`);
    expect(answer.body).not.toContain("canary-password");
    shown.push(answer.body.replaceAll(typed, "").replace(/name="_csrf" value="[^"]*"/, ""));
  }
  expect(shown[0]).toBe(shown[1]);
});

it("a directory without sign-up says at the log-in who creates accounts", async () => {
  const { body } = await host.browser().get("/login");
  expect(body).toContain('The <a href="/">operator of this directory</a> creates accounts.');
  expect(body).not.toContain("/sign-up");
});

it("a log-in reports the missing fields of its form", async () => {
  const browser = host.browser();
  const page = await browser.get("/login");
  const noPassword = await browser.submit(page, "/login", { handle: "anna", password: "" });
  expect([noPassword.status, noPassword.body]).toEqual([400, expect.stringContaining("Enter your password")]);
  expect(noPassword.body).toContain('value="anna"');
  const nothing = await browser.post("/login", { _csrf: formFields(page, "/login")._csrf ?? "" });
  expect([nothing.status, nothing.body]).toEqual([400, expect.stringContaining("Enter your username")]);
});

it.each(["'; DROP TABLE x", "a\0b", "%", "x".repeat(5000), "Ünï"])(
  "a log-in answers the handle %j like an unknown one",
  async (handle) => {
    const browser = host.browser();
    const answer = await browser.submit(await browser.get("/login"), "/login", { handle, password: "password" });
    expect(answer.status).toBe(401);
  },
);

it("a log-in accepts the handle in any case, and redirects with 303", async () => {
  const user = await host.user();
  const browser = host.browser();
  const fields = { handle: ` ${user.handle.toUpperCase()} `, password: user.password };
  const answer = await browser.submit(await browser.get("/login"), "/login", fields);
  expect([answer.status, answer.location]).toEqual([303, `${host.url}/settings`]);
});

/** The header with which our proxy reports a browser's address. */
const from = (address: string) => ({ "x-forwarded-for": address, "x-forwarded-proto": "https" });

it("a log-in limits attempts of one password on many handles", async () => {
  const statuses = new Set<number>();
  const user = await host.user();
  const attempt = async (address: string, handle: string, password: string) => {
    const browser = host.browser();
    const form = formFields(await browser.get("/login"), "/login");
    return (await browser.post("/login", { ...form, handle, password }, from(address))).status;
  };
  for (let n = 0; n < 41; n++) statuses.add(await attempt("203.0.113.77", `nobody-${n}`, "password1"));
  expect([...statuses]).toEqual([401, 429]);
  expect(await attempt("203.0.113.78", user.handle, user.password)).toBe(303);
});

it("the settings show a user's own connections only, and can end no others", async () => {
  const application = await host.application({ name: "Only mine" });
  const mine = await loggedIn(host, await host.user());
  await exchange(host, application, await codeFor(mine, application.clientId));
  const other = await loggedIn(host, await host.user());
  const unrelated = await host.application();
  await exchange(host, unrelated, await codeFor(other, unrelated.clientId));
  const settings = await other.get("/settings");
  expect(settings.body).not.toContain("Only mine");
  await other.submit(settings, "/settings/disconnect", { client_id: application.clientId });
  expect((await mine.get("/settings")).body).toContain("Only mine");
  expect((await mine.get(authorizePath(application.clientId))).status).toBe(303);
});

it("the auth host logs no password, code, token, secret, session or state, even at trace", async () => {
  const user = await host.user();
  const application = await host.application();
  const browser = await loggedIn(host, user);
  const state = "canary-state-4711";
  const code = await codeFor(browser, application.clientId, { state });
  const token = (await exchange(host, application, code)).body.access_token ?? "";
  await exchange(host, application, code);
  await fetch(`${host.url}/nowhere?code=${code}&oauth_token=${token}&client_secret=${application.clientSecret}`);
  expectNoSecrets(
    { logs: host.logs.text() },
    {
      password: [user.password],
      code: [code],
      token: [token],
      secret: [application.clientSecret],
      session: [browser.cookies.get(sessionCookie) ?? ""],
      state: [state],
    },
  );
});

it("the auth host rejects other host names, and repeats none", async () => {
  for (const header of ["host", "x-forwarded-host"]) {
    const { status, body } = await rawRequest(`${host.url}/login`, { headers: { [header]: "evil.example" } });
    expect(status).toBe(421);
    expect(body).not.toContain("evil.example");
  }
});

/** Returns an open consent page, and a count of the codes for its application. */
async function consentPage(more: Record<string, string> = {}, path?: string) {
  const user = await host.user();
  const { clientId } = await host.application();
  const browser = await loggedIn(host, user);
  const page = await browser.get(authorizePath(clientId, more, path));
  const codes = () => host.deps.prisma.authorizationCode.count({ where: { clientId } });
  return { browser, page, clientId, user, codes };
}

it("a consent request accepts no decision after ten minutes", async () => {
  const { browser, page, codes, clientId } = await consentPage();
  await host.deps.pool.query(
    "UPDATE directory.authorization_request SET expires_at = expires_at - interval '10 minutes' WHERE client_id = $1",
    [clientId],
  );
  const answer = await decide(browser, page, "allow");
  expect(answer.status).toBe(400);
  expect(answer.body).toContain("start again");
  expect(await codes()).toBe(0);
});

it("a consent request accepts no decision from a user who was disabled or has logged out", async () => {
  const { browser, page, codes, user } = await consentPage();
  await host.deps.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
  const login = await browser.follow(await decide(browser, page, "allow"));
  expect([login.status, login.body]).toEqual([200, expect.stringContaining('action="/login"')]);
  const other = await consentPage();
  await other.browser.submit(other.page, "/logout");
  expect((await decide(other.browser, other.page, "allow")).status).toBe(403);
  expect([await codes(), await other.codes()]).toEqual([0, 0]);
});

it.each(["touch", "wap", "webpopup", "unknown"])(
  "log-in and consent pages work with display=%s, and are never framed",
  async (display) => {
    const { page, clientId, browser } = await consentPage({ display });
    const login = await host.browser().get(authorizePath(clientId, { display }));
    const broken = await browser.get(authorizePath("nobody", { display }));
    for (const { headers, body } of [page, login, broken]) {
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(body).not.toContain("unknown");
      expect(body.match(/<h1/g)).toHaveLength(1);
    }
    if (display === "wap") expect(page.body).not.toMatch(/<svg|<link|<script/);
  },
);
