import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectFits, expectPresentableNow, launchBrowser, lookAt, openPage } from "../../support/browser.ts";
import { authHost, authorizePath } from "./auth-host.ts";

const host = await authHost({ signUp: true });
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
/** By id, because the password hint has the same label. */
const field = (page: Page, id: string) => page.locator(`#${id}`);

it.each([true, false])(
  "a user signs up from an application, changes the password and logs out everywhere, with script: %j",
  async (javaScript) => {
    const handle = `new-${crypto.randomUUID().slice(0, 8)}`;
    const { clientId } = await host.application({ name: "Weekend walks" });
    const page = await openPage(browser, { width: 360, javaScript });
    const seen = lookAt(page, "auth", javaScript);
    await page.goto(host.url + authorizePath(clientId));
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByText("to continue to Weekend walks").waitFor();
    await seen("sign-up");
    await field(page, "handle").fill("a b");
    await press(page, "Create account");
    await page.getByText("Password is required").waitFor();
    await seen("sign-up-wrong");
    await field(page, "handle").fill(handle);
    await field(page, "firstName").fill("Ada");
    await field(page, "password").fill("first password");
    await press(page, "Create account");
    await page.getByText(`Logged in as ${handle}.`).waitFor();

    await page.goto(`${host.url}/settings`);
    await seen("settings");
    await field(page, "currentPassword").fill("not the one");
    await field(page, "newPassword").fill("short");
    await press(page, "Change password");
    await page.getByText("Password needs at least 8 characters").first().waitFor();
    await seen("settings-wrong");
    await field(page, "currentPassword").fill("first password");
    await field(page, "newPassword").fill("second password");
    await press(page, "Change password");
    await page.getByText("Your password has been changed").waitFor();
    await seen("settings-changed");
    await press(page, "Log out everywhere");
    await page.getByRole("link", { name: "Log in" }).first().waitFor();
    await page.goto(`${host.url}/login`);
    await field(page, "handle").fill(handle);
    await field(page, "password").fill("second password");
    await press(page, "Log in");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  },
);

it("a new password can be shown while the user types, and is sent as a password", async () => {
  const page = await openPage(browser);
  await page.goto(`${host.url}/sign-up`);
  const password = field(page, "password");
  expect(await password.getAttribute("type")).toBe("password");
  await password.fill("typed with care");
  await press(page, "Show password");
  expect(await password.getAttribute("type")).toBe("text");
  await press(page, "Show password");
  expect(await password.getAttribute("type")).toBe("password");
  await press(page, "Show password");
  await page.evaluate("document.forms[0].addEventListener('submit', (event) => event.preventDefault())");
  await press(page, "Create account");
  expect(await password.getAttribute("type")).toBe("password");
});

it("the auth pages fit a phone with display=touch, and an old phone with display=wap", async () => {
  const user = await host.user();
  const { clientId } = await host.application({ name: "Weekend walks" });
  for (const [display, javaScript] of [
    ["touch", true],
    ["wap", false],
  ] as const) {
    const page = await openPage(browser, { width: 320, javaScript });
    const look = (name: string) =>
      javaScript ? expectPresentableNow(page, `auth-${name}`) : expectFits(page, `auth-${name}`);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.resourceType()));
    await page.goto(host.url + authorizePath(clientId, { display }));
    await look(`login-${display}`);
    await field(page, "handle").fill(user.handle);
    await field(page, "password").fill(user.password);
    await press(page, "Log in");
    await page.getByRole("heading", { name: "Allow Weekend walks" }).waitFor();
    await look(`consent-${display}`);
    if (display === "wap") expect(new Set(requests)).toEqual(new Set(["document"]));
    else expect(requests).toContain("stylesheet");
    await page.goto(`${host.url}/login`);
  }
});
