import { beforeEach, describe, expect, test } from "vitest";
import { answers } from "../support/behaviours.ts";
import { sessionOf, startWeb } from "./web-app.ts";

const web = await startWeb();
const { newBrowser, beginLogin, logIn } = web;

beforeEach(() => web.directory.reset());

describe("a log-in", () => {
  test("sends the browser to the directory with a fresh state and an S256 challenge each time (A09)", async () => {
    const browser = newBrowser();
    const seen = { state: new Set<string>(), code_challenge: new Set<string>() };
    for (let start = 0; start < 30; start += 1) {
      const url = new URL((await browser.get("/login")).location);
      expect(url.origin + url.pathname).toBe(`${web.directory.authUrl}/oauth2/authenticate`);
      expect(url.searchParams.get("redirect_uri")).toBe(`${web.url}/login/callback`);
      expect(url.searchParams.get("code_challenge_method")).toBe("S256");
      for (const name of ["state", "code_challenge"] as const) {
        expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
        seen[name].add((url.searchParams.get(name) ?? "").slice(0, 8));
      }
    }
    expect([seen.state.size, seen.code_challenge.size]).toEqual([30, 30]);
  });

  test("lands on its `next` under a new session, and leaves nothing of itself in address or cookies (A23)", async () => {
    const browser = newBrowser();
    const reply = await browser.get(await beginLogin(browser, "/checkins?page=2"));
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/checkins?page=2"]);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
    expect([...browser.cookies.keys()]).toEqual(["samespot"]);
    expect((await browser.get("/checkins?page=2")).body).toContain("Corner Coffee");
  });

  test("sends the directory the verifier that belongs to its challenge, once", async () => {
    const browser = newBrowser();
    const start = new URL((await browser.get("/login")).location);
    const back = (await fetch(start, { redirect: "manual" })).headers.get("location") ?? "";
    await browser.get(back);
    const [exchange] = web.directory.requests.filter(({ path }) => path === "/oauth2/access_token");
    const digest = await crypto.subtle.digest("SHA-256", Buffer.from(exchange?.params.code_verifier ?? ""));
    expect(Buffer.from(digest).toString("base64url")).toBe(start.searchParams.get("code_challenge"));
    expect([exchange?.method, exchange?.headers.referer]).toEqual(["GET", undefined]);
  });

  test("with switch=1 goes where the directory always asks", async () => {
    const { location } = await newBrowser().get("/login?switch=1");
    expect(location).toContain(`${web.directory.authUrl}/oauth2/authorize?`);
  });

  test("makes its redirect URI from the settings, whatever the headers say (A19)", async () => {
    const { location } = await newBrowser().get("/login", { "x-forwarded-host": "evil.example" });
    expect(new URL(location).searchParams.get("redirect_uri")).toBe(`${web.url}/login/callback`);
    const reply = await web.app.inject({ url: "/login", headers: { host: "evil.example" } });
    expect([reply.statusCode, reply.headers.location]).toEqual([421, undefined]);
    expect(reply.body).toContain("<h1>Another address</h1>");
  });

  test("of one new person in two browsers at once makes one account, whose token works (A30)", async () => {
    web.directory.signIn("Ida");
    const before = await web.rows();
    const browsers = [newBrowser(), newBrowser()];
    const callbacks = await Promise.all(browsers.map((browser) => beginLogin(browser)));
    const replies = await Promise.all(browsers.map((browser, index) => browser.get(callbacks[index] ?? "")));
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    expect(await web.rows()).toEqual({ accounts: before.accounts + 1, connections: before.connections + 1 });
    for (const browser of browsers) expect((await browser.get("/checkins")).body).toContain("45 check-ins");
  });
});

const ORDERS = ["01234", "43210", "24130", "31402", "40213", "12043"].map((order) => [...order].map(Number));
test.each(ORDERS)("five tabs that finish as %i%i%i%i%i each land on their own page (A11)", async (...order) => {
  const browser = newBrowser();
  const tabs = ["/", "/checkins", "/settings", "/venues?query=tea&ll=41.8,-71.4", "/venues/new"];
  const callbacks: string[] = [];
  for (const next of tabs) callbacks.push(await beginLogin(browser, next));
  for (const tab of order) {
    const reply = await browser.get(callbacks[tab] ?? "");
    expect([reply.status, reply.headers.get("location")]).toEqual([303, tabs[tab]]);
  }
});

test("fifty log-ins begun in one browser keep its cookies small, and the newest works (A12)", async () => {
  const browser = newBrowser();
  let callback = "";
  for (let start = 0; start < 50; start += 1) callback = await beginLogin(browser);
  expect([...browser.cookies].join("; ").length).toBeLessThan(2000);
  expect(browser.cookies.size).toBe(10);
  expect((await browser.get(callback)).status).toBe(303);
});

test("logging in makes a new session and ends the one before, also another user's (A13, A25)", async () => {
  const browser = await logIn();
  const before = sessionOf(browser) ?? "";
  const form = await browser.get("/settings");
  web.directory.signIn("Gus");
  await logIn(browser);
  expect(sessionOf(browser)).not.toBe(before);
  expect((await browser.get("/")).body).toContain("Hello, Gus");
  const old = newBrowser();
  old.cookies.set("samespot", before);
  expect((await old.get("/settings")).location).toContain("/login?next=%2Fsettings");
  expect((await browser.submit(form, "/settings/disconnect")).status).toBe(403);
});

test("a browser that refuses cookies is told so after two hops, and not sent round (A28)", async () => {
  const callback = await beginLogin(newBrowser());
  const page = await newBrowser().get(callback);
  expect([page.status, page.location]).toEqual([400, ""]);
  expect(page.body).toContain("allow cookies");
});

test("a directory without users/self knows its people by their token", async () => {
  web.directory.behave("/v2/users/self", answers(404, { meta: { code: 404 }, response: {} }));
  const before = await web.rows();
  await logIn();
  await logIn();
  expect(await web.rows()).toEqual({ accounts: before.accounts + 1, connections: before.connections + 1 });
  const { externalId } = await web.database.prisma.account.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  expect(externalId).toMatch(/^fp:[0-9a-f]{64}$/);
});

test("a disabled account is refused at its next request and at its next log-in (A17)", async () => {
  web.directory.signIn("Hal");
  const browser = await logIn();
  await web.database.prisma.account.updateMany({ where: { firstName: "Hal" }, data: { disabledAt: new Date() } });
  expect((await browser.get("/settings")).status).toBe(403);
  expect((await browser.get("/settings")).location).toContain("/login?next=");
  const page = await browser.get(await beginLogin(browser));
  expect([page.status, sessionOf(browser)]).toEqual([403, undefined]);
});
