import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { randomToken } from "../../../src/shared/crypto.ts";
import { usual } from "../../support/fake-directory/behaviours.ts";
import { formFields, type Page } from "../../support/http-client.ts";
import { sessionOf, startWeb } from "../../web/web-app.ts";
import { cookieOf, ENDED, hashOf, idOf, NO, sessionRows, YES } from "../session-rows.ts";

const SECRET = randomToken();
const web = await startWeb({ instances: 2, env: { SESSION_SECRETS: SECRET } });
const { pool } = web.database;
const { isKnown, isAlive, rowOf, change } = sessionRows(web);

beforeEach(() => {
  web.directory.reset();
  web.sendTo();
});

it("A14: an invalid session cookie counts as no session and causes no error, on missing pages too", async () => {
  const [cookie, other] = [cookieOf(await web.logIn()), cookieOf(await web.logIn())];
  const [id, plain] = [idOf(cookie), decodeURIComponent(cookie)];
  const signedBy = (secret: string, text = id) =>
    encodeURIComponent(`${text}.${createHmac("sha256", secret).update(text).digest("base64").replace(/=+$/, "")}`);
  expect(decodeURIComponent(signedBy(SECRET)), "how a good one is made").toBe(plain);
  const values = [
    ...[id, `${id}.`, `${id}.x`, `.${plain.split(".")[1]}`, `${id.slice(1)}.${plain.split(".")[1]}`],
    ...[signedBy("x".repeat(32)), signedBy(""), signedBy(SECRET, "unknown"), cookie.slice(0, -1), cookie.slice(0, 20)],
    ...[`${cookie}x`, `x${cookie}`, hashOf(cookie).toString("base64url"), hashOf(cookie).toString("hex")],
    ...["", "%", "%E0%A4%A", "%00", "null", "{}", "x".repeat(8000), `${cookie}${"x".repeat(8000)}`],
  ].map((value) => `samespot=${value}`);
  const [good, another] = [`samespot=${cookie}`, `samespot=${other}`];
  const twice = [
    `${good}; ${another}`,
    `${another}; ${good}`,
    `${good}; samespot=x`,
    `samespot=x; a=b; ${good}`,
    `${good}; ${good}`,
  ];
  for (const cookies of [...values, ...twice]) {
    expect(await isKnown(cookies)).toEqual(NO);
    const missing = await fetch(`${web.url}/nothing`, { headers: { cookie: cookies } });
    expect([missing.status, (await missing.text()).includes("Log out")]).toEqual([404, false]);
  }
  expect(await Promise.all([good, another].map(isKnown))).toEqual([YES, YES]);
});

it("A15: a log-out requires a POST with the form token, ends the session on every instance, and clears the cookie", async () => {
  const attributes = ({ headers }: Page) =>
    headers
      .getSetCookie()
      .filter((line) => line.startsWith("samespot="))
      .map((line) =>
        line
          .replace(/; (Max-Age|Expires)=[^;]*/g, "")
          .split("; ")
          .slice(1)
          .sort(),
      );
  const browser = web.newBrowser();
  const login = await browser.get(await web.beginLogin(browser));
  const cookie = cookieOf(browser);
  const page = await browser.get("/settings");
  const { _csrf = "" } = formFields(page, "/logout");
  const foreign = formFields(await (await web.logIn()).get("/settings"), "/logout")._csrf ?? "";
  for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
    const reply = await fetch(`${web.url}/logout?_csrf=${_csrf}`, {
      method,
      headers: { cookie: `samespot=${cookie}` },
    });
    expect(reply.status).toBe(405);
  }
  for (const token of ["", foreign]) expect((await browser.post("/logout", { _csrf: token })).status).toBe(403);
  expect(await isAlive(cookie)).toEqual(YES);

  const out = await browser.submit(page, "/logout");
  expect([out.status, out.location, sessionOf(browser)]).toEqual([303, `${web.url}/?loggedout=1`, undefined]);
  expect(attributes(out)).toEqual(attributes(login));
  expect(attributes(out)).toEqual([["HttpOnly", "Path=/", "SameSite=Lax"]]);
  expect([await isAlive(cookie), await rowOf(cookie)]).toEqual([NO, ENDED]);
});

it("A16: a session that ends during its own requests stays ended on both instances, for reads and writes", async () => {
  const browser = await web.logIn();
  const cookie = cookieOf(browser);
  const settings = await browser.get("/settings");
  const form = await browser.get("/venues/new");
  web.directory.reset();
  web.directory.behave("/v2/*", (call) => void setTimeout(() => usual(call), 2000));
  web.sendTo(0);
  const venue = { name: "Quiet Museum", ll: "41.8,-71.4", primaryCategoryId: "fa4e000000000000000000c1" };
  const inFlight = [
    browser.get("/checkins"),
    browser.get("/venues?query=museum&ll=12.5,13.5"), // remembers the place in the session
    browser.submit(form, "/venues", venue), // remembers what was added there
  ];
  while (web.directory.requests.length < 3) await sleep(10);
  web.sendTo(1);
  expect((await browser.submit(settings, "/logout")).status).toBe(303);
  const answers = await Promise.all(inFlight);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 303]);
  expect([await isAlive(cookie), await rowOf(cookie)]).toEqual([NO, ENDED]);
});

it("A16: a password confirmation still pending at log-out does not log the user in again", async () => {
  const live = () => web.database.prisma.appSession.count({ where: { accountId: { not: null }, endedAt: null } });
  const browser = await web.logIn();
  const [cookie, before] = [cookieOf(browser), await live()];
  const settings = await browser.get("/settings");
  const callback = await web.beginLogin(browser, "/settings", { confirm: "1" });
  const twin = web.newBrowser(); // the same browser, in which both are under way
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
  web.directory.reset();
  let goOn = () => {};
  web.directory.behave("/v2/users/self", (call) => {
    goOn = () => usual(call);
  });
  const confirming = twin.get(callback);
  while (!web.directory.requests.some(({ path }) => path === "/v2/users/self")) await sleep(10);
  expect((await browser.submit(settings, "/logout")).status).toBe(303);
  goOn();
  const page = await confirming;
  expect([page.status, page.body.includes("Your session has ended")]).toEqual([403, true]);
  expect([await isAlive(cookie), await isAlive(cookieOf(twin)), await rowOf(cookie)]).toEqual([NO, NO, ENDED]);
  expect(await live(), "nor is there a session that nobody has").toBe(before - 1);
});

it("A15: an answer that arrives after a log-in leaves the new cookie in place", async () => {
  const browser = await web.logIn();
  const old = web.newBrowser();
  for (const [name, value] of browser.cookies) old.cookies.set(name, value);
  const form = await old.get("/venues/new");
  web.directory.reset();
  web.directory.behave("/v2/*", (call) => void setTimeout(() => usual(call), 1000));
  const writing = old.get("/venues?query=museum&ll=12.5,13.5"); // remembers the place in the session
  while (web.directory.requests.length < 1) await sleep(10);
  web.directory.behave("/v2/*", usual);
  await browser.get(await web.beginLogin(browser, "/settings", { confirm: "1" }));
  const late = [
    await writing,
    await old.get("/settings"),
    await old.get("/nothing"),
    await old.submit(form, "/logout"),
  ];
  expect(late.map(({ status }) => status)).toEqual([200, 303, 404, 303]);
  expect(late.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  expect((await browser.get("/settings")).status).toBe(200);
});

describe("W22: a session", () => {
  it("W22: ends two weeks after its last use, and at most ninety days after its start, on both instances", async () => {
    const idle = cookieOf(await web.logIn());
    expect(await hasTwoWeeks(idle), "from the log-in on").toBe(true);
    await change(idle, "expires_at", "now() + interval '13 days'");
    expect(await isAlive(idle)).toEqual(YES);
    expect(await hasTwoWeeks(idle), "from its last use on").toBe(true);
    await change(idle, "expires_at", "now() - interval '1 second'");
    expect(await isAlive(idle)).toEqual(NO);

    const busy = cookieOf(await web.logIn());
    await change(busy, "created_at", "now() - interval '90 days' + interval '2 seconds'");
    const begun = performance.now();
    const seen = [];
    while (performance.now() - begun < 3500) {
      await change(busy, "expires_at", "now() + interval '13 days'"); // each request finds its idle limit to be moved on
      seen.push([(performance.now() - begun) / 1000, (await isAlive(busy))[0]] as const);
      await sleep(50);
    }
    expect(seen.filter(([seconds]) => seconds < 1.5).every(([, alive]) => alive)).toBe(true);
    expect(seen.filter(([seconds]) => seconds > 2.1).some(([, alive]) => alive)).toBe(false);
    expect(seen.length).toBeGreaterThan(10);
  });

  it("W22: ends at once on both instances when its owner ends all sessions, while other users' sessions continue", async () => {
    web.directory.signIn("Gus");
    const gus = cookieOf(await web.logIn());
    web.directory.signIn("Ida");
    const [one, two] = [await web.logIn(), await web.logIn()];
    const cookies = [one, two].map(cookieOf);
    web.sendTo(0);
    const reply = await one.submit(await one.get("/settings"), "/settings/sessions/end");
    expect([reply.status, reply.location, sessionOf(one)]).toEqual([303, `${web.url}/?loggedout=1`, undefined]);
    expect(await Promise.all(cookies.map(rowOf))).toEqual([ENDED, ENDED]);
    for (const cookie of cookies) expect(await isAlive(cookie)).toEqual(NO);
    expect(await isAlive(gus)).toEqual(YES);
  });
});

async function hasTwoWeeks(cookie: string): Promise<boolean> {
  const { rows } = await pool.query(
    "SELECT expires_at BETWEEN now() + interval '13.9 days' AND now() + interval '14 days' AS yes FROM app.session WHERE id_hash = $1",
    [hashOf(cookie)],
  );
  return rows[0]?.yes;
}
