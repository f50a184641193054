import { afterAll, expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { startRuns } from "../runs.ts";

const { web, owner } = await startRuns();
const { prisma } = web.database;
const browser = await launchBrowser();
afterAll(() => browser.close());
const LONG = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochxy";
const NAMES = ["Corner Café", "Blue Door", `${LONG} Café`, "Red Door"];
const make = (more: object = {}) => {
  const listings = NAMES.map((name) => ({ name, candidates: [makeCandidate("far", 0.05)] }));
  const decided = { name: "Taken", more: { decision: "matched" as const, venueId: "v" } };
  return makeHarmonization(web.database, owner, [...listings, decided], { directory: web.directory.baseUrl, ...more });
};
const categories = async (harmonizationId: string) =>
  (await prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } })).map(
    (row) => row.categoryId,
  );

test("the page before Add all shows each guess and why, and takes another category for one row or several, without script", async () => {
  const { id } = await make();
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/harmonizations/${id}/add`);
  const row = (at: number) => page.locator(".listing-table tbody tr").nth(at).locator("th");
  expect(await row(0).textContent()).toMatch(/Category: Café, from “cafe” in the name/);
  expect(await row(1).textContent()).toContain("Category: unknown");
  await page.getByRole("checkbox", { name: "Corner Café" }).check();
  await page.getByRole("checkbox", { name: "Blue Door" }).check();
  await page.locator("#row-category").selectOption({ label: "Café" });
  await page.getByRole("button", { name: "Use this category" }).click();
  await page.getByText("Category chosen for 2 rows.").waitFor();
  expect(await row(0).textContent()).toContain("chosen by hand");
  const [first, second, third] = await categories(id);
  expect([first === second, third]).toEqual([true, null]);
  await page.getByRole("radio", { name: /on this page/ }).check();
  await page.getByRole("button", { name: "Use our guess" }).click();
  await page.getByText("Back to the guessed category: 4 rows.").waitFor();
  expect(await categories(id)).toEqual([null, null, null, null, null]);
});

test("W35: listings without a match get their category where the results list them, without script, and Add all uses it", async () => {
  const { id } = await make();
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/harmonizations/${id}?show=none`);
  const row = (at: number) => page.locator(".listing-table tbody tr").nth(at).locator("th");
  expect(await row(0).textContent()).toMatch(/Category: Café, from “cafe” in the name/);
  await page.getByRole("checkbox", { name: "Blue Door" }).check();
  await page.locator("#row-category").selectOption({ label: "Café" });
  await page.getByRole("button", { name: "Use this category" }).click();
  await page.getByText("Category chosen for 1 row.").waitFor();
  expect(page.url()).toContain("show=none");
  expect(await row(1).textContent()).toContain("Category: Café, chosen by hand");
  expect((await categories(id)).map(Boolean)).toEqual([false, true, false, false, false]);
  expect(await page.getByText("these filters show").count(), "the same rows as those on this page").toBe(0);
  await page.goto(`${web.url}/harmonizations/${id}/add`);
  expect(await row(1).textContent()).toContain("Category: Café, chosen by hand");
});

test("the page before Add all and the results are accessible and fit each width and colour scheme, with words of sixty letters", async () => {
  const { id } = await make();
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/harmonizations/${id}/add`);
  await page.getByRole("checkbox", { name: "Blue Door" }).check();
  await expectPresentable(page, "harmonize-add-categories");
  await page.goto(`${web.url}/harmonizations/${id}?show=none`);
  await expectPresentable(page, "harmonize-results-categories");
});
