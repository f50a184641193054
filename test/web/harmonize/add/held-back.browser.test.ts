import { afterAll, expect, test } from "vitest";
import { type MadeListing, makeHarmonization } from "../../../harmonize/rows.ts";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const at = (name: string, lat: number, lng: number): MadeListing => ({
  name,
  more: {
    query: { name, ll: { lat, lng } },
    cells: [name, name, String(lat), String(lng), "1 Main Street", ""],
  },
});
const right = Array.from({ length: 12 }, (_, each) => at(`Harbor Cafe ${each}`, 41.7 + each / 50, -71.4));
const spoilt = [
  at("Blue Door", -71.41, 41.82),
  at("Corner Coffee with a Name That Is Rather Long for a Café", 41.83, 71.41),
  at("Dock Street Deli", -41.84, -71.42),
  at("East Bakery", 4.185, -71.43),
];
const byTown: MadeListing = {
  ...at("Far Pharmacy", 10, 20),
  more: {
    ...at("Far Pharmacy", 10, 20).more,
    problem: { code: "implausible_position", ll: { lat: 10, lng: 20 }, km: 9182, place: "Newport, RI" },
  },
};

async function begin(listings: MadeListing[]): Promise<string> {
  const account = await web.database.prisma.account.findFirstOrThrow();
  const directory = web.directory.baseUrl;
  return (await makeHarmonization(web.database, account.id, listings, { directory, matchedAt: new Date() })).id;
}

test.each([
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const)("F81: what is held back is shown accessibly at $width pixels in $colorScheme", async (look) => {
  const page = await openPage(browser, look);
  await page.goto(`${web.url}/login`);
  await page.waitForURL(`${web.url}/**`);
  const id = await begin([...right, ...spoilt, byTown]);
  await page.goto(`${web.url}/harmonizations/${id}/add`);
  await page.getByRole("heading", { name: "5 rows are held back" }).waitFor();
  await expectAccessible(page);
  await screenshot(page, `harmonize-held-back-${look.width}-${look.colorScheme}`);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("F81: without script, one button puts the positions right, and an add on its own asks first", async () => {
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login`);
  await page.waitForURL(`${web.url}/**`);
  const id = await begin([...right, ...spoilt, byTown]);
  await page.goto(`${web.url}/harmonizations/${id}/listings/13/add`);
  await page.getByLabel("Category").selectOption({ label: "Café" });
  await page.getByRole("button", { name: "Add venue" }).click();
  await page.getByText("With latitude and longitude swapped back, it would be close to them").waitFor();
  await screenshot(page, "harmonize-add-mistyped");
  await page.getByRole("link", { name: "Use 41.82,-71.41" }).click();
  expect(await page.locator("[name=ll]").inputValue()).toBe("41.82,-71.41");

  await page.goto(`${web.url}/harmonizations/${id}/add`);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Add 12 as new");
  await page.getByText("Correct 4 positions…").click();
  await page.getByText("4 rows move from the position in the file to the suggested one:").waitFor();
  await page.getByText("1 position: latitude and longitude swapped back").waitFor();
  await page.getByRole("button", { name: "Correct 4 positions" }).click();
  await page.getByText("4 positions were corrected.").waitFor();
  const rows = await web.database.prisma.listing.findMany({ where: { harmonizationId: id, number: { gt: 12 } } });
  expect(rows.map(({ status }) => status).sort()).toEqual(["asked", "pending", "pending", "pending", "pending"]);
});
