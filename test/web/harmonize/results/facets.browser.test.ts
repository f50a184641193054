import { afterAll, expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { startRuns } from "../runs.ts";

const { web, fay, owner } = await startRuns();
const browser = await launchBrowser();
afterAll(() => browser.close());
const LONG = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochxy";
const header = ["id", "name", "town", "phone <b>"];
const listings = Array.from({ length: 30 }, (_, at) => ({
  name: `Shop ${at}`,
  candidates: [makeCandidate(`v${at}`, at % 2 ? 0.6 : 0.4, { name: 2, zip: at % 3 ? -1 : 1 })],
  more: { cells: [`own-${at}`, `Shop ${at}`, at % 3 ? "Newport" : LONG, at % 5 ? "401" : ""] },
}));
const columns = { id: 0, name: 1, city: 2, phone: 3 };
const make = () =>
  makeHarmonization(web.database, owner, listings, { directory: web.directory.baseUrl, header, columns });

test("the results are narrowed down by links alone: a town, an empty column, then a score, and back", async () => {
  const { id } = await make();
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/harmonizations/${id}`);
  await page.getByRole("link", { name: "Filter" }).click();
  const rows = page.locator(".listing-table tbody tr");
  const found = page.locator(".facets-chosen b");
  expect([await found.textContent(), await rows.count()]).toEqual(["30", 30]);
  for (const [link, count] of [
    ["Newport", 20],
    ["phone <b>", 4],
    ["50 to 70 %", 2],
  ] as const) {
    const item = page.locator(".facets li", { has: page.getByRole("link", { name: link, exact: true }) }).first();
    expect(await item.locator(".num").textContent(), link).toBe(String(count));
    await item.getByRole("link").click();
    expect([await found.textContent(), await rows.count()], link).toEqual([String(count), count]);
  }
  await page.getByRole("link", { name: "To review", exact: false }).first().click();
  expect(await rows.count()).toBe(2);
  await page.locator("#q").fill("Shop 5");
  await page.getByRole("button", { name: "Find" }).click();
  expect([await rows.count(), await found.textContent()]).toEqual([1, "1"]);
  await page.getByRole("link", { name: "Remove: Newport" }).click();
  expect(page.url()).not.toContain("town=");
  await page.getByRole("link", { name: "Show all", exact: true }).click();
  expect(await page.locator(".facets .chip").count()).toBe(0);
});

test("the groups of the results are accessible and fit each width and colour scheme, with words of sixty letters", async () => {
  const { id } = await make();
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=${encodeURIComponent(`/harmonizations/${id}?narrow=1&town=${LONG}`)}`);
  await page.getByRole("heading", { name: "Counts for the best candidate" }).waitFor();
  await expectPresentable(page, "results-facets");
});

test.each(["reason=x", "score=51", "filled=0", "empty=a", "narrow=2"])(
  "the results refuse %s with what is valid",
  async (query) => {
    const { id } = await make();
    const { status, body } = await fay.get(`/harmonizations/${id}?${query}`);
    expect(status).toBe(400);
    expect(body).toMatch(new RegExp(`“?${query.split("=")[0]}”? must be`));
  },
);
