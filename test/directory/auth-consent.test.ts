import { expect, it } from "vitest";
import { formFields } from "../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, codeFor, decide, loggedIn } from "./auth-host.ts";

const host = await authHost();

/** A consent page that waits, and the number of codes there are for its application. */
async function consentPage(more: Record<string, string> = {}, path?: string) {
  const user = await host.user();
  const { clientId } = await host.application();
  const browser = await loggedIn(host, user);
  const page = await browser.get(authorizePath(clientId, more, path));
  const codes = () => host.deps.prisma.authorizationCode.count({ where: { clientId } });
  return { browser, page, clientId, user, codes };
}

it("refuses a decision that carries no or another session's form token", async () => {
  const { browser, page, codes } = await consentPage();
  const stranger = await consentPage();
  const { _csrf: foreign = "" } = formFields(stranger.page, "/oauth2/consent");
  const { _csrf: own = "", request = "" } = formFields(page, "/oauth2/consent");
  for (const token of ["", foreign, `${own}x`]) {
    const answer = await browser.post("/oauth2/consent", { request, decision: "allow", _csrf: token });
    expect([answer.status, answer.location]).toEqual([403, ""]);
  }
  expect(await codes()).toBe(0);
});

it.each([
  [{ origin: "https://evil.example" }],
  [{ origin: "null" }],
  [{ "sec-fetch-site": "cross-site" }],
  [{ "sec-fetch-site": "same-site" }],
  [{ "content-type": "text/plain" }],
])("refuses a decision that comes with %j", async (headers) => {
  const { browser, page, codes } = await consentPage();
  const fields = { ...formFields(page, "/oauth2/consent"), decision: "allow" };
  const answer = await browser.post("/oauth2/consent", fields, headers);
  expect([403, 415]).toContain(answer.status);
  expect(answer.location).toBe("");
  expect(await codes()).toBe(0);
});

it.each([
  [{ client_id: "another" }],
  [{ redirect_uri: "https://evil.example/" }],
  [{ response_type: "token" }],
  [{ state: "other" }],
  [{ decision: "" }],
  [{ request: "0".repeat(24) }],
])("refuses a decision with altered fields: %j", async (altered) => {
  const { browser, page, codes } = await consentPage();
  const answer = await browser.submit(page, "/oauth2/consent", { decision: "allow", ...altered });
  expect([answer.status, answer.location]).toEqual([400, ""]);
  expect(await codes()).toBe(0);
  expect((await decide(browser, page, "allow")).location).toContain(CALLBACK);
});

it("makes one code of a decision sent sixteen times at once", async () => {
  const { browser, page, codes } = await consentPage();
  const answers = await Promise.all(Array.from({ length: 16 }, () => decide(browser, page, "allow")));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(15);
  expect(await codes()).toBe(1);
});

it("takes no decision after ten minutes", async () => {
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

it("takes no decision from a user who was disabled or has logged out meanwhile", async () => {
  const { browser, page, codes, user } = await consentPage();
  await host.deps.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
  expect((await decide(browser, page, "allow")).location).toMatch(/\/login\?request=/);
  const other = await consentPage();
  await other.browser.submit(other.page, "/logout");
  expect((await decide(other.browser, other.page, "allow")).status).toBe(403);
  expect([await codes(), await other.codes()]).toEqual([0, 0]);
});

it.each(["touch", "wap", "webpopup", "unknown"])(
  "shows log-in and consent with display=%s, never in a frame",
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

it("lets the consent form lead to the application's origin and to no other", async () => {
  const { page, clientId } = await consentPage();
  const login = await host.browser().get(authorizePath(clientId));
  for (const { headers } of [page, login])
    expect(headers.get("content-security-policy")).toContain("form-action 'self' https://app.example;");
  expect((await host.browser().get("/login")).headers.get("content-security-policy")).toContain("form-action 'self';");
});

it("shows an application's name as text, whatever it is", async () => {
  const { clientId } = await host.application({ name: "<script>alert(1)</script>" });
  const browser = await loggedIn(host, await host.user());
  const page = await browser.get(authorizePath(clientId));
  expect(page.body).toContain("&lt;script&gt;alert(1)");
  expect(page.body).not.toContain("<script>alert(1)");
  await codeFor(browser, clientId);
  expect((await browser.get("/settings")).body).not.toContain("<script>alert(1)");
});
