import { afterAll, expect, test } from "vitest";
import { findingsOf, overflowOf } from "../crawl/checks.ts";
import { launchBrowser, openAccount, openPage, screenshot } from "../support/browser.ts";
import { answers } from "../support/fake-directory/behaviours.ts";
import { startWeb } from "./web-app.ts";

const web = await startWeb();
Object.assign(web.directory.checkins[0] ?? {}, { editable: true });
const browser = await launchBrowser();
afterAll(() => browser.close());

const PAGES = [
  "/",
  "/venues?query=coffee&ll=41.8,-71.4",
  "/venues?query=zzz",
  "/venues/new",
  "/venues/proposals",
  "/checkins",
  "/checkins?q=zzz",
  `/checkins/${web.directory.checkins[0]?.id}`,
  "/settings",
  "/settings/tokens",
  "/api/v1",
];

test.each([1280, 640, 390])("every page at %i pixels passes the checks of the crawl", async (width) => {
  const page = await openPage(browser, { width });
  const isZoom = width === 640; // as at 200 % zoom
  const look = async (name: string) => {
    await page.waitForLoadState("networkidle"); // what a script adds while Tab goes round would not be reached
    if ((await page.locator("[data-categories]").count()) > 0) {
      await page.getByLabel("Name", { exact: true }).focus();
      await page.locator("input[role=combobox]").waitFor();
    }
    expect(await (isZoom ? overflowOf(page) : findingsOf(page, [])), name).toEqual([]);
    await screenshot(page, `web-${name}-${width}`);
  };
  await page.goto(web.url);
  await look("guest");
  await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Hello, Fay" }).waitFor();
  for (const [index, path] of PAGES.entries()) {
    await page.goto(web.url + path);
    await look(`page${index}`);
  }
  if (isZoom) return; // of the same pages

  await page.goto(`${web.url}/venues?query=coffee&ll=41.8,-71.4`);
  await page.getByRole("link", { name: "Corner Coffee" }).first().click();
  await page.getByRole("heading", { name: "Corner Coffee" }).waitFor();
  await look("venue");
  await page.getByLabel("Breadcrumb").getByRole("link", { name: "Places" }).click();
  await page.getByText("1 match for “coffee”").waitFor();
  await page.goto(`${web.url}/nothing`);
  await look("missing");

  await page.goto(`${web.url}/venues/new?ll=41.8236,-71.4222`);
  await page.getByRole("button", { name: "Add venue" }).click();
  await page.getByText("There is a problem").waitFor();
  await look("add-wrong");
  await page.getByLabel("Name", { exact: true }).fill("Corner Bakery");
  await page.locator("input[role=combobox]").fill("Café");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Add venue" }).click();
  await page.getByRole("heading", { name: "Is it one of these?" }).waitFor();
  await look("candidates");
  await page.getByRole("button", { name: "None of these: add as new" }).click();
  await page.getByText("Added.").waitFor();
  await look("added");

  web.directory.behave("/v2/*", answers(401, { meta: { code: 401, errorType: "invalid_auth" }, response: {} }));
  await page.goto(`${web.url}/checkins`);
  await look("connect-again");
  web.directory.reset();
  await page.getByRole("link", { name: "Connect to the directory" }).click();
  await page.getByRole("heading", { name: "Check-ins" }).waitFor();
  await openAccount(page);
  await page.getByRole("banner").getByRole("button", { name: "Log out" }).click();
  await page.getByRole("main").getByRole("link", { name: "Log in" }).waitFor();
});

test("nothing moves on a phone when the map arrives after the rest of a page", async () => {
  const page = await openPage(browser, { width: 390 });
  await page.goto(`${web.url}/login?next=/venues/new?ll=41.8236,-71.4222`);
  for (const [path, part] of [
    ["/venues/new?ll=41.8236,-71.4222", ".form"],
    ["/venues?query=coffee&ll=41.8,-71.4", "section[aria-label=Results]"],
  ] as const) {
    await page.goto(web.url + path);
    await page.locator(".map.is-live").waitFor();
    const top = () => page.locator(part).evaluate((element) => element.getBoundingClientRect().top + scrollY);
    const withMap = await top();
    await page.locator(".aside").evaluate((element) => element.remove());
    expect(Math.abs((await top()) - withMap), path).toBeLessThan(1);
  }
});

test("a venue is added without script, with a category from the list", async () => {
  const page = await openPage(browser, { javaScript: false });
  await page.goto(`${web.url}/login?next=/venues/new`);
  await page.getByLabel("Name", { exact: true }).fill("Quiet Museum");
  await page.getByLabel("Position").fill("41.82, -71.41");
  await page.getByLabel("Category").selectOption({ label: "Café" });
  await page.getByRole("button", { name: "Add venue" }).click();
  await page.getByText("Added.").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Quiet Museum");
});
