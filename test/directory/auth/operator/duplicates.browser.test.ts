import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { searchDuplicates } from "../../../../src/directory/duplicates/run.ts";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const { pool } = host.deps;
let browser: Browser;
beforeAll(async () => {
  await host.newOperator();
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
afterEach(() => pool.query("DELETE FROM directory.venue"));

it.each([
  { width: 1280, javaScript: true, colorScheme: "light" },
  { width: 390, javaScript: true, colorScheme: "dark" },
  { width: 390, javaScript: false, colorScheme: "light" },
] as const)("an operator reviews duplicates in Chrome: %j", async (how) => {
  const { width, javaScript, colorScheme } = how;
  const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";
  const names = [
    "Lantern Coffee",
    "Lantern Cofee",
    "Harbor Bookshop",
    "Harbor Bookshop",
    "Harbour Bookshop",
    long,
    long,
  ];
  for (const name of names) await addVenue(host, name);
  await pool.query("UPDATE directory.venue SET phone = '+14015550123' WHERE name LIKE 'Harb%'");
  await searchDuplicates({ pool });
  const page = await openPage(browser, { width, javaScript, colorScheme });
  const look = async (name: string) => {
    await screenshot(page, `duplicates-${name}-${width}-${colorScheme}`);
    if (javaScript) await expectAccessible(page);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow, `${name} scrolls sideways`).toBe(0);
  };
  await page.goto(`${host.url}/login`);
  await page.getByLabel("Username").fill(host.asOperator.handle);
  await page.getByLabel("Password").fill(host.asOperator.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.goto(`${host.url}/operator/duplicates`);
  await page.getByRole("heading", { name: "Duplicates" }).waitFor();
  await look("queue");
  await page.getByRole("link", { name: /same phone/ }).click();
  await page.locator(".tabs [aria-current]", { hasText: "same phone" }).waitFor();
  await look("family");
  await page.getByRole("link", { name: "All", exact: true }).click();
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Merge all selected" }).click();
  await page.getByText("3 groups merged.").waitFor();
  await look("merged");
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.getByText("4 venues restored").waitFor();
  await look("undone");
});
