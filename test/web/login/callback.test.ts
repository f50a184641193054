import { beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "../../../src/http/logger.ts";
import { buildWeb } from "../../../src/web/app.ts";
import { createWeb } from "../../../src/web/create-web.ts";
import { startFakeDirectory } from "../../support/fake-directory/fake-directory.ts";
import { sessionOf, startWeb } from "../web-app.ts";

const web = await startWeb();
const { newBrowser, beginLogin, exchanges } = web;
await web.logIn(); // from then on it is known that the directory returns the state

beforeEach(() => web.directory.reset());

function changed(callback: string, change: (query: URLSearchParams) => void): string {
  const url = new URL(callback);
  change(url.searchParams);
  return url.href;
}

describe("the callback refuses, without asking the directory,", () => {
  test("A01: a code and state of no log-in started here", async () => {
    const browser = newBrowser();
    const page = await browser.get("/login/callback?code=attackers&state=attackers");
    expect([page.status, sessionOf(browser), exchanges()]).toEqual([400, undefined, 0]);
    expect(page.body).toContain("Start again");
  });

  const SPOILT: Record<string, (query: URLSearchParams) => void> = {
    "no state": (query) => query.delete("state"),
    "an empty state": (query) => query.set("state", ""),
    "a state with one character changed": (query) => {
      const state = query.get("state") ?? "";
      query.set("state", (state.startsWith("A") ? "B" : "A") + state.slice(1));
    },
    "two states, one of them right": (query) => query.append("state", "b"),
    "the right state twice": (query) => query.append("state", query.get("state") ?? ""),
    "two codes": (query) => query.append("code", "b"),
    "no code": (query) => query.delete("code"),
    "an empty code": (query) => query.set("code", ""),
    "a huge code": (query) => query.set("code", "x".repeat(5000)),
  };
  for (const [what, spoil] of Object.entries(SPOILT)) {
    test(`A02: ${what}; the log-in can still be finished`, async () => {
      const browser = newBrowser();
      const callback = await beginLogin(browser);
      const page = await browser.get(changed(callback, spoil));
      expect([page.status, sessionOf(browser), exchanges()]).toEqual([400, undefined, 0]);
      expect((await browser.get(callback)).status).toBe(303);
    });
  }

  test("A03: a log-in started in another browser, which can still finish it", async () => {
    const [mine, theirs] = [newBrowser(), newBrowser()];
    const callback = await beginLogin(mine);
    await beginLogin(theirs);
    const page = await theirs.get(callback);
    expect([page.status, sessionOf(theirs), exchanges()]).toEqual([400, undefined, 0]);
    expect((await mine.get(callback)).status).toBe(303);
  });

  test("A06: a log-in older than ten minutes", async () => {
    const browser = newBrowser();
    const callback = await beginLogin(browser);
    const { rows } = await web.database.pool.query(
      "SELECT max(extract(epoch FROM expires_at - now()))::int AS seconds FROM app.login_attempt",
    );
    expect(rows[0].seconds).toBeGreaterThan(590);
    expect(rows[0].seconds).toBeLessThanOrEqual(600);
    await web.database.pool.query("UPDATE app.login_attempt SET expires_at = now() WHERE used_at IS NULL");
    const page = await browser.get(callback);
    expect([page.status, sessionOf(browser), exchanges()]).toEqual([400, undefined, 0]);
    expect(page.body).toContain("Start again");
  });

  test("A07: an access_denied, which uses up the log-in", async () => {
    const browser = newBrowser();
    const callback = await beginLogin(browser, "/checkins");
    const no = changed(callback, (query) => {
      query.delete("code");
      query.set("error", "access_denied");
      query.set("error_description", "<script>alert(1)</script>");
    });
    const page = await browser.get(no);
    expect([page.status, sessionOf(browser)]).toEqual([200, undefined]);
    expect(page.body).not.toContain("alert(1)");
    expect(page.body).toContain("/login?next=%2Fcheckins");
    expect((await browser.get(callback)).status).toBe(400);
    expect(exchanges()).toBe(0);
  });

  test("A07: an access_denied whose state is unknown", async () => {
    const page = await newBrowser().get("/login/callback?error=access_denied&state=unknown");
    expect([page.status, exchanges()]).toEqual([400, 0]);
  });

  test("A07: a code together with an error", async () => {
    const browser = newBrowser();
    const page = await browser.get(changed(await beginLogin(browser), (query) => query.set("error", "server_error")));
    expect([page.status, sessionOf(browser), exchanges()]).toEqual([502, undefined, 0]);
    const [line = ""] = web.logs.lines.filter((line) => line.includes("log-in failed"));
    expect(line.match(/"request":"/g), "the id of the request, once").toHaveLength(1);
  });

  test("A08: an answer with another directory as its issuer, or with two", async () => {
    const browser = newBrowser();
    const callback = await beginLogin(browser);
    const ours = web.directory.authUrl;
    for (const issuers of [["https://other.example"], [`${ours}/`], [""], [ours, ours]]) {
      const query = issuers.map((iss) => `&iss=${encodeURIComponent(iss)}`).join("");
      const page = await browser.get(callback + query);
      expect([page.status, sessionOf(browser), exchanges()]).toEqual([400, undefined, 0]);
    }
    expect((await browser.get(`${callback}&iss=${encodeURIComponent(ours)}`)).status).toBe(303);
  });

  test("A08: a log-in started at the previous directory, whose code the new one never sees", async () => {
    const browser = newBrowser();
    const callback = await beginLogin(browser);
    const other = await startFakeDirectory();
    const { config, database, logs } = web;
    const auth = { ...config.auth, url: other.authUrl };
    const api = { ...config.api, url: other.baseUrl };
    const log = createLogger({ level: "trace", destination: logs });
    const parts = createWeb({ config: { ...config, auth, api }, database, address: config.databaseUrl ?? "", log });
    const app = await buildWeb(parts, log);
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const { pathname, search, host } = new URL(callback);
    const withoutState = changed(callback, (query) => query.delete("state"));
    for (const url of [pathname + search, pathname + new URL(withoutState).search]) {
      const page = await app.inject({ url, headers: { cookie, host } });
      expect([page.statusCode, page.cookies]).toEqual([400, []]);
      expect(page.body).toContain("Start again");
    }
    const asked = other.requests.filter(({ path }) => !path.startsWith("/.well-known/"));
    expect([asked, exchanges()]).toEqual([[], 0]);
    await app.close();
    await parts.close();
    await other.close();
    expect((await browser.get(callback)).status, "after the settings are restored").toBe(303);
  });

  test("A24: HEAD requests and prefetches; the log-in can still be finished", async () => {
    const browser = newBrowser();
    const callback = await beginLogin(browser);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const head = await fetch(callback, { method: "HEAD", headers: { cookie }, redirect: "manual" });
    expect(head.status).toBe(405);
    for (const purpose of ["prefetch", "prefetch;prerender"]) {
      expect((await browser.get(callback, { "sec-purpose": purpose })).status).toBe(425);
    }
    expect(web.logs.text(), "no error is logged").not.toContain('"level":50');
    expect([sessionOf(browser), exchanges()]).toEqual([undefined, 0]);
    expect((await browser.get(callback)).status).toBe(303);
  });
});

test("A04: a repeated callback leads home and exchanges nothing, even if the cookie is replayed too", async () => {
  const browser = newBrowser();
  const callback = await beginLogin(browser, "/settings");
  const cookies = [...browser.cookies];
  await browser.get(callback);
  const session = sessionOf(browser);
  for (const [name, value] of [...cookies, ["samespot", session ?? ""] as const]) browser.cookies.set(name, value);
  const again = await browser.get(callback);
  expect([again.status, again.headers.get("location")]).toEqual([303, "/"]);
  expect([exchanges(), sessionOf(browser)]).toEqual([1, session]);
});

test("A05: of eight simultaneous callbacks exactly one exchanges the code, and its user is logged in", async () => {
  web.directory.signIn("Bea");
  const browser = newBrowser();
  const callback = await beginLogin(browser);
  const pages = await Promise.all(Array.from({ length: 8 }, () => browser.get(callback)));
  expect(pages.filter(({ status }) => status === 303).length).toBe(1);
  expect(exchanges()).toBe(1);
  expect((await browser.get("/checkins")).body).toContain("45 check-ins");
});
