import { expect, it } from "vitest";
import { consent, findToken, tokenOf } from "../../../../src/directory/tokens.ts";
import { changePassword, checkPassword, setDisabled, setPassword } from "../../../../src/directory/users.ts";
import { createHttpClient, formFields, type HttpClient } from "../../../support/http-client.ts";
import { authHost, authorizePath, loggedIn } from "../auth-host.ts";

const host = await authHost({ signUp: true, hasTwin: true });
const { deps } = host;
const NEXT = "a new password 1";

/** Creates a user and a logged-in browser. */
async function person() {
  const user = await host.user();
  return { user, browser: await loggedIn(host, user) };
}

const change = async (browser: HttpClient, currentPassword: string, newPassword: string) =>
  browser.submit(await browser.get("/settings"), "/settings/password", { currentPassword, newPassword });

const isLoggedIn = async (browser: HttpClient) => (await browser.get("/settings")).status === 200;

it("B30: a password form is always answered by 303, never by a redirect that repeats the form", async () => {
  const user = await host.user();
  const { clientId } = await host.application();
  for (const start of ["/login", authorizePath(clientId)]) {
    const browser = host.browser();
    const login = await browser.get(start);
    expect((await browser.submit(login, "/login", user)).status).toBe(303);
    const sentAgain = await browser.submit(login, "/login", user);
    expect(sentAgain.status).toBe(303);
    if (start !== "/login") continue;
    expect((await change(browser, user.password, NEXT)).status).toBe(303);
    user.password = NEXT;
    await loggedIn(host, user);
    const [settings, ending] = [await browser.get("/settings"), { session: "others", currentPassword: NEXT }];
    expect((await browser.submit(settings, "/settings/sessions", ending)).status).toBe(303);
  }
  const newcomer = host.browser();
  const fields = { handle: `b30-${crypto.randomUUID().slice(0, 8)}`, firstName: "Bea", password: "long enough" };
  expect((await newcomer.submit(await newcomer.get("/sign-up"), "/sign-up", fields)).status).toBe(303);
});

it("a password change requires the current password, and ends the user's other sessions", async () => {
  const { user, browser } = await person();
  const other = await loggedIn(host, user);
  const bystander = await person();
  const before = browser.cookies.get("samespot_directory") ?? "";

  const answer = await change(browser, user.password, NEXT);
  expect([answer.status, answer.location]).toEqual([303, `${host.url}/settings`]);
  const after = await browser.follow(answer);
  expect(after.body).toContain("Your password has been changed, and your other sessions have been ended.");
  expect((await browser.get("/settings")).body).not.toContain("has been changed");

  expect(await isLoggedIn(other)).toBe(false);
  expect(await isLoggedIn(bystander.browser)).toBe(true);
  const old = createHttpClient(host.twin);
  old.cookies.set("samespot_directory", before);
  expect(await isLoggedIn(old)).toBe(false);
  expect(await checkPassword(deps, user.handle, user.password)).toBeUndefined();
  expect((await checkPassword(deps, user.handle, NEXT))?.id).toBe(user.id);
});

it("a rejected password change shows each mistake beside its field, no password, and ends no session", async () => {
  const { user, browser } = await person();
  const other = await loggedIn(host, user);
  const mistakes: [string, string, string][] = [
    ["", NEXT, "Enter your current password"],
    ["canary-wrong-one", NEXT, "This is not your current password"],
    [user.password, "short-7", "Password needs at least 8 characters"],
    [user.password, "x".repeat(201), "Password may have at most 200 characters"],
  ];
  for (const [current, next, message] of mistakes) {
    const { status, body } = await change(browser, current, next);
    expect([status, body]).toEqual([400, expect.stringContaining(message)]);
    for (const typed of [current, next]) if (typed) expect(body).not.toContain(typed);
  }
  expect(await isLoggedIn(other)).toBe(true);
  expect((await checkPassword(deps, user.handle, user.password))?.id).toBe(user.id);
});

it("guesses of the current password are limited across instances", async () => {
  const { user, browser } = await person();
  const elsewhere = createHttpClient(host.twin);
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  const statuses = new Set<number>();
  for (let guess = 0; guess < 10; guess += 1)
    statuses.add((await change(guess % 2 ? browser : elsewhere, "wrong", NEXT)).status);
  expect([...statuses]).toEqual([400]);
  const refused = await change(browser, user.password, NEXT);
  expect([refused.status, refused.body]).toEqual([429, expect.stringContaining("Try again in")]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
});

it("one of two concurrent password changes succeeds", async () => {
  const user = await host.user();
  const changes = ["first new one", "second new one"].map((next) =>
    changePassword(deps, user.id, { current: user.password, next }),
  );
  expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1);
});

it("a password form of another session or of a guest has no effect", async () => {
  const { user, browser } = await person();
  const stranger = await person();
  const { _csrf = "" } = formFields(await stranger.browser.get("/settings"), "/settings/password");
  const fields = { currentPassword: user.password, newPassword: NEXT };
  for (const path of ["/settings/password", "/settings/sessions/end"]) {
    for (const token of ["", _csrf]) expect((await browser.post(path, { ...fields, _csrf: token })).status).toBe(403);
    const foreign = await browser.post(path, fields, { "sec-fetch-site": "cross-site" });
    expect(foreign.status).toBe(403);
  }
  const guest = host.browser();
  const { _csrf: own = "" } = formFields(await guest.get("/login"), "/login");
  expect((await guest.post("/settings/password", { ...fields, _csrf: own })).location).toBe(`${host.url}/login`);
  expect((await checkPassword(deps, user.handle, user.password))?.id).toBe(user.id);
  expect(await isLoggedIn(browser)).toBe(true);
});

it("a log-out everywhere ends the sessions on every instance", async () => {
  const { user, browser } = await person();
  const [other, bystander] = [await loggedIn(host, user), await person()];
  const answer = await browser.submit(await browser.get("/settings"), "/settings/sessions/end");
  expect([answer.status, answer.location]).toEqual([303, `${host.url}/`]);
  for (const each of [browser, other]) expect(await isLoggedIn(each)).toBe(false);
  expect(await isLoggedIn(bystander.browser)).toBe(true);
});

it("an operator sets a password and disables a user, whose sessions end and tokens are refused meanwhile", async () => {
  const { user, browser } = await person();
  const pair = { userId: user.id, clientId: (await host.application()).clientId };
  await consent(deps, pair);
  const token = await tokenOf(deps, pair);

  await expect(setPassword(deps, user.id, "short")).rejects.toMatchObject({ status: 400, code: "param_error" });
  expect(await isLoggedIn(browser)).toBe(true);
  await setPassword(deps, user.id, NEXT);
  expect(await isLoggedIn(browser)).toBe(false);
  expect(await findToken(deps, token)).toMatchObject(pair);

  const again = await loggedIn(host, { ...user, password: NEXT });
  await setDisabled(deps, user.id, true);
  expect([await isLoggedIn(again), await findToken(deps, token)]).toEqual([false, undefined]);
  expect(await changePassword(deps, user.id, { current: NEXT, next: "another one" })).toBe(false);
  await setDisabled(deps, user.id, false);
  expect(await isLoggedIn(again)).toBe(false);
  expect(await findToken(deps, token)).toMatchObject(pair);
  expect((await checkPassword(deps, user.handle, NEXT))?.id).toBe(user.id);
});
