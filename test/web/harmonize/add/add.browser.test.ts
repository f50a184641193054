import { afterAll, expect, test } from "vitest";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const reasons = [
  { comparison: "name", weight: 1.2, text: "name nearly the same" },
  { comparison: "distance", weight: -0.8, text: "120 m apart" },
];
const candidates = [
  {
    id: "c1",
    name: "Corner Coffee",
    lat: 41.8236,
    lng: -71.4222,
    address: "2 Main St",
    score: 0.41,
    evidence: reasons,
  },
];

test.each([
  { width: 1280, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
] as const)("adding a listing works and is accessible at $width pixels in $colorScheme", async (look) => {
  const page = await openPage(browser, look);
  await page.goto(`${web.url}/login`);
  await page.waitForURL(`${web.url}/**`);
  const account = await web.database.prisma.account.findFirstOrThrow();
  const directory = web.directory.baseUrl;
  const listings = [{ name: "Harbor Cafe", candidates }];
  const { id } = await makeHarmonization(web.database, account.id, listings, { directory });
  const name = `harmonize-add-${look.width}-${look.colorScheme}`;

  await page.goto(`${web.url}/harmonizations/${id}/listings/1/add`);
  await page.getByLabel("Name", { exact: true }).focus();
  await page.locator("input[role=combobox]").fill("cafe");
  await page.keyboard.press("Enter");
  await expectAccessible(page);
  await screenshot(page, name);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.getByRole("button", { name: "Add venue" }).click();
  await page.getByRole("heading", { name: "Is it one of these?" }).waitFor();
  await expectAccessible(page);
  await screenshot(page, `${name}-alike`);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await page.getByRole("button", { name: "None of these: add anyway" }).click();
  await page.waitForURL(/\/review/);
  expect(await web.database.prisma.listing.count({ where: { harmonizationId: id, decision: "added" } })).toBe(1);
});
