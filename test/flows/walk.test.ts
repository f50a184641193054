import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { startSamespot } from "../support/samespot.ts";
import { newcomer, visitorsOf } from "./visitor.ts";
import { allowIfAsked, logIn, menu, walk } from "./walk.ts";

const site = await startSamespot();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
const visitor = visitorsOf(site, () => browser);

describe("the walk (log in, search, open, add, find, look back, log out)", () => {
  // test/web/pages.browser.test.ts and test/directory/auth/pages.browser.test.ts check the same pages in this width.
  it("works on a wide screen", async () => {
    expect(await walk(await visitor({ name: "wide", isChecked: false }))).toBeGreaterThan(100);
  });
});

describe("a token revoked in the directory's settings", () => {
  it("leads to 'Connect again', and then back to the user's page", async () => {
    const demo = await visitor({ name: "revoked" });
    const { page, look } = demo;
    await logIn({ ...demo, account: await newcomer(site, "fickle") });
    await page.goto(`${site.authUrl}/settings`);
    await look("directory-settings");
    await page.getByText("Disconnect… Samespot").click();
    await page.getByRole("button", { name: "Disconnect Samespot" }).click();
    await page.getByText("No application is connected").waitFor();

    await page.goto(`${site.webUrl}/venues?query=coffee&ll=41.824,-71.4128`);
    await page.getByRole("heading", { level: 1, name: "Connect again" }).waitFor();
    await look("connect-again");
    const popup = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Connect to the directory" }).click();
    await allowIfAsked({ page: await popup, look });
    await page.waitForURL(`${site.webUrl}/venues?query=coffee&ll=41.824,-71.4128`);
    await page.getByRole("region", { name: "Results", exact: true }).waitFor();
    await menu(demo, "Check-ins");
    await page.getByText("No check-ins yet").waitFor();
  });
});
