import { afterAll, expect, test } from "vitest";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { manyListings, startRuns } from "../runs.ts";

const { web, owner } = await startRuns();
const { prisma } = web.database;
const browser = await launchBrowser();
afterAll(() => browser.close());
const make = (every = 1, more: object = {}) =>
  makeHarmonization(
    web.database,
    owner,
    manyListings().filter((_, at) => at % every === 0),
    { directory: web.directory.baseUrl, isShared: true, ...more },
  );
const rows = (harmonizationId: string) =>
  prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } });
const decided = async (id: string) => (await rows(id)).filter(({ decidedBy }) => decidedBy === owner).length;

test("rows are chosen, matched and brought back by keyboard alone, without script", async () => {
  const { id } = await make();
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/harmonizations/${id}?show=review`);
  const before = await rows(id);
  for (const at of [0, 2]) {
    await page.locator(".listing-table").getByRole("checkbox").nth(at).focus();
    await page.keyboard.press("Space");
  }
  await page.getByRole("button", { name: "Accept best candidate" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Accepted: 2 rows.").waitFor();
  expect(page.url()).toContain("show=review");
  expect(await page.locator(".listing-table tbody tr").count()).toBe(22);
  expect((await rows(id)).filter(({ decidedBy }) => decidedBy).map(({ venueId }) => venueId)).toEqual([
    "perhaps-0",
    "perhaps-2",
  ]);
  await page.getByText("Last decision: 2 rows matched with the best candidates").waitFor();
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await page.getByText("Undone: 2 rows are as they were.").waitFor();
  expect(await rows(id)).toEqual(before);
});

test("all rows of a page, or all that the filters show, are decided at once, with what was left and why", async () => {
  const { id } = await make();
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/harmonizations/${id}`);
  await page.getByRole("radio", { name: "all 50 rows on this page" }).check();
  await page.getByRole("button", { name: "Send to review" }).click();
  await page.getByText("Sent back to review: 50 rows.").waitFor();
  expect(await decided(id)).toBe(50);
  await page.getByRole("radio", { name: "all 120 rows these filters show" }).check();
  await page.getByRole("button", { name: "Mark as not in directory" }).click();
  const notice = page.locator(".notice-warning", { hasText: "Left without" });
  await notice.getByText("Left without a venue: 114 rows.").waitFor();
  expect(await notice.textContent()).toMatch(
    /4 rows have failed: retry or correct them first\..*1 row already had this decision/s,
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: 114 rows are as they were.").waitFor();
  expect(await decided(id)).toBe(50);
});

test("the list with its checkboxes is accessible and fits each width and colour scheme", async () => {
  const { id } = await make(8);
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/harmonizations/${id}`);
  await page.locator(".listing-table").getByRole("checkbox").nth(1).check();
  await page.getByRole("button", { name: "Mark as not in directory" }).click();
  await page.locator(".listing-table").getByRole("checkbox").nth(3).check();
  await expectPresentable(page, "harmonize-rows");
});
