import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Candidate } from "../../../../src/harmonize/run/rows.ts";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { expectAccessible, expectPresentable, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { answers } from "../../../support/fake-directory/behaviours.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());
await web.logIn();
const { prisma } = web.database;
const accountId = (await prisma.account.findFirstOrThrow()).id;

const NAMES =
  "Joe’s Pizza Palace,Corner Cafe,Harbour Books,Union Bakery,Starbuks Coffee,City Library,The Red Door,Thai Garden,Bike Shop,Old Mill".split(
    ",",
  );
const candidate = (
  index: number,
  nth: number,
  name: string,
  score: number,
  evidence: [string, number, string][],
): Candidate => ({
  ...{ id: `v${index}-${nth}`, name, lat: 41.82 + index / 1000 + nth / 4000, lng: -71.41 + nth / 5000, score },
  ...{
    address: `${index + 1 + 4 * nth} Main St`,
    city: "Providence",
    state: "RI",
    zip: "02903",
    phone: "(401) 555-0100",
    category: "Pizzeria",
  },
  evidence: evidence.map(([comparison, weight, text]) => ({ comparison, weight, text })),
});
const listings = NAMES.map((name, at) => ({
  name,
  candidates: [
    candidate(at + 1, 0, name.replace("’s", "s").replace("Cafe", "Café & Bar"), 0.62, [
      ["phone", 3, "same phone"],
      ["name", 1.4, "names similar except “palace”"],
      ["houseNumber", -1.2, "different house number"],
      ["distance", -0.3, "41 m apart"],
    ]),
    candidate(at + 1, 1, `${name} Parking`, 0.31, [["kind", -1.8, "one may be part of the other"]]),
    candidate(at + 1, 2, "Palace Theater", 0.12, [["name", -2, "names differ: “joes pizza” / “theater”"]]),
  ],
}));

let id = "";
beforeEach(async () => {
  ({ id } = await makeHarmonization(web.database, accountId, listings, { directory: web.directory.baseUrl }));
});
const decided = async () =>
  (await prisma.listing.findMany({ where: { harmonizationId: id }, orderBy: { number: "asc" } })).map(
    ({ decision, venueId, skippedAt }) => venueId ?? decision ?? (skippedAt ? "skipped" : null),
  );
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const start = (page: Page) => page.goto(`${web.url}/login?next=${encodeURIComponent(`/harmonizations/${id}/review`)}`);

test("ten listings are reviewed by keyboard alone, including undo, and a screen reader is told each result", async () => {
  const page = await openPage(browser);
  await start(page);
  const [one, two, three, four, five, six, seven, eight, nine, ten] = NAMES as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  await heading(page, one);
  const press = async (key: string, next: string) => {
    await page.keyboard.press(key);
    await heading(page, next);
  };
  await press("Enter", two);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  await page.locator("[data-said]", { hasText: "“Joe’s Pizza Palace” matched with “Joes Pizza Palace”" }).waitFor();
  await page.keyboard.press("2");
  expect(await page.getByRole("radio", { name: "Corner Cafe Parking" }).isChecked()).toBe(true);
  expect(await page.getByText("one may be part of the other").isVisible()).toBe(true);
  await press("Enter", three);
  await press("n", four);
  await press("u", three);
  expect(await page.getByRole("radio").count(), "the candidates are back").toBe(3);
  await press("u", two);
  expect(await decided()).toEqual(["v1-0", ...Array(9).fill(null)]);
  await press("Enter", three);
  await press("n", four);
  await press("s", five);
  for (const next of [six, seven, eight, nine, ten]) await press("Enter", next);
  await press("Enter", four);
  await press("n", "All done");
  expect(await decided()).toEqual([
    "v1-0",
    "v2-0",
    "rejected",
    "rejected",
    ...[5, 6, 7, 8, 9, 10].map((n) => `v${n}-0`),
  ]);
  await expectAccessible(page);
  await screenshot(page, "review-done");
  await press("u", four);
});

test("keys do nothing while typing, with a modifier, or if turned off; the family and the help have their own", async () => {
  const page = await openPage(browser);
  await start(page);
  await heading(page, NAMES[0] ?? "");
  await page.keyboard.press("/");
  await page.keyboard.type("nun");
  expect(await page.getByRole("main").getByRole("searchbox").inputValue()).toBe("nun");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Review by keyboard" }).waitFor();
  await expectAccessible(page);
  await screenshot(page, "review-keys");
  await page.keyboard.press("n");
  await page.getByLabel("Use these keys").uncheck();
  await page.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await page.getByLabel("Use these keys").check();
  await page.keyboard.press("Escape");
  expect(await decided()).toEqual(Array(10).fill(null));
  await page.keyboard.press("f");
  await page.getByRole("heading", { name: "Decide for all similar rows" }).waitFor();
  await page.getByLabel("Choose Corner Cafe").uncheck();
  await page.getByLabel("Choose Old Mill").uncheck();
  await expectPresentable(page, "review-family");
  await page.getByRole("button", { name: "Accept ticked rows (8)" }).click();
  await heading(page, "Corner Cafe");
  expect(await decided()).toEqual(listings.map((_, at) => (at === 1 || at === 9 ? null : `v${at + 1}-0`)));
});

test("Enter accepts after the help was closed by Escape", async () => {
  const page = await openPage(browser);
  await start(page);
  await heading(page, NAMES[0] ?? "");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Review by keyboard" });
  await help.waitFor();
  await page.keyboard.press("Escape");
  await page.locator("h1:focus").waitFor();
  await page.keyboard.press("Enter");
  await heading(page, NAMES[1] ?? "");
});

test("a listing is reviewed without script, and matched with a venue found by a search", async () => {
  const found = { id: "b9", name: "Found Books", location: { lat: 41.822, lng: -71.411, distance: 250 } };
  web.directory.behave("/v2/venues/search", answers(200, { meta: { code: 200 }, response: { venues: [found] } }));
  web.directory.behave("/v2/venues/b9", answers(200, { meta: { code: 200 }, response: { venue: found } }));
  const page = await openPage(browser, { javaScript: false });
  await start(page);
  await page.getByRole("main").getByRole("searchbox").fill("books");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("radio", { name: "Found Books" }).check();
  await page.getByRole("button", { name: "Accept" }).click();
  await heading(page, NAMES[1] ?? "");
  await page.getByRole("radio", { name: "Corner Cafe Parking" }).check();
  expect(await page.getByText("one may be part of the other").isVisible()).toBe(true);
  await page.getByRole("button", { name: "None of these" }).click();
  await heading(page, NAMES[2] ?? "");
  await page.getByRole("button", { name: "Undo" }).click();
  await heading(page, NAMES[1] ?? "");
  expect(await decided()).toEqual(["b9", ...Array(9).fill(null)]);
  web.directory.reset();
});

test("the help closes by its own key, and the focus returns to the chosen candidate", async () => {
  const page = await openPage(browser);
  await start(page);
  await heading(page, NAMES[0] ?? "");
  await page.keyboard.press("2");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Review by keyboard" });
  await help.waitFor();
  await page.keyboard.press("?");
  await help.waitFor({ state: "hidden" });
  await page.locator("input[value=v1-1]:focus").waitFor();
  await page.keyboard.press("Enter");
  await heading(page, NAMES[1] ?? "");
  await expect.poll(async () => (await decided())[0]).toBe("v1-1");
});

/** Edges of the chosen candidate, the last compared row and the buttons, in the window. */
const EDGES = `(() => {
  const BAR = innerWidth < 704 ? ".review-main" : ".review-actions";
  const edge = (part) => document.querySelector(part).getBoundingClientRect();
  const rows = [...document.querySelectorAll(".compare tr")].filter((row) => row.checkVisibility());
  return { candidate: edge(".candidate:has(:checked)").bottom, row: rows.at(-1).getBoundingClientRect().bottom,
    buttons: edge(BAR).top, end: edge(BAR).bottom, height: innerHeight };
})()`;
interface Edges {
  candidate: number;
  row: number;
  buttons: number;
  end: number;
  height: number;
}

test("the card with three candidates fits into 1280 × 720 without scrolling, also after a decision", async () => {
  const page = await openPage(browser);
  await page.setViewportSize({ width: 1280, height: 720 });
  await start(page);
  for (const name of NAMES.slice(0, 2)) {
    await heading(page, name);
    const { row, buttons, end, height } = (await page.evaluate(EDGES)) as Edges;
    expect(row).toBeLessThanOrEqual(buttons);
    expect(end).toBeLessThanOrEqual(height);
    await screenshot(page, `review-720-${name.split(/\W/)[0]}`);
    await page.keyboard.press("Enter");
  }
});

test.each([
  [640, 360, "1280 × 720 at 200 %"],
  [390, 844, "a phone"],
  [195, 422, "a phone at 200 %"],
])("the buttons never cover the chosen candidate at %i × %i pixels, %s", async (width, height) => {
  const page = await openPage(browser);
  await page.setViewportSize({ width, height });
  await start(page);
  await heading(page, NAMES[0] ?? "");
  for (const index of [0, 2]) {
    await page.getByRole("radio").nth(index).check();
    for (const top of [0, 150, 300, 450, 600]) {
      await page.evaluate(`scrollTo(0, ${top})`);
      const { candidate, buttons } = (await page.evaluate(EDGES)) as Edges;
      expect(candidate, `candidate ${index} at ${top}`).toBeLessThanOrEqual(buttons);
    }
  }
  await page.evaluate("scrollTo(0, 300)");
  await screenshot(page, `review-buttons-${width}`);
});

test("the card is accessible at each width and colour scheme", async () => {
  const page = await openPage(browser);
  await start(page);
  await page.keyboard.press("Enter");
  await heading(page, NAMES[1] ?? "");
  await page.locator(".map-listing").waitFor();
  const rows = "new Set([...document.querySelectorAll('.review-main .btn')].map(({ offsetTop }) => offsetTop)).size";
  await expectPresentable(page, "review", async (width) => {
    expect(await page.evaluate(rows), "rows of buttons").toBe(1);
    expect(await page.locator(".review-actions kbd").first().isVisible()).toBe(width > 360);
  });
});

/** The document of the page: a page that the browser has loaded anew is another. */
const documentOf = (page: Page) => page.evaluate("globalThis.first ??= Math.random()");
const isAhead = (page: Page) => page.locator("[data-ahead]").waitFor({ state: "attached" });

test("the next card is swapped in without a new page, and a reload, the way back and the undo are at its own address", async () => {
  const page = await openPage(browser);
  await start(page);
  await isAhead(page);
  const first = await documentOf(page);
  for (const [name, next] of [NAMES.slice(0, 2), NAMES.slice(1, 3)] as [string, string][]) {
    await heading(page, name);
    await page.keyboard.press("Enter");
    await heading(page, next);
    await isAhead(page);
  }
  expect(await documentOf(page)).toBe(first);
  await page.locator("[data-said]", { hasText: "“Corner Cafe” matched" }).waitFor({ state: "attached" });
  expect(await page.locator("#review-count").textContent()).toContain("3 of 10");
  expect(await decided()).toEqual(["v1-0", "v2-0", ...Array(8).fill(null)]);
  await page.goBack();
  await heading(page, NAMES[1] ?? "");
  await page.getByText("Matched with “Corner Café & Bar” by Fay").waitFor();
  await page.goForward();
  await heading(page, NAMES[2] ?? "");
  await page.keyboard.press("u");
  await heading(page, NAMES[1] ?? "");
  expect(await decided()).toEqual(["v1-0", ...Array(9).fill(null)]);
});

/** In a page: requests with this in their address wait for `release()`. Those of `page.route` end no answer to a `keepalive`. */
function holdFetch(part: string) {
  const held = Promise.withResolvers<void>();
  const send = globalThis.fetch;
  Object.assign(globalThis, {
    release: held.resolve,
    fetch: async (...given: Parameters<typeof fetch>) => {
      if (String(given[0]).includes(part)) await held.promise;
      return send(...given);
    },
  });
}

test("W185: a card swapped while its map still loads leaves no error behind", async () => {
  const page = await openPage(browser);
  const held = Promise.withResolvers<void>();
  await page.route("**/grid.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/grid\.js$/);
  await start(page);
  await isAhead(page);
  const address = (await asked).url();
  await page.keyboard.press("Enter");
  await heading(page, NAMES[1] ?? "");
  held.resolve();
  await page.evaluate(`import(${JSON.stringify(address)}).then(() => new Promise((done) => setTimeout(done)))`);
  expect(page.problems).toEqual([]);
});

test("W186: at the end of the queue a card whose decision is still under way does not come back", async () => {
  const byScore = { decision: "rejected", decidedBy: accountId, decidedHow: "person", decidedAt: new Date() } as const;
  await prisma.listing.updateMany({ where: { harmonizationId: id, number: { lt: 9 } }, data: byScore });
  const page = await openPage(browser);
  await page.addInitScript(holdFetch, "/listings/9");
  await start(page);
  await heading(page, "Bike Shop");
  await isAhead(page);
  const again = page.waitForResponse(/\/review\/9$/);
  await page.keyboard.press("Enter");
  await heading(page, "Old Mill");
  await (await again).finished();
  await page.keyboard.press("Enter");
  await heading(page, "Old Mill");
  await page.evaluate("release()");
  await heading(page, "All done");
  expect((await decided()).slice(8)).toEqual(["v9-0", "v10-0"]);
});

test("W187: a decision made before the next card has arrived is sent once, and answered on the same page", async () => {
  const page = await openPage(browser);
  await page.addInitScript(holdFetch, "?after=");
  await start(page);
  await heading(page, NAMES[0] ?? "");
  await page.locator("[data-help]:visible").waitFor();
  const first = await documentOf(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await heading(page, NAMES[1] ?? "");
  expect(await documentOf(page)).toBe(first);
  expect(await decided()).toEqual(["v1-0", ...Array(9).fill(null)]);
  await page.keyboard.press("u");
  await heading(page, NAMES[0] ?? "");
  expect(await documentOf(page)).toBe(first);
  expect(await decided()).toEqual(Array(10).fill(null));
});

test("a double click decides one card, not also the next one that stands in its place", async () => {
  const page = await openPage(browser);
  await start(page);
  await heading(page, NAMES[0] ?? "");
  await isAhead(page);
  await page.getByRole("button", { name: "Accept" }).dblclick();
  await heading(page, NAMES[1] ?? "");
  await isAhead(page);
  expect(await decided()).toEqual(["v1-0", ...Array(9).fill(null)]);
  await page.getByRole("button", { name: "Accept" }).click();
  await heading(page, NAMES[2] ?? "");
  await isAhead(page);
  expect(await decided()).toEqual(["v1-0", "v2-0", ...Array(8).fill(null)]);
});

test("an undo pressed at once takes back the decision under way, not the one before it", async () => {
  const page = await openPage(browser);
  await start(page);
  await isAhead(page);
  await heading(page, NAMES[0] ?? "");
  await page.keyboard.press("Enter");
  await heading(page, NAMES[1] ?? "");
  await isAhead(page);
  await page.locator("[data-last]", { hasText: NAMES[0] ?? "" }).waitFor();
  const client = await web.database.pool.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM app.listing WHERE harmonization_id = $1 AND number = 2 FOR UPDATE", [id]);
  await page.keyboard.press("n");
  await heading(page, NAMES[2] ?? "");
  await page.keyboard.press("u");
  await client.query("ROLLBACK");
  client.release();
  await heading(page, NAMES[1] ?? "");
  expect(await decided()).toEqual(["v1-0", ...Array(9).fill(null)]);
});

test("a card fetched ahead that somebody has decided since is shown as it is now, and a decision about it is refused", async () => {
  const page = await openPage(browser);
  await start(page);
  await isAhead(page);
  await heading(page, NAMES[0] ?? "");
  const byOther = { decision: "rejected", decidedBy: accountId, decidedHow: "person", decidedAt: new Date() } as const;
  const elsewhere = (number: number) =>
    prisma.listing.updateMany({ where: { harmonizationId: id, number }, data: byOther });
  await elsewhere(2);
  await page.keyboard.press("Enter");
  await heading(page, NAMES[2] ?? "");
  await isAhead(page);
  await elsewhere(3);
  await page.keyboard.press("Enter");
  await page.getByText("No venue by Fay").first().waitFor();
  await heading(page, NAMES[2] ?? "");
  expect(await decided()).toEqual(["v1-0", "rejected", "rejected", ...Array(7).fill(null)]);
  page.problems.length = 0; // the status of the refusal, 409, is meant
});

test("after the end of the session a decision leads to the log-in and back to its own card", async () => {
  const page = await openPage(browser);
  await start(page);
  await isAhead(page);
  await heading(page, NAMES[0] ?? "");
  await page.context().clearCookies();
  await page.keyboard.press("Enter");
  await page.waitForURL(/review\/1$/);
  await heading(page, NAMES[0] ?? "");
  expect(await decided()).toEqual(Array(10).fill(null));
  page.problems.length = 0; // the status of the refusal
});
