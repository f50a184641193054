import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyClient } from "../../../../src/directory/applications/secrets.ts";
import { launchBrowser, lookAt, openPage } from "../../../support/browser.ts";
import { authHost, CALLBACK } from "../auth-host.ts";

const host = await authHost();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const SECRET = /^[\w-]{43}$/;

/** Logs in as a new user and opens the list of applications. */
async function openApplications(page: Page) {
  const user = await host.user();
  await page.goto(`${host.url}/login`);
  await page.getByLabel("Username").fill(user.handle);
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("link", { name: "Applications", exact: true }).click();
  return user;
}

it.each([true, false])(
  "a developer registers an application, rotates and ends secrets, and deletes it, with script: %j",
  async (javaScript) => {
    const page = await openPage(browser, { width: 360, javaScript });
    const look = lookAt(page, "developer", javaScript);
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    const works = async (secret: string) => {
      const clientId = new URL(page.url()).pathname.split("/")[2] ?? "";
      return (await verifyClient(host.deps, clientId, secret)) !== undefined;
    };
    await openApplications(page);
    await look("none");
    await page.getByRole("link", { name: "Register an application" }).click();
    await press("Register");
    await page.getByText("An application needs a name.").first().waitFor();
    await look("mistakes");
    await page.getByLabel("Name").fill("Weekend walks");
    await page.getByLabel("Redirect URIs").fill(`${CALLBACK}\nhttp://localhost:8080/callback`);
    await page.getByLabel("Web connect").check();
    await page.getByLabel("The application may change its own secret").check();
    await look("new");
    await press("Register");
    const shown = page.locator("#new-secret");
    const first = (await shown.textContent())?.trim() ?? "";
    expect(first).toMatch(SECRET);
    await look("registered");

    await page.reload();
    expect(await shown.count()).toBe(0);
    expect(await page.locator("#address-secret").textContent()).toBe(`${host.url}/oauth2/client_secret`);
    await look("application");
    await page.getByLabel("When you rotate").selectOption("24h");
    await press("Rotate the secret");
    const second = (await shown.textContent())?.trim() ?? "";
    expect([await works(first), await works(second)]).toEqual([true, true]);
    await look("rotated");
    await page.getByLabel("Breadcrumb").getByRole("link", { name: "Applications", exact: true }).click();
    await look("list");
    await page.goBack();
    await page.getByRole("heading", { name: "Weekend walks" }).waitFor();
    expect(await page.content()).not.toContain(second);
    await press("End now");
    await page.getByText("The secret has been ended").waitFor();
    expect([await works(first), await works(second)]).toEqual([false, true]);

    await page.getByLabel("Reserve a provider id").fill("walks");
    await press("Reserve");
    await page.getByText("walks is now reserved").waitFor();
    await page.getByLabel("Type the application’s name").fill("Weekend");
    await press("Delete");
    await page.getByText("This is not the application's name").waitFor();
    await look("not-deleted");
    await page.getByLabel("Type the application’s name").fill("Weekend walks");
    await press("Delete");
    await page.getByText("Weekend walks has been deleted.").waitFor();
    await look("deleted");
  },
);
