import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { Prisma } from "../../../../src/db/generated/client.ts";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

const web = await startWeb();
const { prisma } = web.database;
const browser = await launchBrowser();
afterAll(() => browser.close());
await web.logIn();
const owner = await ownerOf(web);
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbaute".slice(0, 60);
let id = "";
beforeEach(async () => {
  const problem = { code: "no_position", column: "lat", value: "north" } as const;
  const listings = [
    { name: "Harbor Cafe", candidates: [makeCandidate("v1", 0.82, { name: 2 }), makeCandidate("v2", 0.8)] },
    { name: LONG, more: { status: "failed" as const, query: Prisma.DbNull, problem } },
  ];
  ({ id } = await makeHarmonization(web.database, owner, listings, { directory: web.directory.baseUrl }));
});
const open = (page: Page, number: number) =>
  page.goto(`${web.url}/login?next=${encodeURIComponent(`/harmonizations/${id}/review/${number}`)}`);
const queryOf = async (number: number) =>
  (await prisma.listing.findUniqueOrThrow({ where: { harmonizationId_number: { harmonizationId: id, number } } }))
    .query;

test("the point of a listing is moved on the map of its card by dragging its pin, and saved by one button", async () => {
  const page = await openPage(browser);
  await open(page, 1);
  await page.getByText("Needs review: ").waitFor();
  const pin = page.locator(".map [title='Drag to move']");
  await pin.waitFor();
  const lat = page.getByLabel("Latitude");
  expect(await lat.isVisible()).toBe(false);
  await pin.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0 } = (await pin.boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 20, y + 40, { steps: 5 });
  await page.mouse.up();
  await lat.waitFor();
  expect(Number(await lat.inputValue())).toBeLessThan(41.821);
  await expectPresentable(page, "review-mend");
  await page.getByRole("button", { name: "Save and match again" }).click();
  await page.getByText("Corrected in review: position corrected").waitFor();
  expect(await queryOf(1)).toMatchObject({ name: "Harbor Cafe", mended: { was: { ll: { lat: 41.821 } } } });
});

test("the point of a listing is moved by keyboard alone, with the arrow keys and Enter on the map", async () => {
  const page = await openPage(browser);
  await open(page, 1);
  await page.getByRole("application", { name: "Map to place the pin" }).focus();
  for (const key of ["ArrowRight", "ArrowRight", "Enter"]) {
    await page.keyboard.press(key);
    await page.locator(".leaflet-pan-anim").waitFor({ state: "detached" }); // the map glides
  }
  await page.getByLabel("Longitude").waitFor();
  await page.getByRole("button", { name: "Save and match again" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Corrected in review: position corrected").waitFor();
  expect(await queryOf(1)).toHaveProperty("mended.was.ll");
});

test("a failed listing is corrected without script, in a form that is open", async () => {
  const page = await openPage(browser, { javaScript: false, width: 390 });
  await open(page, 2);
  await page.getByText("This row failed.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Harbour Café");
  await page.getByLabel("Latitude").fill("41.82");
  await page.getByLabel("Longitude").fill("-71.41");
  await page.getByRole("button", { name: "Save and match again" }).click();
  await page.getByText("Corrected in review: name corrected").waitFor();
  expect(await queryOf(2)).toMatchObject({ name: "Harbour Café", ll: { lat: 41.82, lng: -71.41 } });
});

test("the card of a failed listing with a word of sixty letters fits each width and colour scheme", async () => {
  const page = await openPage(browser);
  await open(page, 2);
  await page.getByLabel("Latitude").waitFor();
  await expectPresentable(page, "review-mend-failed");
});
