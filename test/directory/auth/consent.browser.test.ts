import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../support/browser.ts";
import { serveSite } from "../../support/site.ts";
import { authHost, authorizePath } from "./auth-host.ts";

const host = await authHost();
let browser: Browser;
const appOrigin = await serveSite();

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const register = () => host.application({ name: "Weekend walks", redirectUris: [`${appOrigin}/callback`] });

async function fillIn(page: Page, { handle, password }: { handle: string; password: string }) {
  await page.getByLabel("Username").fill(handle);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

it.each([
  { width: 1280, javaScript: true },
  { width: 360, javaScript: true },
  { width: 360, javaScript: false, display: "wap" },
])("a user logs in, consents, returns and disconnects in Chrome: %j", async ({ width, javaScript, display = "" }) => {
  const [user, { clientId }] = [await host.user(), await register()];
  const page = await openPage(browser, { width, javaScript });
  const look = async (name: string) => {
    await screenshot(page, `auth-${name}-${width}${display}`);
    if (javaScript) await expectAccessible(page);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow, `${name} scrolls sideways`).toBe(0);
  };
  await page.goto(`${host.url}${authorizePath(clientId, { redirect_uri: `${appOrigin}/callback`, display })}`);
  await look("login");
  await fillIn(page, { handle: user.handle, password: "wrong password" });
  await page.getByText("Username or password is wrong").waitFor();
  await look("login-wrong");
  await fillIn(page, user);
  await page.getByRole("heading", { name: "Allow Weekend walks to use your account?" }).waitFor();
  await look("consent");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/127\.0\.0\.1:\d+\/callback\?code=/);

  await page.goto(`${host.url}/settings`);
  await look("settings");
  await page.getByText("Disconnect… Weekend walks").press("Enter");
  await look("disconnect");
  await page.getByRole("button", { name: "Disconnect Weekend walks" }).click();
  await page.getByText("Disconnected.").waitFor();
  await look("disconnected");
  await page.goto(host.url);
  await look("home");
  await page.goto(
    `${host.url}${authorizePath(clientId, { redirect_uri: `${appOrigin}/callback`, response_type: "foo" })}`,
  );
  await look("refusal");
  await page.goto(`${host.url}/login?request=${"0".repeat(24)}`);
  await look("login-over");
  await page.goto(`${host.url}${authorizePath("nobody")}`);
  await look("broken-link");
});
