import { expect, it } from "vitest";
import { publicIdOf } from "../../../../src/http/pages/sessions.ts";
import { sha256 } from "../../../../src/shared/crypto.ts";
import { createHttpClient, formFields, type HttpClient } from "../../../support/http-client.ts";
import { authHost, loggedIn } from "../auth-host.ts";

const host = await authHost({ hasTwin: true });
const { pool } = host.deps;
const PATH = "/settings/sessions";
const WRONG = "canary-wrong-one";

const cookieOf = (browser: HttpClient) => browser.cookies.get("samespot_directory") ?? "";
const idOf = (browser: HttpClient) => decodeURIComponent(cookieOf(browser)).split(".")[0] ?? "";
const hashOf = (browser: HttpClient) => Buffer.from(sha256(idOf(browser)));
const publicId = (browser: HttpClient) => publicIdOf(idOf(browser));
const change = (browser: HttpClient, column: string, to: string) =>
  pool.query(`UPDATE directory.session SET ${column} = ${to} WHERE id_hash = $1`, [hashOf(browser)]);

/** Creates a user and `count` logged-in browsers. */
async function person(count: number) {
  const user = await host.user();
  const browsers: HttpClient[] = [];
  for (let made = 0; made < count; made += 1) browsers.push(await loggedIn(host, user));
  return { user, browsers };
}

/** Uses the same cookies at the other instance. */
function atTwin(browser: HttpClient): HttpClient {
  const twin = createHttpClient(host.twin);
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
  return twin;
}

const end = async (browser: HttpClient, session: string, currentPassword: string) =>
  browser.submit(await browser.get("/settings"), PATH, { session, currentPassword });

/** Returns which of them are logged in, and expects both instances to agree. */
async function alive(...browsers: HttpClient[]): Promise<boolean[]> {
  return Promise.all(
    browsers.map(async (browser) => {
      const both = await Promise.all([browser, atTwin(browser)].map((each) => each.get("/settings")));
      expect(both[0]?.status).toBe(both[1]?.status);
      return both[0]?.status === 200;
    }),
  );
}

it("the session list shows browser and last use, the current session first, and no usable session id", async () => {
  const { user, browsers } = await person(2);
  const [here, there] = browsers as [HttpClient, HttpClient];
  await change(here, "data", "data - 'browser'");
  await change(there, "data", `data || '{"browser": "Firefox <b>on</b> Linux"}'`);
  await change(there, "expires_at", "now() + interval '24 hours' - interval '3 hours'");
  const { body } = await here.get("/settings");
  const shown = [...body.matchAll(/<b>([^<]*)<\/b>(.*)<br>\s*<span[^>]*>Logged in <time/g)];
  expect(shown.map(([, name, mark]) => [name, mark])).toEqual([
    ["Unknown browser", expect.stringContaining("this session")],
    ["Firefox &lt;b&gt;on&lt;/b&gt; Linux", ""],
  ]);
  expect(body).toMatch(/last used <time [^>]*>3 h ago</);
  expect(body).toContain(`value="${publicId(there)}"`);
  expect(body).not.toContain(publicId(here));
  for (const browser of browsers) {
    const hash = hashOf(browser);
    for (const secret of [idOf(browser), hash.toString("hex"), hash.toString("base64"), hash.toString("base64url")])
      expect(body).not.toContain(secret);
  }
  await end(here, "others", user.password);
  expect((await here.get("/settings")).body).toContain("You are not logged in anywhere else.");
});

it("B28: a user ends one or all other sessions with the password, and the current one continues under a new id", async () => {
  const { user, browsers } = await person(4);
  const [here, one, two, three] = browsers as [HttpClient, HttpClient, HttpClient, HttpClient];
  const [bystander] = (await person(1)).browsers as [HttpClient];
  const before = atTwin(here);
  const ended = publicId(one);

  expect((await end(here, ended, user.password)).location).toBe(`${host.url}/settings`);
  expect((await here.get("/settings")).body).toContain("The session has been ended.");
  expect(await alive(here, before, one, two, three)).toEqual([true, false, false, true, true]);
  await end(here, ended, user.password);
  expect((await here.get("/settings")).body).toContain("This session had already ended.");

  await end(here, "others", user.password);
  expect((await here.get("/settings")).body).toContain("All your other sessions have been ended.");
  expect((await here.get("/settings")).body).not.toContain("have been ended");
  expect(await alive(here, two, three, bystander)).toEqual([true, false, false, true]);
});

it("B28: a missing or wrong password ends no session, and the selection is kept", async () => {
  const { browsers } = await person(3);
  const [here, one, two] = browsers as [HttpClient, HttpClient, HttpClient];
  for (const session of [publicId(one), "others"])
    for (const [password, message] of [
      ["", "Enter your current password"],
      [WRONG, "This is not your current password"],
      ["x".repeat(50_000), "This is not your current password"],
    ] as const) {
      const { status, body } = await end(here, session, password);
      expect([status, body]).toEqual([400, expect.stringContaining(`value="${session}" checked`)]);
      expect(body).toMatch(new RegExp(`id="sessionPassword-error">.*${message}<`));
      if (password) expect(body).not.toContain(password);
    }
  expect(await alive(here, one, two)).toEqual([true, true, true]);
});

it("B28: a user cannot end another user's session, and an unknown session is reported", async () => {
  const [mine, theirs] = [await person(2), await person(1)];
  const [here] = mine.browsers as [HttpClient];
  const [other] = theirs.browsers as [HttpClient];
  for (const session of [publicId(other), hashOf(other).toString("hex"), "0".repeat(64)]) {
    expect((await end(here, session, mine.user.password)).status).toBe(303);
    expect((await here.get("/settings")).body).toContain("This session had already ended.");
  }
  for (const session of ["", "all", publicId(other).toUpperCase(), `${publicId(other)}0`, "\0", "🏠"]) {
    const { status, body } = await end(here, session, mine.user.password);
    expect([status, body]).toEqual([400, expect.stringContaining("Choose which sessions to end")]);
  }
  expect(await alive(...mine.browsers, ...theirs.browsers)).toEqual([true, true, true]);
});

it("B28: guesses of the password count together with the password change, on every instance", async () => {
  const { user, browsers } = await person(2);
  const [here, other] = browsers as [HttpClient, HttpClient];
  const twin = atTwin(here);
  for (let guess = 0; guess < 9; guess += 1)
    expect((await end(guess % 2 ? here : twin, "others", WRONG)).status).toBe(400);
  const passwords = { currentPassword: WRONG, newPassword: "a new password 1" };
  expect((await here.submit(await here.get("/settings"), "/settings/password", passwords)).status).toBe(400);
  const refused = await end(here, "others", user.password);
  expect([refused.status, refused.body]).toEqual([429, expect.stringContaining("Try again in")]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(await alive(here, other)).toEqual([true, true]);
});

it("B24: a session form from another session, another site or a guest ends nothing", async () => {
  const [mine, theirs] = [await person(2), await person(2)];
  const [here] = mine.browsers as [HttpClient];
  const [stranger] = theirs.browsers as [HttpClient];
  const { _csrf: foreign = "" } = formFields(await stranger.get("/settings"), PATH);
  const { _csrf: own = "" } = formFields(await here.get("/settings"), PATH);
  const fields = { session: "others", currentPassword: mine.user.password };
  for (const _csrf of ["", foreign]) expect((await here.post(PATH, { ...fields, _csrf })).status).toBe(403);
  const elsewhere = { origin: "https://evil.example" };
  expect((await here.post(PATH, { ...fields, _csrf: own }, elsewhere)).status).toBe(403);
  const guest = host.browser();
  const { _csrf = "" } = formFields(await guest.get("/login"), "/login");
  expect((await guest.post(PATH, { ...fields, _csrf })).location).toBe(`${host.url}/login`);
  expect(await alive(...mine.browsers)).toEqual([true, true]);
});
