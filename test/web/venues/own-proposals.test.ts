import { afterAll, beforeEach, expect, test } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { answers, answersError } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";
const PAGE = "/venues/proposals";
const about = { createdAt: 1_767_286_800, comment: "I was there." };
const OPEN = { ...about, id: "7", venueId: "v1", state: "open", values: { city: "Cranston", phone: "" } };
const HELD = { ...about, id: "6", venueId: "v2", state: "open", values: { name: `New ${LONG}` }, new: true };
const DECLINED = {
  ...about,
  id: "5",
  venueId: "v3",
  state: "declined",
  values: {},
  duplicateOf: "v1",
  answer: "It is <b>not",
};
const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
const venue = (id: string, more: object = {}) =>
  web.directory.behave(`/v2/venues/${id}`, ok({ venue: { id, name: `Corner ${id} ${LONG}`, ...more } }));

beforeEach(() => {
  web.directory.reset();
  web.directory.offerProposals();
  const items = [OPEN, HELD, DECLINED];
  web.directory.behave("/v2/users/self/proposals", ok({ proposals: { count: 23, items } }));
  venue("v1", { location: { lat: 1, lng: 2, city: "Warwick" } });
  venue("v2", { held: true });
  web.directory.behave("/v2/venues/v3", answersError(400, "param_error"));
});

test("a member sees all own proposals, what stands there now, and the answers", async () => {
  const member = await web.logIn();
  const page = (await member.get(PAGE)).body.replace(/\s+/g, " ");
  expect(page).toContain("City: <bdi>Cranston</bdi>");
  expect(page).toContain("City now: <bdi>Warwick</bdi>");
  expect(page).toContain("Added to the directory");
  expect(page).toContain("The venue no longer exists.");
  expect(page).toContain("“<bdi>It is &lt;b&gt;not</bdi>”");
  expect(page).toContain('href="/venues/proposals?page=2"');
  expect([...page.matchAll(/name="withdraw" value="(\d)"/g)].map(([, id]) => id)).toEqual(["7", "6"]);
});

test("a member takes an open proposal back, and learns that another is decided already", async () => {
  const member = await web.logIn();
  const page = await member.get(PAGE);
  web.directory.behave("/v2/venues/withdraw", ok({ proposal: { ...OPEN, state: "withdrawn" } }));
  const done = await member.follow(await member.submit(page, PAGE, { withdraw: "7" }));
  expect(done.body).toContain("Taken back.");
  expect(web.directory.requests.filter(({ path }) => path === "/v2/venues/withdraw")).toMatchObject([
    { params: { proposalId: "7" } },
  ]);
  web.directory.behave("/v2/venues/withdraw", answersError(409, "other"));
  const refused = await member.follow(await member.submit(page, PAGE, { withdraw: "6" }));
  expect(refused.body).not.toContain("Taken back.");
  expect(refused.body).toContain('class="notice');
});

test("a new venue taken back is deleted, also if the listings that have it cannot be told", async () => {
  const member = await web.logIn();
  const page = await member.get(PAGE);
  web.directory.behave("/v2/venues/withdraw", ok({ proposal: { ...HELD, state: "withdrawn" } }));
  await web.database.pool.query("ALTER TABLE app.gone_venue RENAME TO hidden");
  const done = await member
    .submit(page, PAGE, { withdraw: "6" })
    .finally(() => web.database.pool.query("ALTER TABLE app.hidden RENAME TO gone_venue"));
  expect((await member.follow(done)).body).toContain("The venue was deleted.");
});

test("own proposals are presentable in Chrome", async () => {
  const page = await openPage(browser, { width: 1280 });
  await page.goto(web.url);
  await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
  await page.goto(web.url + PAGE);
  await page.getByRole("heading", { name: "Your proposals" }).waitFor();
  await expectPresentable(page, "own-proposals");
});
