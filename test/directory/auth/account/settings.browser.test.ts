import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { authHost, authorizePath, loggedIn } from "../auth-host.ts";

const host = await authHost();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

type Person = Awaited<ReturnType<typeof host.user>>;

async function logIn(page: Page, { handle, password }: Person) {
  await page.goto(`${host.url}/login`);
  await page.getByLabel("Username").fill(handle);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
}

it.each([
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const)("a user ends sessions and confirms a log-in in Chrome: %j", async ({ width, colorScheme }) => {
  const page = await openPage(browser, { width, colorScheme });
  const look = async (name: string) => {
    await screenshot(page, `auth-${name}-${width}-${colorScheme}`);
    await expectAccessible(page);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(overflow, `${name} scrolls sideways`).toBe(0);
  };
  const user = await host.user();
  const others = [await loggedIn(host, user), await loggedIn(host, user)];
  await logIn(page, user);
  await look("sessions");
  const sessions = page.getByRole("region", { name: "Sessions" });
  await sessions.getByRole("button", { name: "End selected sessions" }).click();
  await page.getByRole("link", { name: "Choose which sessions to end" }).waitFor();
  await look("sessions-wrong");
  await sessions.getByLabel("Unknown browser").first().check();
  await sessions.getByLabel("Current password").fill(user.password);
  await page.keyboard.press("Enter");
  await page.getByText("The session has been ended.").waitFor();
  await sessions.getByLabel("All other sessions").check();
  await sessions.getByLabel("Current password").fill(user.password);
  await page.keyboard.press("Enter");
  await page.getByText("You are not logged in anywhere else.").waitFor();
  await look("sessions-ended");
  for (const other of others) expect((await other.get("/settings")).status).toBe(303);

  const { clientId } = await host.application({ name: "Weekend walks" });
  await page.goto(`${host.url}${authorizePath(clientId, { prompt: "login" })}`);
  await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
  expect(await page.getByLabel("Username").inputValue()).toBe(user.handle);
  await look("confirm");
  await page.getByLabel("Password").fill("wrong password");
  await page.keyboard.press("Enter");
  await page.getByText("Username or password is wrong").waitFor();
  await look("confirm-wrong");
});
