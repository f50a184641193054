import { beforeAll, describe, expect, it } from "vitest";
import { consent, tokenOf } from "../../../../src/directory/tokens.ts";
import { formFields, type HttpClient, type Page } from "../../../support/http-client.ts";
import { authHost, authorizePath, decide, exchange, loggedIn, logIn } from "../auth-host.ts";

const host = await authHost({ signUp: true });
const { deps } = host;
const FRESH = { prompt: "login" };
type Person = Awaited<ReturnType<typeof host.user>>;

let user: Person;
let application: { clientId: string; clientSecret: string };
beforeAll(async () => {
  [user, application] = [await host.user(), await host.application({ tokenFlow: true })];
  await consent(deps, { userId: user.id, clientId: application.clientId });
});

const ask = (browser: HttpClient, more: Record<string, string> = FRESH, path?: string) =>
  browser.get(authorizePath(application.clientId, more, path));

const requestOn = (page: Page) => /name="request" value="(\w+)"/.exec(page.body)?.[1] ?? "";

/** Expects only the page that asks for the password. */
function expectLogin(page: Page, handle = user.handle) {
  expect([page.status, page.location]).toEqual([200, ""]);
  expect(page.body).toContain("<h1>Confirm it’s you</h1>");
  expect(page.body).toContain("asks for your password again, although you are logged in");
  expect(formFields(page, "/login")).toMatchObject({ handle, password: "" });
}

const codeIn = ({ location }: Page) => new URL(location).searchParams.get("code") ?? "";
const codes = () => deps.prisma.authorizationCode.count({ where: { clientId: application.clientId } });

describe("B20: an application that requests a fresh log-in", () => {
  it("makes even a logged-in user enter the password, and then proceeds as usual", async () => {
    const browser = await loggedIn(host, user);
    for (const path of ["authenticate", "authorize"]) {
      const page = await ask(browser, FRESH, path);
      expectLogin(page);
      expect((await logIn(browser, page, { ...user, password: "wrong" })).status).toBe(401);
      const next = await logIn(browser, page, user);
      if (path === "authenticate") expect(codeIn(next)).toMatch(/^[\w-]{43}$/);
      else expect(next.body).toContain(`Logged in as <b>${user.handle}</b>`);
    }
    expectLogin(await ask(host.browser()), "");
  });

  it("requests it by prompt=login, even among other values, or by max_age=0, and by nothing else", async () => {
    const browser = await loggedIn(host, user);
    const both = (more: Record<string, string>) =>
      Promise.all(["authenticate", "authorize"].map((path) => ask(browser, more, path)));
    const { prompt } = FRESH;
    for (const more of [{ max_age: "0" }, { prompt: "consent login" }, { prompt, max_age: "300" }])
      for (const page of await both(more)) expectLogin(page);
    for (const display of ["touch", "wap", "webpopup"])
      for (const page of await both({ ...FRESH, display })) expectLogin(page);

    const prompts = ["none", "consent", "select_account", "LOGIN", "loginx", ""].map((value) => ({ prompt: value }));
    const ages = ["1", "300", "-0", "00", "x", ""].map((max_age) => ({ max_age }));
    for (const more of [...prompts, ...ages]) {
      const [straight, asked] = await both(more);
      expect(straight?.location).toMatch(/\/callback\?code=/);
      expect(asked?.body).toContain("Logged in as");
    }
  });

  it("makes the user consent after the password when consent is missing", async () => {
    const newcomer = await host.user();
    const browser = await loggedIn(host, newcomer);
    const asked = await logIn(browser, await ask(browser), newcomer);
    expect(asked.body).toContain(`Logged in as <b>${newcomer.handle}</b>`);
    expect(codeIn(await decide(browser, asked, "allow"))).not.toBe("");
  });

  it("can be denied, and accepts another account with that account's password", async () => {
    const other = await host.user();
    const browser = await loggedIn(host, user);
    const denied = await decide(browser, await logIn(browser, await ask(browser, FRESH, "authorize"), user), "deny");
    expect(new URL(denied.location).searchParams.get("error")).toBe("access_denied");
    const asked = await logIn(browser, await ask(browser, FRESH, "authorize"), user);
    const login = await browser.follow(await browser.submit(asked, "/logout"));
    expectLogin(login, "");
    const allowed = await decide(browser, await logIn(browser, login, other), "allow");
    const { body } = await exchange(host, application, codeIn(allowed));
    const pair = { userId: other.id, clientId: application.clientId };
    expect(body.access_token).toBe(await tokenOf(deps, pair));
  });

  it("accepts the password of an account that was just created", async () => {
    const browser = host.browser();
    const page = await browser.get(`/sign-up?request=${requestOn(await ask(browser))}`);
    const typed = { handle: `fresh-${crypto.randomUUID().slice(0, 8)}`, firstName: "Fay", password: "long enough" };
    const asked = await browser.follow(await browser.submit(page, "/sign-up", typed));
    const answer = await exchange(host, application, codeIn(await decide(browser, asked, "allow")));
    expect(answer.body).toHaveProperty("auth_time");
  });
});

describe("B20: a request for a fresh log-in remains unanswered", () => {
  it("for an earlier session, by any form or address", async () => {
    const browser = await loggedIn(host, user);
    const before = await codes();
    const request = requestOn(await ask(browser));
    expectLogin(await browser.get(`/oauth2/consent?request=${request}`));
    const { _csrf = "" } = formFields(await ask(browser, {}, "authorize"), "/oauth2/consent");
    for (const decision of ["allow", "deny"]) {
      const sent = await browser.post("/oauth2/consent", { _csrf, request, decision, prompt: "", fresh_login: "" });
      expect([sent.status, sent.location]).toEqual([303, `${host.url}/oauth2/consent?request=${request}`]);
      expectLogin(await browser.follow(sent));
      const stale = await browser.post("/oauth2/consent", { _csrf: "old", request, decision });
      expect([stale.status, stale.body]).toEqual([403, expect.stringContaining("Confirm it’s you")]);
    }
    for (const path of [`/oauth2/consent?request=${request}`, authorizePath(application.clientId, FRESH)]) {
      const headers = { cookie: `samespot_directory=${browser.cookies.get("samespot_directory")}` };
      const head = await fetch(host.url + path, { method: "HEAD", headers, redirect: "manual" });
      expect([head.status, head.headers.get("location")]).toEqual([405, null]);
    }
    expect(await codes()).toBe(before);
    // The request is still waiting for the password.
    expect(codeIn(await logIn(browser, await browser.get(`/login?request=${request}`), user))).not.toBe("");
  });

  it("for a log-in with another purpose, such as the form of an older tab", async () => {
    const browser = host.browser();
    const [plain, older] = [await browser.get("/login"), await ask(browser)];
    const before = await codes();
    for (const tab of [plain, older]) {
      const request = requestOn(await ask(browser));
      await browser.submit(tab, "/login", {
        ...user,
        _csrf: formFields(await browser.get("/login"), "/login")._csrf ?? "",
      });
      expectLogin(await browser.get(`/oauth2/consent?request=${request}`));
      // A form of an ended session, sent again without the password.
      const again = await browser.submit(tab, "/login", { request, handle: user.handle, password: "guess" });
      expectLogin(await browser.follow(again));
    }
    expect(await codes()).toBe(before);
  });

  it("for a later log-in of another request, when a stranger prepared the request", async () => {
    const request = requestOn(await ask(host.browser()));
    const browser = await loggedIn(host, user);
    expectLogin(await browser.get(`/oauth2/consent?request=${request}`));
    const other = await ask(browser);
    expect(codeIn(await logIn(browser, other, user))).not.toBe("");
    expectLogin(await browser.get(`/oauth2/consent?request=${request}`));
  });

  it("for a second decision, which shows that the request is over", async () => {
    const browser = await loggedIn(host, user);
    const login = await ask(browser, FRESH, "authorize");
    const asked = await logIn(browser, login, user);
    expect(codeIn(await decide(browser, asked, "allow"))).not.toBe("");
    const again = [await decide(browser, asked, "allow"), await logIn(browser, await browser.get("/login"), user)];
    expect(again.map(({ location }) => location)).toEqual(["", ""]);
    const back = await logIn(browser, await browser.get(`/login?request=${requestOn(login)}`), user);
    expect([back.status, back.body]).toEqual([400, expect.stringContaining("This request is over")]);
  });

  it("after the session with the password was ended elsewhere", async () => {
    const browser = await loggedIn(host, user);
    const asked = await logIn(browser, await ask(browser, FRESH, "authorize"), user);
    const elsewhere = await loggedIn(host, user);
    await elsewhere.submit(await elsewhere.get("/settings"), "/settings/sessions/end");
    expect((await decide(browser, asked, "allow")).location).toBe("");
  });
});
