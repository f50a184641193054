import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { chooseCategory, logIn, menu, type Visitor } from "./walk.ts";

/**
 * Takes the example file from upload to download. Reviews some listings: accepts one, chooses one by number, rejects
 * one, undoes and rejects it again, skips one, adds one as `added`. Returns the exported file.
 */
export async function harmonize(visitor: Visitor, { added }: { added: string }): Promise<string> {
  const { page, look } = visitor;
  await logIn(visitor);
  await menu(visitor, "Files");
  await look("files");
  await page.getByRole("button", { name: "Try our example" }).click();
  await page.getByRole("button", { name: "Try 200 rows" }).click();
  await page.getByRole("heading", { level: 3, name: /matched/i }).waitFor();
  await look("columns");
  await page.getByRole("button", { name: /^Match / }).click();
  const review = page.getByRole("link", { name: /^Review \d+/ });
  await review.waitFor();
  await look("results");
  await review.click();
  await page.waitForURL(/\/review/);
  await look("review");
  await reviewByKeys(visitor);
  await addAsNew(visitor, added);
  await page.goto(page.url().replace(/\/review.*/, "/conflicts"));
  await look("conflicts");
  await page.goto(page.url().replace("/conflicts", ""));
  await look("results-reviewed");
  return download(page);
}

async function reviewByKeys(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await press(page, "Enter", "matched with");
  await page.keyboard.press("1");
  await press(page, "Enter", "matched with");
  await press(page, "n", /without a venue/);
  await press(page, "u", /undone|undid|back/i);
  await press(page, "n", /without a venue/);
  await press(page, "s", /skipped/);
  await page.keyboard.press("f");
  await page.waitForURL(/family/);
  await visitor.look("family");
  await page.goBack();
}

/** Checks that a screen reader is told the result, with the next card in place of this one. */
async function press(page: Page, key: string, said: string | RegExp): Promise<void> {
  await page.evaluate("document.querySelector('main > *').dataset.former = ''");
  await page.keyboard.press(key);
  await page.locator("main > [data-former]").waitFor({ state: "detached" });
  await page.locator("[data-said]", { hasText: said }).waitFor({ state: "attached" });
}

async function addAsNew({ page, look }: Visitor, name: string): Promise<void> {
  await page.keyboard.press("a");
  await page.getByRole("heading", { level: 1, name: "Add as new" }).waitFor();
  await look("add-as-new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await chooseCategory(page, "Coffee Shop");
  await page.getByRole("button", { name: "Add venue" }).click();
  const allTheSame = page.getByRole("button", { name: /add anyway/ });
  const done = page.locator("[data-last]", { hasText: `added as “${name}”` });
  await done.or(allTheSame).waitFor();
  if (await allTheSame.isVisible()) {
    await look("add-alike");
    await allTheSame.click();
    await done.waitFor();
  }
  await look("added-as-new");
}

async function download(page: Page): Promise<string> {
  await page.locator("summary", { hasText: "Download" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = await (await saved).path();
  expect(file).toBeTruthy();
  return readFile(file, "utf8");
}
