import { afterAll, expect, test } from "vitest";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { startRuns } from "./runs.ts";

const { web, owner } = await startRuns();
const { prisma } = web.database;
const browser = await launchBrowser();
afterAll(() => browser.close());
const make = (name: string, more: object = {}) =>
  makeHarmonization(web.database, owner, [{ name: "One" }], { name, directory: web.directory.baseUrl, ...more });
const stateOf = async ({ id }: { id: string }) =>
  (await prisma.harmonization.findUniqueOrThrow({ where: { id } })).state;

test("several files are chosen, listed for confirmation, and deleted, without script", async () => {
  const [first, second, kept] = [await make("first.csv"), await make("second.csv"), await make("kept.csv")];
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/harmonizations`);
  await page.getByRole("checkbox", { name: "Choose first.csv" }).check();
  await page.getByRole("checkbox", { name: "Choose second.csv" }).check();
  await page.getByRole("button", { name: "Delete the chosen files…" }).click();
  await page.getByRole("heading", { name: "Delete these 2 files?" }).waitFor();
  expect(await page.locator("main").textContent()).not.toContain("kept.csv");
  expect([await stateOf(first), await stateOf(second)]).toEqual(["ready", "ready"]);
  await page.getByRole("button", { name: "Delete them" }).click();
  await page.getByText("2 files are deleted. Nothing changes in the directory.").waitFor();
  expect(await page.locator("main").textContent()).not.toContain("first.csv");
  expect([await stateOf(first), await stateOf(second), await stateOf(kept)]).toEqual(["deleting", "deleting", "ready"]);
});

test("choosing files and the confirmation are presentable in Chrome", async () => {
  await make(`${"Donaudampfschifffahrtselektrizitätenhauptbetriebswerk".repeat(2)}.csv`);
  await make("Draft.csv", { state: "draft", listingCount: 0 });
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/harmonizations`);
  await page.getByRole("checkbox", { name: "Choose Draft.csv" }).check();
  await expectPresentable(page, "files-chosen");
  await page.getByRole("button", { name: /Delete all \d+…/ }).click();
  await page.getByRole("heading", { name: /Delete these \d+ files\?/ }).waitFor();
  await expectPresentable(page, "files-delete");
});
