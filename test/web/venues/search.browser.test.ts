import { afterAll, beforeEach, expect, test } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

beforeEach(() => {
  web.directory.reset();
  web.directory.signIn("Ann"); // another account each time
});

const SEARCH = "/v2/venues/search";
const AROUND = "ll=41.82,-71.41";
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";

const venue = (name: string, more: { lat?: number; phone?: string; address?: string; kind?: string } = {}) => ({
  id: Buffer.from(name).toString("hex").slice(0, 24),
  name,
  contact: more.phone ? { phone: more.phone } : {},
  location: { lat: more.lat ?? 41.82, lng: -71.41, city: "Providence", state: "RI", address: more.address },
  categories: [{ id: "c1", name: more.kind ?? "Shop" }],
});
const finds = (...venues: object[]) =>
  web.directory.behave(SEARCH, answers(200, { meta: { code: 200 }, response: { venues } }));

test("C77: the script asks for no suggestions during a pause", async () => {
  const headers = { "x-ratelimit-limit": "500", "x-ratelimit-remaining": "3" };
  const response = { venues: [venue("Harbor Books")] };
  web.directory.behave(SEARCH, answers(200, { meta: { code: 200 }, response }, headers));
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/venues`);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/venues/suggest") && asked.push(request.url()));
  await page.getByLabel("What").focus();
  await page.keyboard.type("ha");
  await page.getByRole("option", { name: "Harbor Books" }).waitFor();
  await page.keyboard.type("r");
  await page.locator("#query-suggestions").waitFor({ state: "hidden" });
  await page.keyboard.press("Backspace");
  await page.getByRole("option", { name: "Harbor Books" }).waitFor(); // known
  expect(asked).toHaveLength(1);
});

test("a venue is chosen from the suggestions by the keyboard alone, and results with the arrow keys", async () => {
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/venues`);
  const field = page.getByRole("textbox", { name: "What" }).or(page.getByRole("searchbox", { name: "What" }));
  await field.focus();
  await page.keyboard.type("harb");
  await page.getByRole("option", { name: "Harbor Books" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator("#query-suggestions [role=option]").count()).toBe(0);
  await page.keyboard.type("o");
  await page.getByRole("option", { name: "Harbor Books" }).waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await page.locator("#query-suggestions [aria-selected=true]").textContent()).toContain("Harbor Books");
  await expectPresentable(page, "suggestions");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Harbor Books" }).waitFor();

  await page.goto(`${web.url}/venues?${AROUND}`);
  const links = page.locator(".venue-list a");
  await links.first().focus();
  await page.waitForFunction(
    "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/search.js'))",
  );
  await expect
    .poll(async () => {
      await links.first().focus();
      await page.keyboard.press("ArrowDown");
      return links.nth(1).evaluate((link) => link === document.activeElement);
    })
    .toBe(true);
});

test("long and Arabic names of results and suggestions neither widen the page nor turn what is beside them", async () => {
  finds(venue(LONG, { address: LONG }), venue("مقهى الحرية (1)", { address: "شارع الحمراء 12" }));
  const page = await openPage(browser, { width: 390 });
  await page.goto(`${web.url}/login?next=/venues`);
  await page.goto(`${web.url}/venues?query=a&${AROUND}`);
  await page.locator(".map.is-live").waitFor();
  await page.getByLabel("What").focus();
  await page.keyboard.type("bc");
  await page.locator("#query-suggestions [role=option]").first().waitFor();
  await expectPresentable(page, "long-names");
});
