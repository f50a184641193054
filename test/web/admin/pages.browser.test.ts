import { afterAll, expect, test } from "vitest";
import { launchBrowser, lookAt, openAccount, openPage } from "../../support/browser.ts";
import { resetSecrets } from "../../support/fake-directory/fake-secrets.ts";
import { startWeb } from "../web-app.ts";
import { confirmedAgo } from "./browser.ts";

const web = await startWeb();
web.directory.offerSecrets();
const browser = await launchBrowser();
afterAll(() => browser.close());

test.each([true, false])(
  "an admin rotates the secret and opens the admin pages, with script: %j",
  async (javaScript) => {
    const page = await openPage(browser, { javaScript });
    const presentable = lookAt(page, "admin", javaScript);
    const look = async (name: string) => {
      expect(await page.getByRole("heading", { level: 1 }).count(), `headings of ${name}`).toBe(1);
      await presentable(name);
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
  },
);
