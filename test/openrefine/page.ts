import type { Browser, Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** Opens a project on OpenRefine's own page, which also asks Wikidata; tests cannot reach that. */
export async function openProject(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
  onTestFinished(() => page.close());
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  await page.waitForSelector(".data-table");
  return page;
}

/** Opens a column's menu and selects an item by its path. */
export async function menuOf(page: Page, column: string, ...items: string[]): Promise<void> {
  const name = page.locator(".column-header-name", { hasText: new RegExp(`^${column}$`) });
  await page.locator("th.column-header", { has: name }).locator(".column-header-menu").click();
  for (const [index, text] of items.entries()) {
    const item = page.locator(".menu-item", { hasText: text }).last();
    if (index < items.length - 1) await item.hover();
    else await item.click();
  }
}
