import { afterAll, expect, test } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../support/browser.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const heightOf = "document.querySelector('.site-header').getBoundingClientRect().height";

test.each([true, false])(
  "on a phone the menu is folded into one line, and opens by keyboard; with script: %s",
  async (javaScript) => {
    const page = await openPage(browser, { width: 390, colorScheme: "dark", javaScript });
    await page.goto(`${web.url}/login?next=/harmonizations`);
    await page.getByRole("heading", { name: "Your files" }).waitFor();
    expect(await page.evaluate(heightOf)).toBeLessThan(70);
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Check-ins" });
    expect(await link.isVisible()).toBe(false);
    await screenshot(page, "header-closed");
    const menu = page.getByText("Menu", { exact: true });
    await menu.focus();
    await page.keyboard.press("Enter");
    expect(await link.isVisible()).toBe(true);
    if (javaScript) await expectAccessible(page);
    await screenshot(page, "header-open");
    await page.keyboard.press("Tab");
    expect(
      await page
        .getByRole("link", { name: "Search" })
        .first()
        .evaluate((node) => node === document.activeElement),
    ).toBe(true);
    await link.click();
    await page.getByRole("heading", { name: "Check-ins" }).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  },
);

test("on a wide window the menu stands in the header, without a button", async () => {
  const page = await openPage(browser, { width: 1280 });
  await page.goto(`${web.url}/login?next=/harmonizations`);
  await page.getByRole("heading", { name: "Your files" }).waitFor();
  expect(await page.getByText("Menu", { exact: true }).isVisible()).toBe(false);
  expect(await page.getByRole("navigation", { name: "Main" }).getByRole("link").count()).toBe(6);
  expect(await page.evaluate(heightOf)).toBeLessThan(70);
});
