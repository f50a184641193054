import { afterAll, expect, test } from "vitest";
import { expectAccessible, launchBrowser, openAccount, openPage, screenshot } from "../../support/browser.ts";
import { resetSecrets } from "../../support/fake-directory/fake-secrets.ts";
import { startWeb } from "../web-app.ts";
import { confirmedAgo } from "./browser.ts";

const web = await startWeb();
web.directory.offerSecrets();
const browser = await launchBrowser();
afterAll(() => browser.close());

test.each([
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark", javaScript: false },
] as const)("an admin rotates the secret and opens the admin pages, at $width pixels in $colorScheme", async (eyes) => {
  const page = await openPage(browser, eyes);
  const look = async (name: string) => {
    await screenshot(page, `admin-${name}-${eyes.width}-${eyes.colorScheme}`);
    expect(await page.getByRole("heading", { level: 1 }).count(), `headings of ${name}`).toBe(1);
    if ("javaScript" in eyes) return;
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `overflow of ${name}`).toBe(0);
    await expectAccessible(page);
  };
  resetSecrets(web.directory.client);
  await web.database.prisma.clientCredential.deleteMany();
  await page.goto(`${web.url}/login`);
  await web.database.pool.query("UPDATE app.account SET role = 'admin'");
  await page.goto(`${web.url}/settings`);
  await openAccount(page);
  await page.getByRole("link", { name: "Admin" }).click();
  await page.getByRole("heading", { name: "Status" }).waitFor();
  await look("status");
  await page.getByRole("link", { name: "Secrets" }).click();
  await page.getByRole("link", { name: "Confirm at the directory" }).waitFor();
  await look("secrets");
  await page.getByRole("link", { name: "Confirm at the directory" }).click();
  await page.getByRole("button", { name: "Rotate now" }).click();
  await page.getByText("every process now uses the new one").waitFor();
  await look("rotated");
  await page.getByRole("link", { name: "People" }).click();
  await look("people");
  await confirmedAgo(web, 11);
  await page.goto(`${web.url}/admin/secrets`);
  expect(await page.getByRole("button", { name: "Rotate now" }).count()).toBe(0);
});
