import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { atMost } from "../../../src/shared/at-most.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { roundsOf } from "../../support/rounds.ts";
import { sessionOf, startWeb } from "../web-app.ts";

const web = await startWeb();
const { newBrowser, beginLogin, logIn } = web;

beforeEach(() => web.directory.reset());

describe("a log-in", () => {
  test("A09: sends each of many browsers to the directory with its own state and S256 challenge", async () => {
    const seen = { state: new Set<string>(), code_challenge: new Set<string>() };
    await atMost(8, Array.from({ length: roundsOf(1000, 200) }), async () => {
      const url = new URL((await newBrowser().get("/login")).location);
      expect(url.origin + url.pathname).toBe(`${web.directory.authUrl}/oauth2/authenticate`);
      expect(url.searchParams.get("redirect_uri")).toBe(`${web.url}/login/callback`);
      expect(url.searchParams.get("code_challenge_method")).toBe("S256");
      for (const name of ["state", "code_challenge"] as const) {
        expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
        seen[name].add(url.searchParams.get(name) ?? "");
      }
    });
    for (const values of Object.values(seen)) {
      expect(values.size).toBe(roundsOf(1000, 200));
      // 42 places of 6 bits, each of which shows nearly all 64 characters.
      for (let place = 0; place < 42; place += 1)
        expect(new Set([...values].map((value) => value[place])).size).toBeGreaterThan(45);
    }
  });

  test("A23: ends at its `next` with a new session, and leaves no trace in address or cookies", async () => {
    const browser = newBrowser();
    const reply = await browser.get(await beginLogin(browser, "/checkins?page=2"));
    expect([reply.status, reply.headers.get("location"), reply.body]).toEqual([303, "/checkins?page=2", ""]);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
    expect([...browser.cookies.keys()]).toEqual(["samespot"]);
    expect((await browser.get("/checkins?page=2")).body).toContain("Corner Coffee");
  });

  test("A09: sends its code verifier only to the directory, once, at the exchange", async () => {
    const browser = newBrowser();
    const start = await browser.get("/login");
    const back = (await fetch(start.location, { redirect: "manual" })).headers.get("location") ?? "";
    const cookies = JSON.stringify([...browser.cookies]);
    const { rows } = await web.database.pool.query("SELECT attempt::text AS row FROM app.login_attempt attempt");
    await browser.get(back);
    const [exchange] = web.directory.requests.filter(({ path }) => path === "/oauth2/access_token");
    const verifier = exchange?.params.code_verifier ?? "";
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(verifier)));
    expect(digest.toString("base64url")).toBe(new URL(start.location).searchParams.get("code_challenge"));
    expect([exchange?.method, exchange?.headers.referer]).toEqual(["GET", undefined]);
    const places = { address: start.location + back, cookies, database: JSON.stringify(rows), log: web.logs.text() };
    expectNoSecrets(places, { verifier: [verifier] });
  });

  test("with switch=1 goes to the address that always prompts", async () => {
    const { location } = await newBrowser().get("/login?switch=1");
    expect(location).toContain(`${web.directory.authUrl}/oauth2/authorize?`);
    expect(new URL(location).searchParams.get("prompt")).toBeNull();
  });

  const DISPLAYS: [what: string, query: string, headers: Record<string, string>, display: string | null][] = [
    ["webpopup", "display=webpopup", {}, "webpopup"],
    ["touch", "display=touch", {}, "touch"],
    ["one that nobody knows", "display=%3Cscript%3E", {}, null],
    ["wap, which no browser of today is", "display=wap", {}, null],
    ["two", "display=touch&display=webpopup", {}, null],
    ["none, on a desk", "", { "sec-ch-ua-mobile": "?0", "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" }, null],
    ["none, on a phone", "", { "sec-ch-ua-mobile": "?1" }, "touch"],
    ["none, on a phone that says so in words", "", { "user-agent": "Mozilla/5.0 (iPhone) Mobile/15E148" }, "touch"],
    ["webpopup, on a phone", "display=webpopup", { "sec-ch-ua-mobile": "?1" }, "webpopup"],
  ];
  test.each(DISPLAYS)(
    "with display %s passes on a display that the directory knows",
    async (_what, query, headers, display) => {
      const { location } = await newBrowser().get(`/login?${query}`, headers);
      expect(new URL(location).searchParams.get("display")).toBe(display);
    },
  );

  test("A19: takes its redirect URI from the settings, whatever the headers say", async () => {
    const { location } = await newBrowser().get("/login", { "x-forwarded-host": "evil.example" });
    expect(new URL(location).searchParams.get("redirect_uri")).toBe(`${web.url}/login/callback`);
    const forwarded = await newBrowser().get("/login", { forwarded: "host=evil.example;proto=https" });
    expect(forwarded.location + forwarded.body).not.toContain("evil.example");
    const reply = await web.app.inject({ url: "/login", headers: { host: "evil.example" } });
    expect([reply.statusCode, reply.headers.location]).toEqual([421, undefined]);
    expect(reply.body).toContain("<h1>Another address</h1>");
    const back = new URL(await beginLogin(newBrowser()));
    const answer = await web.app.inject({ url: back.pathname + back.search, headers: { host: "evil.example" } });
    expect([answer.statusCode, answer.headers.location]).toEqual([421, undefined]);
  });
});

test("A12: of fifty log-ins started in one browser the last ten work, the others are refused, and its cookies stay small", async () => {
  const browser = newBrowser();
  const callbacks: string[] = [];
  for (let start = 0; start < 50; start += 1) {
    callbacks.push(await beginLogin(browser));
    expect([...browser.cookies].map((pair) => pair.join("=")).join("; ").length).toBeLessThan(1500);
  }
  expect(browser.cookies.size).toBe(10);
  const forgotten = await browser.get(callbacks[39] ?? "");
  expect([forgotten.status, forgotten.body.includes("Start again")]).toEqual([400, true]);
  for (const callback of callbacks.slice(40)) expect((await browser.get(callback)).status).toBe(303);
});

test("A13: a session id known before the log-in is invalid after it", async () => {
  const attacker = await logIn();
  const known = sessionOf(attacker) ?? "";
  const victim = newBrowser();
  victim.cookies.set("samespot", known);
  web.directory.signIn("Gus");
  await logIn(victim);
  expect([sessionOf(victim), (await victim.get("/")).body]).toEqual([
    expect.not.stringContaining(known),
    expect.stringContaining("Hello, Gus"),
  ]);
  expect((await attacker.get("/settings")).location).toContain("/login?next=%2Fsettings");
  const hash = createHash("sha256")
    .update(decodeURIComponent(known).split(".")[0] ?? "")
    .digest();
  const { rows } = await web.database.pool.query("SELECT ended_at, data FROM app.session WHERE id_hash = $1", [hash]);
  expect(rows).toEqual([{ ended_at: expect.any(Date), data: {} }]);
});

test("A25: a log-in over another person's session gets none of its data, and that person's open forms are refused", async () => {
  const browser = await logIn();
  const [before, form] = [sessionOf(browser), await browser.get("/settings")];
  await browser.get("/venues?ll=40.5,-70.5");
  web.directory.signIn("Gus");
  await logIn(browser);
  expect(sessionOf(browser)).not.toBe(before);
  expect((await browser.get("/")).body).toContain("Hello, Gus");
  expect((await browser.get("/venues")).body).not.toContain("40.5,-70.5");
  expect((await browser.submit(form, "/settings/disconnect")).status).toBe(403);
  expect((await browser.get("/checkins")).body, "still connected").toContain("45 check-ins");
});

test("a second log-in gets a new session, and keeps the open forms and the place of the old one", async () => {
  const browser = await logIn();
  const [before, form] = [sessionOf(browser), await browser.get("/settings")];
  await browser.get("/venues?ll=40.5,-70.5");
  await logIn(browser);
  expect(sessionOf(browser)).not.toBe(before);
  expect((await browser.get("/venues")).body).toContain("40.5,-70.5");
  expect((await browser.submit(form, "/settings/disconnect")).status).toBe(303);
});

test("a session records the browser that started it", async () => {
  const browser = newBrowser();
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  await browser.get(await beginLogin(browser), { "user-agent": firefox });
  const { rows } = await web.database.pool.query(
    "SELECT data->>'browser' AS browser FROM app.session ORDER BY created_at DESC LIMIT 1",
  );
  expect(rows).toEqual([{ browser: "Firefox on Linux" }]);
});

test("A28: a browser that refuses cookies is told so after two redirects, not sent in circles", async () => {
  const start = await newBrowser().get("/login?next=/checkins");
  const callback = (await fetch(start.location, { redirect: "manual" })).headers.get("location") ?? "";
  const page = await newBrowser().get(callback);
  expect([page.status, page.location, page.headers.get("refresh")]).toEqual([400, "", null]);
  expect(page.body).toContain("allow cookies for this site");
  expect(page.body).toContain("Start again");
});

test("at a directory without users/self, accounts are identified by their token", async () => {
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
