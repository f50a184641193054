import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot } from "../../../support/browser.ts";
import { PLAIN_PAGE, serveSite } from "../../../support/site.ts";
import { authHost, authorizePath } from "../auth-host.ts";

const host = await authHost();
let browser: Browser;
/** Referers of the requests to the application's callback. */
const referers: (string | undefined)[] = [];
const appOrigin = await serveSite((request, response) => {
  if (request.url?.startsWith("/callback")) referers.push(request.headers.referer);
  if (request.url === "/guarded") response.setHeader("cross-origin-opener-policy", "same-origin");
  response.end(PLAIN_PAGE);
});

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const register = (more = {}) =>
  host.application({ name: "Weekend walks", redirectUris: [`${appOrigin}/callback`], ...more });

const popupAddress = (clientId: string, more: Record<string, string> = {}) =>
  host.url +
  authorizePath(clientId, { redirect_uri: `${appOrigin}/callback`, display: "webpopup", state: "s", ...more });

/** Opens a window as the application's script would. */
async function openPopup(page: Page, address: string): Promise<Page> {
  const opened = page.waitForEvent("popup");
  await page.evaluate(`void open(${JSON.stringify(address)}, "login", "width=480,height=640")`);
  return opened;
}

async function logIn(page: Page, { handle, password }: { handle: string; password: string }) {
  await page.getByLabel("Username").fill(handle);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

it("a popup loads the callback in its opener and closes: allowed, straight on, denied, token flow", async () => {
  const [user, { clientId }] = [await host.user(), await register({ tokenFlow: true })];
  const page = await openPage(browser);
  const answeredBy = async (popup: Page, how: () => Promise<void>, pattern: RegExp) => {
    const closed = popup.isClosed() ? Promise.resolve() : popup.waitForEvent("close");
    await how();
    await Promise.all([closed, page.waitForURL(pattern)]);
    expect(page.context().pages()).toEqual([page]);
  };
  const none = async () => {};

  await page.goto(`${appOrigin}/`);
  const popup = await openPopup(page, popupAddress(clientId));
  await logIn(popup, user);
  await popup.getByRole("heading", { name: "Allow Weekend walks" }).waitFor();
  await screenshot(popup, "auth-popup-consent");
  await answeredBy(popup, () => press(popup, "Allow"), /\/callback\?code=[\w-]{43}&state=s$/);

  await page.goto(`${appOrigin}/`);
  await answeredBy(await openPopup(page, popupAddress(clientId)), none, /\/callback\?code=/);
  await page.goto(`${appOrigin}/`);
  const token = popupAddress(clientId, { response_type: "token" });
  await answeredBy(await openPopup(page, token), none, /\/callback#access_token=[\w-]{43}&state=s$/);
  await page.goto(`${appOrigin}/`);
  const asked = await openPopup(page, popupAddress(clientId).replace("authenticate", "authorize"));
  await answeredBy(asked, () => press(asked, "Deny"), /\/callback\?error=access_denied/);
  await page.goto(`${appOrigin}/`);
  await answeredBy(
    await openPopup(page, popupAddress(clientId, { response_type: "foo" })),
    none,
    /\?error=unsupported/,
  );
  expect(new Set(referers.splice(0))).toEqual(new Set([undefined]));
});

it("a popup loads a mistake of the application in its opener after a stranger's click", async () => {
  const { clientId } = await register();
  const page = await openPage(browser);
  await page.goto(`${appOrigin}/`);
  const popup = await openPopup(page, popupAddress(clientId, { response_type: "foo" }));
  await popup.waitForLoadState(); // until then the link leads on in the window itself
  const answered = [popup.waitForEvent("close"), page.waitForURL(/\/callback\?error=unsupported_response_type/)];
  const link = popup.getByRole("link", { name: "Go back to the application" });
  await link.click().catch(() => undefined); // fails if the popup closes before the click returns
  await Promise.all(answered);
});

it("a popup loads the callback itself without an opener or without script", async () => {
  const [user, { clientId }] = [await host.user(), await register()];
  const alone = await openPage(browser);
  await alone.goto(popupAddress(clientId));
  await logIn(alone, user);
  await press(alone, "Allow");
  await alone.waitForURL(/\/callback\?code=/);

  await alone.goto(`${appOrigin}/guarded`);
  const cutOff = await openPopup(alone, popupAddress(clientId));
  await cutOff.waitForURL(/\/callback\?code=/);
  expect(alone.url()).toBe(`${appOrigin}/guarded`);

  const plain = await openPage(browser, { javaScript: false });
  await plain.goto(popupAddress(clientId));
  await logIn(plain, user);
  await plain.waitForURL(/\/callback\?code=/);
  expect(new Set(referers.splice(0))).toEqual(new Set([undefined]));
});

it("a popup shows the target of the answer until its script runs", async () => {
  const [user, { clientId }] = [await host.user(), await register()];
  for (const [width, colorScheme] of [
    [480, "light"],
    [360, "dark"],
  ] as const) {
    const page = await openPage(browser, { width, colorScheme });
    await page.route("**/hand-over.js", () => {});
    await page.goto(popupAddress(clientId), { waitUntil: "commit" });
    await logIn(page, user);
    if (width === 480) await page.getByRole("button", { name: "Allow" }).click({ noWaitAfter: true });
    await page.getByRole("heading", { name: "Back to the application" }).waitFor();
    await page.getByText(appOrigin).waitFor();
    await expectAccessible(page);
    await screenshot(page, `auth-hand-over-${width}-${colorScheme}`);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
});

it("a user can continue the same request with another account", async () => {
  const [first, second, { clientId }] = [await host.user(), await host.user(), await register()];
  const page = await openPage(browser);
  await page.goto(popupAddress(clientId, { display: "", state: "kept" }));
  await logIn(page, first);
  await press(page, "Allow");
  await page.waitForURL(/\/callback\?code=/);
  await page.goto(popupAddress(clientId, { display: "", state: "kept" }).replace("authenticate", "authorize"));
  await page.getByText(`Logged in as ${first.handle}.`).waitFor();
  await press(page, "Use another account");
  await page.getByText("to continue to Weekend walks").waitFor();
  await logIn(page, second);
  await page.getByText(`Logged in as ${second.handle}.`).waitFor();
  await press(page, "Allow");
  await page.waitForURL(/\/callback\?code=[\w-]+&state=kept$/);
  const codes = await host.deps.prisma.authorizationCode.findMany({
    where: { clientId },
    orderBy: { createdAt: "asc" },
  });
  expect(codes.map(({ userId }) => userId)).toEqual([first.id, second.id]);
});
