import { beforeEach, describe, expect, it } from "vitest";
import { snapshot } from "../../support/database/snapshot.ts";
import { formFields, type HttpClient } from "../../support/http-client.ts";
import { sessionOf } from "../../web/web-app.ts";
import { webWithRoutes } from "../web-with-routes.ts";

const { web, routes } = await webWithRoutes();
const { pool } = web.database;

/** All routes that are not read-only, including later ones. */
const WRITING = routes.filter((route) => !/^(GET|OPTIONS) /.test(route));

beforeEach(() => web.directory.reset());

/** Logs in an admin with a recent password confirmation, so that only the form token is left to check. */
async function admin(browser = web.newBrowser()): Promise<HttpClient> {
  await web.logIn(browser);
  await pool.query("UPDATE app.account SET role = 'admin'");
  await pool.query(
    "UPDATE app.session SET data = data || jsonb_build_object('verifiedAt', extract(epoch FROM now()) * 1000) WHERE account_id IS NOT NULL AND ended_at IS NULL",
  );
  return browser;
}

const tokenOf = async (browser: HttpClient): Promise<string> =>
  formFields(await browser.get("/settings"), "/logout")._csrf ?? "";

const FORM = "application/x-www-form-urlencoded";
const body = (_csrf: string) => new URLSearchParams({ _csrf }).toString();
const multipart = (token: string) => `--x\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${token}\r\n--x--\r\n`;

interface Tokens {
  own: string;
  /** From another session of the same person. */
  other: string;
  /** From this browser's session before the log-in. */
  before: string;
}

interface Sent {
  body?: string;
  query?: string;
  headers?: Record<string, string>;
}

const FORGED: [what: string, send: (tokens: Tokens) => Sent][] = [
  ["no token", () => ({ body: "" })],
  ["an empty token", () => ({ body: "_csrf=" })],
  ["a token made up", () => ({ body: body("abcdefgh-0123456789abcdefghijklmnopq") })],
  ["the token of another session", ({ other }) => ({ body: body(other) })],
  ["the token of the session before the log-in", ({ before }) => ({ body: body(before) })],
  ["the token in the query", ({ own }) => ({ body: "", query: `?${body(own)}` })],
  ["the token in a header", ({ own }) => ({ body: "", headers: { "x-csrf-token": own, "csrf-token": own } })],
  ["the token twice", ({ own }) => ({ body: `${body(own)}&${body(own)}` })],
  ["the token as an array", ({ own }) => ({ body: `${body(own).replace("_csrf", "_csrf[]")}&_csrf[0]=${own}` })],
  ["another origin", ({ own }) => ({ body: body(own), headers: { origin: "https://evil.example" } })],
  ["a neighbouring port's origin", ({ own }) => ({ body: body(own), headers: { origin: web.directory.authUrl } })],
  ["the origin null", ({ own }) => ({ body: body(own), headers: { origin: "null" } })],
  ["a cross-site fetch", ({ own }) => ({ body: body(own), headers: { "sec-fetch-site": "cross-site" } })],
  ["a same-site fetch", ({ own }) => ({ body: body(own), headers: { "sec-fetch-site": "same-site" } })],
  ["text/plain", ({ own }) => ({ body: body(own), headers: { "content-type": "text/plain" } })],
  ["JSON", ({ own }) => ({ body: JSON.stringify({ _csrf: own }), headers: { "content-type": "application/json" } })],
  [
    "multipart",
    ({ own }) => ({ body: multipart(own), headers: { "content-type": "multipart/form-data; boundary=x" } }),
  ],
];

const addressOf = (route: string) => (route.split(" ")[1] ?? "").replace(/:\w+/g, "0".repeat(64)).replace("*", "x");

function send(browser: HttpClient, route: string, sent: Sent) {
  return fetch(web.url + addressOf(route) + (sent.query ?? ""), {
    method: route.split(" ")[0] ?? "",
    redirect: "manual",
    headers: {
      cookie: `samespot=${sessionOf(browser)}`,
      origin: web.url,
      accept: "text/html",
      "content-type": FORM,
      ...sent.headers,
    },
    body: sent.body ?? "",
  });
}

// A multipart upload with its own token is no forgery, but lacks a file, or is for none that is there.
const UPLOADS: Record<string, number> = { "POST /harmonizations": 400, "POST /harmonizations/:id/bridge": 404 };

function answersTo(route: string, what: string): number[] {
  if (UPLOADS[route] && what === "multipart") return [UPLOADS[route]];
  return /plain|JSON|multipart/.test(what) ? [403, 415] : [403];
}

const rows = () => snapshot(pool, "app", ["session"]);
/** Returns calls of the directory that could have an effect. */
const effects = () =>
  web.directory.requests.filter(({ method, path }) => method !== "GET" || /add|annotate|access_token/.test(path));

const [forger, tokens] = await forgerWithTokens();
/** Of all tests: what one of them changes fails that one, and the rest. */
const untouched = await rows();

async function forgerWithTokens(): Promise<[HttpClient, Tokens]> {
  const browser = web.newBrowser();
  web.directory.signIn("Gus");
  const before = await tokenOf(await admin(browser));
  web.directory.signIn("Fay");
  await admin(browser);
  return [browser, { own: await tokenOf(browser), other: await tokenOf(await admin()), before }];
}

/** Every kind at the uploads, which read their form themselves, and at one other. One guard serves the rest: each meets three. */
function forgeriesAt(route: string): typeof FORGED {
  const at = WRITING.indexOf(route);
  if (UPLOADS[route] || route === "POST /settings/disconnect") return FORGED;
  const more = [1, 2].map((step) => FORGED[(2 * at + step) % FORGED.length] as (typeof FORGED)[number]);
  return [FORGED[0] as (typeof FORGED)[number], ...more];
}

describe.each(WRITING)("W01: %s", (route) => {
  it("W01: ignores forged forms", async () => {
    const session = sessionOf(forger);
    for (const [what, forge] of forgeriesAt(route)) {
      const { status } = await send(forger, route, forge(tokens));
      expect([what, status]).toEqual([what, expect.toBeOneOf(answersTo(route, what))]);
    }
    const guest = await send(web.newBrowser(), route, { body: body(tokens.own) });
    expect(guest.status).toBeOneOf([303, 403]); // a guest's log-out and add form lead home and to the log-in
    expect([await rows(), effects()]).toEqual([untouched, []]);
    expect([(await forger.get("/settings")).status, sessionOf(forger)]).toEqual([200, session]);
  });
});

it("W01: every route accepts a form with its own token, which proves that the token decides", async () => {
  let browser = await admin();
  for (const route of WRITING) {
    const isLoggedIn = (await browser.get("/settings")).status === 200; // one of the routes is the log-out
    if (!isLoggedIn) browser = await admin();
    const { status } = await send(browser, route, { body: body(await tokenOf(browser)) });
    expect([route, status]).toEqual([route, expect.not.toBeOneOf([403, 415])]);
  }
});

it("W01: the tested routes are those of the app, including all known to write", () => {
  for (const known of ["POST /logout", "POST /venues", "POST /settings/disconnect", "POST /settings/sessions/end"])
    expect(WRITING).toContain(known);
});

it("the log-out form of a session that another tab has ended leads to the home page", async () => {
  const browser = await web.logIn();
  const [one, other] = [await browser.get("/settings"), await browser.get("/checkins")];
  await browser.submit(one, "/logout");
  const reply = await browser.submit(other, "/logout");
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/"]);
  expect((await browser.post("/logout", {}, { origin: "https://evil.example" })).status).toBe(403);
});
