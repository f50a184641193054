import { beforeEach, expect, test } from "vitest";
import { answers, answersError, hangs, rateLimits, usual } from "../../support/fake-directory/behaviours.ts";
import { sessionOf, startWeb } from "../web-app.ts";

const web = await startWeb({ deadlineMs: 500 });
const { prisma } = web.database;

beforeEach(() => web.directory.reset());

const found = await (await web.logIn()).get("/venues?query=coffee&ll=41.8,-71.4");
const [venuePage = ""] = /\/venues\/[0-9a-f]{24}/.exec(found.body) ?? [];
const PAGES = ["/", "/venues?query=coffee&ll=41.8,-71.4", "/venues/new", venuePage, "/checkins"];

test.each(PAGES)(
  "A27: a revoked token turns %s into 'Connect again', ends the session, and connecting restores the page",
  async (path) => {
    const browser = await web.logIn();
    web.directory.revoke();
    const page = await browser.get(path);
    expect([page.status, page.location]).toEqual([200, ""]);
    expect(page.body).toContain("<h1>Connect again</h1>");
    expect(page.body).toContain(`/login?next=${encodeURIComponent(path)}`);
    expect((await prisma.connection.findFirstOrThrow()).brokenAt).not.toBeNull();

    web.directory.reset();
    expect((await browser.get("/settings")).location).toMatch(/\/login\?next=/);
    expect(web.directory.requests, "a refused token is not sent again").toEqual([]);

    const reply = await browser.get(await web.beginLogin(browser, path));
    expect([reply.status, reply.headers.get("location")]).toEqual([303, path]);
    expect((await prisma.connection.findFirstOrThrow()).brokenAt).toBeNull();
    expect((await browser.get("/checkins")).body).toContain("45 check-ins");
  },
);

/** As public/*.js ask for them. */
const FETCHED = [
  "/map/12/1240/1520",
  "/venues/suggest?query=coffee",
  "/venues/new/look?name=Cafe&ll=41.8,-71.4",
  "/checkins",
];

test.each(FETCHED)(
  "A27: a script that asks for %s with a revoked token leaves 'Connect again' to the next page",
  async (path) => {
    const browser = await web.logIn();
    web.directory.revoke();
    const ask = () => browser.get(path, { "sec-fetch-dest": "empty" });
    await ask(); // finds it out, if it needs the directory
    await web.database.pool.query("UPDATE app.connection SET broken_at = now()");
    expect((await ask()).body).toContain("<h1>Connect again</h1>");
    expect((await browser.get("/checkins")).body).toContain("<h1>Connect again</h1>");
    expect((await browser.get("/checkins")).location, "the session is over").toContain("/login?next=");
  },
);

test("A27: a token refused while a form is sent leads back to the form with its input", async () => {
  const browser = await web.logIn();
  const form = await browser.get("/venues/new");
  web.directory.revoke();
  const page = await browser.submit(form, "/venues", { name: "Café Zoë", ll: "41.8,-71.4" });
  expect(page.body).toContain("<h1>Connect again</h1>");
  const next = new URLSearchParams(/\/login\?(next=[^"]+)/.exec(page.body)?.[1]).get("next") ?? "";
  expect(next).toMatch(/^\/venues\/new\?/);
  await web.logIn(browser);
  expect((await browser.get(next)).body).toContain('value="Café Zoë"');
});

test("the late refusal of an old token does not break a newer connection", async () => {
  const browser = await web.logIn();
  web.directory.behave("/v2/users/self/checkins", (call) => {
    setTimeout(() => answersError(401, "invalid_auth")(call), 300);
  });
  const late = browser.get("/checkins");
  await web.logIn(browser);
  await late;
  expect((await prisma.connection.findFirstOrThrow()).brokenAt).toBeNull();
});

const hourIsOver = answersError(403, "rate_limit_exceeded", { "retry-after": "720" });
const FAULTS = [
  ["is silent", hangs(), 503, "does not answer"],
  ["answers 500", answers(500, {}), 503, "does not answer"],
  ["answers nonsense", answers(200, {}), 502, "cannot be read"],
  ["asks to slow down", rateLimits("30"), 503, "slow down. Please try again in 30 seconds."],
  ["has no calls left", hourIsOver, 503, "slow down. Please try again in 12 minutes."],
  ["redirects", answers(302, "", { location: "http://127.0.0.1:1/" }), 502, "cannot be read"],
] as const;
test.each(FAULTS)(
  "while the directory %s, pages say so and keep the input",
  async (_what, behaviour, status, words) => {
    const browser = await web.logIn();
    const session = sessionOf(browser);
    web.directory.behave("/v2/*", behaviour);
    const search = await browser.get("/venues?query=espresso+bar&ll=41.8,-71.4");
    expect(search.status).toBe(status);
    expect(search.body).toContain(words);
    expect(search.body).toContain('value="espresso bar"');
    expect((await browser.get("/checkins")).body, "the copy").toMatch(/Last updated .*45 check-ins/s);
    expect((await browser.get("/")).status).toBe(status);
    const form = await browser.get("/venues/new?name=Espresso&ll=41.8,-71.4");
    expect(form.body).toContain('value="Espresso"');
    web.directory.behave("/v2/*", usual);
    expect((await browser.get("/checkins")).status).toBe(200);
    expect(sessionOf(browser)).toBe(session);
  },
);

test("Disconnect deletes the token and links to the directory's settings", async () => {
  const browser = await web.logIn();
  const settings = await browser.get("/settings");
  expect(settings.body).toContain(`${web.directory.authUrl}/settings`);
  const before = await prisma.connection.count();
  const reply = await browser.submit(settings, "/settings/disconnect");
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/settings"]);
  expect(await prisma.connection.count()).toBe(before - 1);
  expect((await browser.get("/checkins")).body).toContain("Connect again");
});
