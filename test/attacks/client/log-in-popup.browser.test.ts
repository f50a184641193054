import type { Page } from "playwright-core";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { expectAccessible, launchBrowser, openPage, screenshot, type WatchedPage } from "../../support/browser.ts";
import { type Behaviour, drops } from "../../support/fake-directory/behaviours.ts";
import { PLAIN_PAGE, serveSite } from "../../support/site.ts";
import { startWeb } from "../../web/web-app.ts";
import { runningApps } from "../running-apps.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());
const foreignOrigin = await serveSite();

beforeEach(() => web.directory.reset());

const breakConnections = (database = web.database) =>
  database.pool.query("UPDATE app.connection SET broken_at = now()");

/**
 * Opens a page that says "Connect again". From one that asks for nothing by itself: the first request after the end of a connection gets
 * that page and ends the session, and the requests of a page that follows the copying of check-ins would be the first.
 */
async function disconnectedPage(options = {}): Promise<WatchedPage> {
  const page = await openPage(browser, options);
  await page.goto(`${web.url}/login?next=/settings`);
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await breakConnections();
  await page.goto(`${web.url}/checkins?page=2`);
  return page;
}

/** Presses "Connect to the directory", which opens a popup. */
async function connectInPopup(page: Page): Promise<Page> {
  const loaded = "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/popup.js'))";
  await expect.poll(() => page.evaluate(loaded)).toBe(true);
  const [popup] = await Promise.all([page.waitForEvent("popup"), connect(page)]);
  return popup;
}
const connect = (page: Page) => page.getByRole("link", { name: "Connect to the directory" }).click();

const closed = async (popup: Page) => popup.isClosed() || (await popup.waitForEvent("close"));

/** Makes the directory show a page of its own with this script, and a link onwards. */
const showsPage =
  (script = ""): Behaviour =>
  ({ response, usual }) => {
    const { location = "" } = usual().headers;
    const link = `<a id="on" href="${location.replaceAll("&", "&amp;")}">Allow</a>`;
    response.writeHead(200, { "content-type": "text/html" }).end(`${PLAIN_PAGE}${link}<script>${script}</script>`);
  };

describe("a log-in in a popup", () => {
  test("A29: closes and shows the requested page in its opener, where the directory loads the callback", async () => {
    const page = await disconnectedPage();
    const popup = await connectInPopup(page);
    await Promise.all([closed(popup), page.getByText("41–45 of 45").waitFor()]);
    expect(page.url()).toBe(`${web.url}/checkins?page=2`);
    expect(page.context().pages()).toEqual([page]);
  });

  test("shows its error in the popup, and completes when started again there", async () => {
    const page = await disconnectedPage();
    web.directory.behave("/oauth2/authenticate", ({ response, usual }) => {
      const to = new URL(usual().headers.location ?? "");
      to.searchParams.delete("code");
      to.searchParams.set("error", "access_denied");
      response.writeHead(302, { location: to.href }).end();
    });
    const popup = await connectInPopup(page);
    await popup.getByRole("heading", { name: "You did not allow access" }).waitFor();
    expect(await popup.evaluate("[innerWidth, innerHeight]")).toEqual([560, 680]);
    await screenshot(popup, "popup-denied");
    const waiting = page.locator("a[data-busy]");
    expect(await waiting.count(), "the link says that something happens").toBe(1);
    web.directory.reset();
    await Promise.all([closed(popup), popup.getByRole("link", { name: "Start again" }).click()]);
    await page.getByText("41–45 of 45").waitFor();
  });

  test("can be closed and started again", async () => {
    const page = await disconnectedPage();
    web.directory.behave("/oauth2/authenticate", showsPage());
    const popup = await connectInPopup(page);
    await popup.close();
    await page.locator("a[data-popup]:not([data-busy])").waitFor();
    web.directory.reset();
    await closed(await connectInPopup(page));
    await page.getByText("41–45 of 45").waitFor();
  });

  test("A29: ignores a directory page that imitates the app's message", async () => {
    const page = await disconnectedPage();
    const lie = 'opener.postMessage({ samespot: "logged-in", next: "/settings" }, "*"); document.title = "said"';
    web.directory.behave("/oauth2/authenticate", showsPage(lie));
    await page.evaluate("heard = false; addEventListener('message', () => { heard = true })");
    const popup = await connectInPopup(page);
    await expect.poll(() => page.evaluate("heard")).toBe(true); // after the listener of the page
    expect(page.url()).toBe(`${web.url}/checkins?page=2`);
    await Promise.all([closed(popup), popup.click("#on")]);
    await page.getByText("41–45 of 45").waitFor();
  });

  test("A29: gives a foreign page that opens it, or its final page, no data and no window handle", async () => {
    const page = await openPage(browser);
    await page.goto(foreignOrigin);
    await page.evaluate("heard = []; addEventListener('message', ({ data }) => heard.push(data))");
    const open = async (path: string) => {
      const opened = page.waitForEvent("popup");
      const address = JSON.stringify(web.url + path);
      await page.evaluate(`popup = open(${address}, "", "popup,width=560,height=680"); undefined`);
      return opened;
    };
    const endsUnseen = async (popup: Page) => {
      await popup.getByText("1–40 of 45").waitFor();
      expect(popup.url()).toBe(`${web.url}/checkins`);
      expect(await popup.evaluate("opener")).toBeNull();
      expect(await page.evaluate("[heard, popup.closed]")).toEqual([[], true]);
    };
    const begun = await open("/login?display=webpopup&next=/checkins");
    await begun.getByRole("link", { name: "Log in" }).last().click();
    await endsUnseen(begun);
    await endsUnseen(await open("/login/popup?next=/checkins"));
  });

  test("works without an opener, without script, and where no popup can open", async () => {
    const alone = await openPage(browser);
    await alone.goto(`${web.url}/login?display=webpopup&next=/checkins`);
    await alone.getByText("1–40 of 45").waitFor();

    const plain = await openPage(browser, { javaScript: false });
    await plain.goto(`${web.url}/login?display=webpopup&next=/checkins`);
    await plain.getByRole("heading", { name: "You are logged in" }).waitFor();
    await screenshot(plain, "popup-done");
    await plain.getByRole("link", { name: "Continue" }).click();
    await plain.getByText("1–40 of 45").waitFor();

    const phone = await disconnectedPage({ width: 390 });
    await connect(phone);
    await phone.getByText("41–45 of 45").waitFor();
    expect(phone.context().pages()).toEqual([phone]);
  });
});

test("the final page of a popup log-in requires a log-in and links only to pages of the app", async () => {
  const guest = await web.newBrowser().get("/login/popup?next=/checkins");
  expect(guest.headers.get("location")).toBe("/login?next=%2Fcheckins");
  const member = await web.logIn();
  expect((await member.get("/login/popup?next=//evil.example")).body).toContain('href="/" data-logged-in');
});

test("the page that asks who began a log-in is readable and accessible", async () => {
  const fresh = await startWeb();
  fresh.directory.behave("/oauth2/authenticate", drops("state"));
  for (const [width, colorScheme] of [
    [1280, "light"],
    [390, "dark"],
  ] as const) {
    await fresh.database.pool.query("DELETE FROM app.known_directory");
    const page = await openPage(browser, { width, colorScheme });
    await page.goto(`${fresh.url}/login?next=/checkins`);
    await page.getByRole("heading", { name: "Finish logging in?" }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `finish-${width}-${colorScheme}`);
    await page.getByRole("button", { name: "Finish logging in" }).click();
    await page.getByText("1–40 of 45").waitFor();
  }
});

test("A29: our own directory passes the answer to the opener, which shows the requested page", async () => {
  const apps = await runningApps({ instances: 1 });
  const page = await openPage(browser);
  await page.goto(`${apps.url}/login?next=/venues`);
  await page.getByLabel("Username").fill(apps.demo.handle);
  await page.getByLabel("Password").fill(apps.demo.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Places", exact: true }).waitFor();
  await breakConnections(apps.database);
  const asked = `${apps.url}/venues?query=coffee&ll=41.83,-71.39`;
  await page.goto(asked);
  const popup = await connectInPopup(page);
  await Promise.all([closed(popup), page.getByRole("heading", { name: "Places", exact: true }).waitFor()]);
  expect(page.url()).toBe(asked);
  expect(page.context().pages()).toEqual([page]);
});
