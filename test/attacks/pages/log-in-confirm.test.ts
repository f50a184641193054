import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../src/db/database.ts";
import { answers, answersToken, type Behaviour } from "../../support/fake-directory/behaviours.ts";
import { createHttpClient, type HttpClient, type Page } from "../../support/http-client.ts";
import { sessionOf, startWeb } from "../../web/web-app.ts";
import { runningApps } from "../running-apps.ts";

const plain = await startWeb();
// A directory that reports when the password was entered.
const telling = await startWeb();

beforeEach(() => {
  plain.directory.reset();
  telling.directory.reset();
  const metadata = { issuer: telling.directory.authUrl, prompt_values_supported: ["login"] };
  telling.directory.behave("/.well-known/*", answers(200, metadata));
});

const CONFIRM = { confirm: "1" };

/** Returns the time of the password confirmation of the newest session, or null. */
async function verifiedAt({ database }: { database: Database }): Promise<number | null> {
  const { rows } = await database.pool.query(
    "SELECT (data->>'verifiedAt')::float8 AS at FROM app.session WHERE ended_at IS NULL ORDER BY created_at DESC LIMIT 1",
  );
  return rows[0]?.at ?? null;
}

/** Makes the token response report the age of the password entry in seconds. */
const passwordGiven =
  (secondsAgo: number): Behaviour =>
  (call) => {
    const { access_token } = JSON.parse(call.usual().body);
    answers(200, { access_token, auth_time: Math.floor(Date.now() / 1000) - secondsAgo })(call);
  };

test("W09: a confirmation asks for the password, renews the session, and ends on the requested page", async () => {
  const browser = await plain.logIn();
  const [before, form] = [sessionOf(browser), await browser.get("/settings")];
  expect(await verifiedAt(plain)).toBeNull();
  const start = await browser.get("/login?confirm=1&next=/settings");
  expect(asked(start), "what always asks, for the directory may not know the rest").toEqual([
    "/oauth2/authorize",
    "login",
    "0",
  ]);
  const back = (await fetch(start.location, { redirect: "manual" })).headers.get("location") ?? "";
  const reply = await browser.get(back);
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/settings"]);
  expect(sessionOf(browser)).not.toBe(before);
  expect(await verifiedAt(plain)).toBeGreaterThan(Date.now() - 5000);
  expect((await browser.submit(form, "/settings/disconnect")).status, "open forms go on").toBe(303);
});

test("W09: a directory that supports a forced log-in needs no other question", async () => {
  const start = await (await telling.logIn()).get("/login?confirm=1&next=/settings");
  expect(asked(start)).toEqual(["/oauth2/authenticate", "login", "0"]);
});

function asked({ location }: Page) {
  const { pathname, searchParams } = new URL(location);
  return [pathname, searchParams.get("prompt"), searchParams.get("max_age")];
}

test("W09: an ordinary log-in confirms nothing, and a guest is sent to the log-in", async () => {
  const browser = plain.newBrowser();
  const callback = await plain.beginLogin(browser, "/settings", CONFIRM);
  expect(plain.directory.requests.at(-1)?.path).toBe("/oauth2/authenticate");
  expect((await browser.get(callback)).headers.get("location")).toBe("/settings");
  expect(await verifiedAt(plain)).toBeNull();
});

async function expectUnchanged(browser: HttpClient, session: string | undefined, name: string) {
  expect(sessionOf(browser)).toBe(session);
  expect((await browser.get("/")).body).toContain(`Hello, ${name}`);
  expect(await verifiedAt(plain)).toBeNull();
}

test("W09: a different account confirms nothing and creates no account", async () => {
  plain.directory.signIn("Amy");
  const browser = await plain.logIn();
  const [session, rows] = [sessionOf(browser), await plain.rows()];
  plain.directory.signIn("Bob");
  const page = await browser.get(await plain.beginLogin(browser, "/settings", CONFIRM));
  expect([page.status, page.body.includes("That was another account")]).toEqual([403, true]);
  expect(page.body).toContain('href="/login?next=%2Fsettings&amp;confirm=1"');
  await expectUnchanged(browser, session, "Amy");
  expect(await plain.rows()).toEqual(rows);
});

test("W09: a confirmation counts only for the user who began it, even if another is logged in at its end", async () => {
  plain.directory.signIn("Cid");
  const browser = await plain.logIn();
  const callback = await plain.beginLogin(browser, "/settings", CONFIRM);
  plain.directory.signIn("Dan");
  await plain.logIn(browser);
  const session = sessionOf(browser);
  expect((await browser.get(callback)).status).toBe(403);
  await expectUnchanged(browser, session, "Dan");
});

test("a refusal or a failing directory leaves the user logged in, with a link back", async () => {
  plain.directory.signIn("Eve");
  const browser = await plain.logIn();
  const session = sessionOf(browser);
  for (const more of [CONFIRM, {}]) {
    const no = new URL(await plain.beginLogin(browser, "/checkins", more));
    no.searchParams.delete("code");
    no.searchParams.set("error", "access_denied");
    const page = await browser.get(no.href);
    expect(page.body).toContain("You are still logged in here as before");
    expect(page.body).toContain('href="/checkins">Go back');
  }
  plain.directory.behave("/oauth2/access_token", answersToken(""));
  expect((await browser.get(await plain.beginLogin(browser, "/", CONFIRM))).status).toBe(502);
  await expectUnchanged(browser, session, "Eve");
});

const PASSWORDS: [when: string, behaviour: Behaviour | undefined, status: number, secondsAgo?: number][] = [
  ["just now", passwordGiven(0), 303, 0],
  ["50 seconds ago by its clock, which may be behind", passwordGiven(50), 303, 50],
  ["in a minute by its clock, which is ahead", passwordGiven(-60), 303, 0],
  ["two minutes ago, before it was asked for", passwordGiven(120), 403],
  ["never, as far as it says", undefined, 403],
  ["at no time at all", (call) => answers(200, { ...JSON.parse(call.usual().body), auth_time: "now" })(call), 403],
];
test.each(PASSWORDS)(
  "W09: a confirmation depends on whether the directory says the password was given %s",
  async (_when, behaviour, status, secondsAgo = 0) => {
    const browser = await telling.logIn();
    if (behaviour) telling.directory.behave("/oauth2/access_token", behaviour);
    const page = await browser.get(await telling.beginLogin(browser, "/settings", CONFIRM));
    expect(page.status).toBe(status);
    const at = await verifiedAt(telling);
    if (status === 303) return expect(Math.abs(Date.now() - secondsAgo * 1000 - (at ?? 0))).toBeLessThan(5000);
    expect(page.body).toContain("The directory did not ask for your password again");
    return expect(at).toBeNull();
  },
);

test("W09: our own directory asks a logged-in user for the password, and returns the time it was given", async () => {
  const apps = await runningApps({ instances: 1 });
  const [browser, at] = [apps.newBrowser(), createHttpClient(apps.authUrl)];
  await apps.logIn(browser, { at });
  const again = await browser.get("/login?next=/settings");
  const straightOn = await apps.throughDirectory(at, again.location, { handle: "", password: "" });
  expect((await browser.get(straightOn)).location, "without confirm=1 nobody is asked").toBe(`${apps.url}/settings`);
  expect(await verifiedAt(apps)).toBeNull();

  const start = await browser.get("/login?next=/settings&confirm=1");
  expect((await at.follow(await at.get(start.location))).body).toContain('type="password"');
  const callback = await apps.throughDirectory(at, start.location);
  expect((await browser.get(callback)).location).toBe(`${apps.url}/settings`);
  expect(await verifiedAt(apps)).toBeGreaterThan(Date.now() - 5000);
});
