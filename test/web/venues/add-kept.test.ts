import { beforeEach, expect, test } from "vitest";
import { formFields, type HttpClient, type Page } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();

beforeEach(() => web.directory.reset());

const TYPED = { name: "Café Zoë", ll: "41.83,-71.41", city: "Providence", description: "Zwei\r\nZeilen & mehr" };
const adds = () => web.directory.requests.filter(({ path }) => path === "/v2/venues/add");

/** The fields of the form on a page, including the text area. */
function shown(page: Page) {
  const [, description] = /<textarea[^>]*>([^<]*)</.exec(page.body) ?? [];
  return { ...formFields(page, "/venues"), description: description?.replaceAll("&amp;", "&") };
}

/** Logs in by the link or redirect that leads to `next`, and opens that. */
async function logInTo(browser: HttpClient, login: string): Promise<Page> {
  const next = new URL(login, web.url).searchParams.get("next") ?? "";
  const reply = await browser.get(await web.beginLogin(browser, next));
  return browser.follow(reply);
}

const ENDS: [how: string, end: (browser: HttpClient) => unknown][] = [
  ["the session has ended", () => web.database.pool.query("UPDATE app.session SET ended_at = now()")],
  ["the cookie is gone", (browser) => browser.cookies.clear()],
  ["of a log-out elsewhere", async (browser) => browser.submit(await browser.get("/settings"), "/logout")],
];
test.each(ENDS)("a form that is sent when %s is restored after the log-in", async (_how, end) => {
  const browser = await web.logIn();
  const form = await browser.get("/venues/new");
  await end(browser);
  const reply = await browser.submit(form, "/venues", TYPED);
  expect(reply.status).toBe(303);
  expect(reply.headers.get("location")).toMatch(/^\/login\?next=%2Fvenues%2Fnew/);
  const again = await logInTo(browser, reply.location);
  expect(shown(again)).toMatchObject({ ...TYPED, addKey: formFields(form, "/venues").addKey });
  expect(adds()).toEqual([]);
});

test("a form from before another person's log-in is shown again with its input, and can then be sent", async () => {
  const browser = await web.logIn();
  const form = await browser.get("/venues/new");
  web.directory.signIn("Zoe");
  await web.logIn(browser);
  web.directory.reset();
  const page = await browser.submit(form, "/venues", TYPED);
  expect(page.status).toBe(403);
  expect(page.body).toContain("Please send it again.");
  expect(shown(page)).toMatchObject(TYPED);
  expect(adds()).toEqual([]);
  const reply = await browser.submit(page, "/venues", { ...TYPED, primaryCategoryId: "fa4e000000000000000000c1" });
  expect([reply.status, adds().length]).toEqual([303, 1]);
});

test("a form from another site is refused, and not shown", async () => {
  const page = await (await web.logIn()).post("/venues", TYPED, { origin: "https://evil.example" });
  expect([page.status, page.body.includes("Café Zoë")]).toEqual([403, false]);
});

const WIDE = "\u{5E97}";
const LONGEST = {
  ...{ name: WIDE.repeat(200), ll: "41.83,-71.41", address: WIDE.repeat(200), crossStreet: WIDE.repeat(200) },
  ...{ city: WIDE.repeat(100), state: WIDE.repeat(100), zip: WIDE.repeat(20), description: WIDE.repeat(300) },
  ...{
    phone: `+1 401 555 0100${"（".repeat(185)}`,
    twitter: "a".repeat(60),
    url: `https://example.org/${WIDE.repeat(1980)}`,
  },
};
test("the longest form survives the log-in and 'Connect again'", async () => {
  const browser = await web.logIn();
  const form = await browser.get("/venues/new");
  browser.cookies.clear();
  const reply = await browser.submit(form, "/venues", LONGEST);
  expect(shown(await logInTo(browser, reply.location))).toMatchObject(LONGEST);

  const mine = await browser.get("/venues/new");
  web.directory.revoke();
  const page = await browser.submit(mine, "/venues", LONGEST);
  const [, link = ""] = /href="(\/login\?[^"]+)"/.exec(page.body) ?? [];
  expect((await browser.get(link)).status).toBe(303);
  expect(shown(await logInTo(browser, link))).toMatchObject(LONGEST);
});
