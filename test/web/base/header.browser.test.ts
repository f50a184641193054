import { afterAll, expect, test } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../support/browser.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());

const heightOf = "document.querySelector('.site-header').getBoundingClientRect().height";

test.each([true, false])(
  "on a phone the tabs stand below the name, and the account opens by keyboard; with script: %s",
  async (javaScript) => {
    const page = await openPage(browser, { width: 390, colorScheme: "dark", javaScript });
    await page.goto(`${web.url}/login?next=/harmonizations`);
    await page.getByRole("heading", { name: "Your files" }).waitFor();
    expect(await page.evaluate(heightOf)).toBeLessThan(110);
    const tabs = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    expect(await tabs.allInnerTexts()).toEqual(["Files", "Places", "Check-ins"]);
    expect(await page.locator("[aria-current=page]").first().innerText()).toBe("Files");
    await page.locator(".site-user > summary").focus();
    await page.keyboard.press("Enter");
    if (javaScript) await expectAccessible(page);
    await screenshot(page, "header-open");
    const settings = page.getByRole("link", { name: "Settings" });
    expect(await settings.isVisible()).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    if (javaScript) {
      await page.keyboard.press("Escape");
      expect(await settings.isVisible()).toBe(false);
    }
  },
);

test("on a wide window all stands in one line, and “/” leads to the search", async () => {
  const page = await openPage(browser, { width: 1280 });
  await page.goto(`${web.url}/login?next=/settings`);
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  expect(await page.evaluate(heightOf)).toBeLessThan(70);
  await page.keyboard.press("/");
  await page.keyboard.type("coffee");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${web.url}/venues?query=coffee`);
  expect(await page.getByLabel("What").inputValue()).toBe("coffee");
  await page.getByLabel("What").press("End");
  await page.keyboard.press("/");
  expect(await page.getByLabel("What").inputValue(), "in a field it is a letter").toBe("coffee/");
});
