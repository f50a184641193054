import { afterAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../../support/browser.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());
const category = (id: string, name: string, categories: object[] = []) => ({ id: id.repeat(24), name, categories });

test("a category is found by letters without accents, and only one from the list is sent", async () => {
  web.directory.behave("/v2/venues/categories", ({ response }) =>
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        meta: { code: 200 },
        response: {
          categories: [
            category("a", "Food", [category("b", "Café"), category("c", "Internet Café")]),
            category("d", "Shop"),
          ],
        },
      }),
    ),
  );
  const page = await openPage(browser);
  await page.goto(`${web.url}/login?next=/venues/new`);
  await page.getByLabel("Name", { exact: true }).focus();
  const field = page.locator("input[role=combobox]");
  const sent = page.locator("[name=primaryCategoryId]");
  await field.fill("cafe");
  expect(await page.getByRole("option", { includeHidden: false }).allInnerTexts()).toEqual([
    "Café\nFood",
    "Internet Café\nFood",
  ]);
  await field.press("ArrowDown");
  await field.press("Enter");
  expect([await field.inputValue(), await sent.inputValue()]).toEqual(["Internet Café", "c".repeat(24)]);
  await field.fill("internet");
  await field.press("ArrowDown");
  await field.press("Enter");
  expect([await field.inputValue(), page.url()], "of one, an arrow key leads nowhere else").toEqual([
    "Internet Café",
    expect.stringContaining("/venues/new"),
  ]);
  await field.fill("zzz");
  await page.getByText("No category matches. Try another word.").waitFor();
  await field.press("Tab");
  expect([await field.inputValue(), await sent.inputValue()]).toEqual(["Internet Café", "c".repeat(24)]);
  await field.fill("shop");
  await field.press("Tab");
  expect([await field.inputValue(), await sent.inputValue()], "a whole name counts").toEqual(["Shop", "d".repeat(24)]);
  await field.fill("");
  await field.press("Tab");
  expect(await sent.inputValue()).toBe("");
});
