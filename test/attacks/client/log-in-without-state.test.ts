import { beforeEach, describe, expect, test } from "vitest";
import { answers, answersError, type Behaviour, drops, hangs, usual } from "../../support/fake-directory/behaviours.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { sessionOf, startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const { newBrowser, beginLogin, exchanges } = web;
const { prisma, pool } = web.database;

// A directory without known behaviour, which does not return `state`.
beforeEach(async () => {
  web.directory.reset();
  web.directory.behave("/oauth2/authenticate", drops("state"));
  web.directory.behave("/.well-known/*", answersError(404, "endpoint_error"));
  await pool.query("DELETE FROM app.known_directory");
});

const learnt = async () => (await prisma.knownDirectory.findMany()).map(({ state }) => state);

/** Confirms the log-in; the directory is then known to drop the state. */
async function logInOnce(browser: HttpClient = newBrowser()): Promise<HttpClient> {
  const page = await browser.get(await beginLogin(browser));
  expect((await browser.submit(page, "/login/callback")).status).toBe(303);
  return browser;
}

describe("before the directory's handling of state is known", () => {
  test("A02: an answer without state asks the person to confirm the log-in first", async () => {
    const browser = newBrowser();
    const callback = await beginLogin(browser, "/checkins");
    expect(callback).not.toContain("state=");
    const page = await browser.get(callback);
    expect([page.status, exchanges(), await learnt()]).toEqual([400, 0, []]);
    expect(page.body).toContain("<h1>Finish logging in?</h1>");
    expect(page.body).toMatch(/<time datetime="[\dT:.-]+Z" title="[^"]+ UTC">just now<\/time>/);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy"), "sends no address with the code, but an Origin").toBe("strict-origin");
    expect((await browser.get("/settings")).location).toContain("/login?");

    const known = sessionOf(browser) ?? "";
    const reply = await browser.submit(page, "/login/callback");
    expect([reply.status, reply.headers.get("location"), exchanges()]).toEqual([303, "/checkins", 1]);
    expect(await learnt()).toEqual(["drops"]);
    const thief = newBrowser();
    thief.cookies.set("samespot", known);
    expect((await thief.get("/settings")).location, "A13: the session of the form is over").toContain("/login?");
  });

  test("A02: another site or browser cannot confirm the log-in, and a second confirmation is rejected", async () => {
    const [browser, other] = [newBrowser(), newBrowser()];
    const page = await browser.get(await beginLogin(browser));
    const code = /name="code" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const foreign = await browser.post("/login/callback", { code }, { origin: "https://evil.example" });
    const tokenless = await browser.post("/login/callback", { code });
    const elsewhere = await other.submit(await other.get(await beginLogin(other)), "/login/callback", { _csrf: "a-b" });
    expect([foreign.status, tokenless.status, elsewhere.status, exchanges()]).toEqual([403, 403, 403, 0]);
    expect((await browser.submit(page, "/login/callback")).status).toBe(303);
    expect((await browser.submit(page, "/login/callback")).status, "a form of the session before").toBe(403);
    expect(exchanges()).toBe(1);
  });

  test("a refused confirmation ends the log-in", async () => {
    const browser = newBrowser();
    await beginLogin(browser, "/checkins");
    const page = await browser.get("/login/callback?error=access_denied");
    expect([page.status, page.body.includes("You did not allow access")]).toEqual([200, true]);
    expect(page.body).toContain('href="/login?next=%2Fcheckins"');
    expect((await browser.get("/login/callback?code=any")).body).toContain("No log-in is waiting in this browser");
    expect([exchanges(), await learnt()]).toEqual([0, []]);
  });
});

describe("after one successful log-in without state", () => {
  test("the next answer without state logs in at once, and only once per started log-in", async () => {
    await logInOnce();
    web.directory.reset();
    web.directory.behave("/oauth2/authenticate", drops("state"));
    const browser = newBrowser();
    const callback = await beginLogin(browser, "/checkins");
    const replies = await Promise.all(Array.from({ length: 8 }, () => browser.get(callback)));
    expect(replies.filter(({ location }) => location.endsWith("/checkins")).length).toBe(1);
    expect(exchanges()).toBe(1);
    const again = await browser.get(callback);
    expect([again.status, again.headers.get("location"), exchanges()]).toEqual([303, "/", 1]);
  });

  test("A01: a stranger's code is rejected in a browser that began no log-in or began it elsewhere", async () => {
    await logInOnce();
    const before = exchanges();
    await beginLogin(newBrowser());
    const browser = newBrowser();
    const page = await browser.get(`/login/callback?code=${web.directory.issueCode(`${web.url}/login/callback`)}`);
    expect([page.status, sessionOf(browser), exchanges()]).toEqual([400, undefined, before]);
    expect(page.body, "A28: maybe for want of cookies").toContain("allow cookies for this site");
  });

  test("A06: an answer without state does not match a log-in older than ten minutes", async () => {
    await logInOnce();
    const browser = newBrowser();
    const callback = await beginLogin(browser);
    await pool.query("UPDATE app.login_attempt SET expires_at = now() WHERE used_at IS NULL");
    expect([(await browser.get(callback)).status, sessionOf(browser)]).toEqual([400, undefined]);
  });

  test("an answer without state matches neither of two pending log-ins, and a new start drops both", async () => {
    await logInOnce();
    const before = exchanges();
    const browser = newBrowser();
    const callbacks = [await beginLogin(browser, "/settings"), await beginLogin(browser, "/checkins")];
    const page = await browser.get(callbacks[0] ?? "");
    expect([page.status, sessionOf(browser), exchanges()]).toEqual([400, undefined, before]);
    expect(page.body).toContain("Start again: this ends the other log-ins.");
    const [, href = ""] = /href="([^"]+)">Start again/.exec(page.body) ?? [];
    const start = await browser.get(href.replaceAll("&amp;", "&"));
    const back = (await fetch(start.location, { redirect: "manual" })).headers.get("location") ?? "";
    expect((await browser.get(back)).headers.get("location")).toBe("/");
    expect(sessionOf(browser)).toBeDefined();
  });

  test("A02: a directory that returns the state once must return it from then on", async () => {
    await logInOnce();
    web.directory.behave("/oauth2/authenticate", usual);
    await web.logIn();
    expect(await learnt()).toEqual(["echoes"]);
    web.directory.behave("/oauth2/authenticate", drops("state"));
    const [browser, before] = [newBrowser(), exchanges()];
    const page = await browser.get(await beginLogin(browser));
    expect([page.status, sessionOf(browser), exchanges(), await learnt()]).toEqual([
      400,
      undefined,
      before,
      ["echoes"],
    ]);
  });
});

const NEVER: [what: string, metadata: (authUrl: string) => Behaviour][] = [
  ["says by its metadata that it gives the state back", (issuer) => answers(200, { issuer })],
  ["cannot be asked whether it has metadata", () => hangs()],
];
test.each(NEVER)(
  "A02: at a directory that %s an answer without state is rejected without a question",
  async (_what, metadata) => {
    const fresh = await startWeb({ deadlineMs: 1500 }); // longer than a log-in waits to know
    fresh.directory.behave("/.well-known/*", metadata(fresh.directory.authUrl));
    fresh.directory.behave("/oauth2/authenticate", drops("state"));
    const browser = fresh.newBrowser();
    const page = await browser.get(await fresh.beginLogin(browser));
    expect([page.status, sessionOf(browser), fresh.exchanges()]).toEqual([400, undefined, 0]);
    expect(page.body).toContain("We couldn’t finish logging you in");
  },
);
