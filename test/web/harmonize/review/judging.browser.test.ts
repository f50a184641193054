import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import type { Prisma } from "../../../../src/db/generated/client.ts";
import { receiveFile } from "../../../../src/harmonize/file/receive.ts";
import type { Positions } from "../../../../src/harmonize/run/positions.ts";
import { FILE_LIMITS } from "../../../../src/shared/file-limits.ts";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

const web = await startWeb();
const { prisma, pool } = web.database;
const browser = await launchBrowser();
afterAll(() => browser.close());
const directory = web.config.api.url;

const example = (line: number, name: string, lat: number, lng: number) => ({
  ...{ line, name, place: "Rhode Island", is: { lat: lng, lng: lat }, wouldBe: { lat, lng } },
});
const SWAPPED: Positions = {
  ...{ verdict: "wrong", by: "places", slip: "swapped", rows: 300, wrong: 287, away: 9_182_000, awayPut: 3_100 },
  examples: [example(2, "Blue Door", 41.8236, -71.4222), example(61, "Café <i>Ann</i>", 41.4901, -71.3128)],
  repair: { kind: "slips", slips: ["swapped"], isWhole: true, around: [{ lat: 41.8, lng: -71.4 }] },
};
const CSV = "name,lat,lng,city\nBlue Door,-71.4222,41.8236,Providence\nCafé Ann,-71.3128,41.4901,Newport\n";

/** Opens a draft whose positions are not judged yet. */
async function draft(options: Parameters<typeof openPage>[1] = {}): Promise<{ page: Page; id: string }> {
  const page = await openPage(browser, options);
  await page.goto(`${web.url}/login?next=/settings`);
  const bytes = (async function* () {
    yield Buffer.from(CSV);
  })();
  const file = { accountId: await ownerOf(web), name: "shops.csv", bytes, signal: new AbortController().signal };
  const id = await receiveFile({ prisma, pool, directoryUrl: directory, limits: FILE_LIMITS }, file);
  await page.goto(`${web.url}/harmonizations/${id}`);
  await page.getByText("Checking positions…").waitFor();
  return { page, id };
}
const judge = (id: string, positions: Positions) =>
  prisma.harmonization.update({
    where: { id },
    data: { positions: positions as unknown as Prisma.InputJsonObject },
  });
const QUESTION = "Latitude and longitude seem to be swapped.";
const question = (page: Page) => page.getByRole("heading", { name: QUESTION });

test("F30: the question about positions appears on the open page of a draft, with a map, and keeps the chosen columns", async () => {
  const { page, id } = await draft();
  await page.locator(".draft-columns > summary").click();
  await page.getByLabel("name", { exact: true }).selectOption("description");
  await judge(id, SWAPPED);
  await question(page).waitFor();
  expect(await page.getByLabel("name", { exact: true }).inputValue()).toBe("description");
  expect(await page.getByRole("status").allTextContents()).toContain(QUESTION);
  const map = page.getByRole("region", { name: "Map of some of the rows" });
  await map.locator(".map-cluster span").first().waitFor(); // at this scale the two are one spot
  expect(await map.locator(".map-cluster").allTextContents()).toEqual(["2"]);
  expect([await map.locator(".map-listing").count(), await map.locator(".map-move").count()]).toEqual([2, 2]);
  await expectPresentable(page, "harmonize-judged");
  await page.getByRole("button", { name: "Swap them back" }).click();
  await page.getByText("The rows are read with latitude and longitude swapped back.").waitFor();
});

test("F30: without script the page of a draft has a refresh button, and a table instead of the map", async () => {
  const { page, id } = await draft({ javaScript: false, width: 390 });
  await judge(id, SWAPPED);
  await page.locator(".draft-columns > summary").click();
  await page.getByLabel("name", { exact: true }).selectOption("description");
  await page.getByRole("button", { name: "Save and refresh" }).click();
  await question(page).waitFor();
  expect(await page.getByLabel("name", { exact: true }).inputValue()).toBe("description");
  expect(await page.getByRole("cell").allInnerTexts()).toEqual(expect.arrayContaining(["-71.4222, 41.8236"]));
  expect(await page.getByRole("region", { name: "Map of some of the rows" }).isVisible()).toBe(false);
});

test("a draft with right positions shows no question about them", async () => {
  const { page, id } = await draft();
  await judge(id, { verdict: "fine", by: "places", rows: 300, wrong: 0 });
  await page.getByText("Checking positions…").waitFor({ state: "hidden" });
  expect(await question(page).count()).toBe(0);
  await page.getByRole("button", { name: /^Match / }).waitFor();
});

test("F30: results ask about the positions once they are judged, and then do not offer to add listings", async () => {
  const { page } = await draft();
  const more = { directory, name: "Stores.csv", columns: { name: 1, lat: 2, lng: 3 } };
  const { id } = await makeHarmonization(web.database, await ownerOf(web), [{ name: "Unknown" }], more);
  await page.goto(`${web.url}/harmonizations/${id}?show=none`);
  await page.getByRole("link", { name: "Add 1 as new" }).waitFor();
  await judge(id, SWAPPED);
  await question(page).waitFor();
  expect(await page.getByRole("link", { name: "Add 1 as new" }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "First confirm whether the positions are right" }).count()).toBe(1);
});
