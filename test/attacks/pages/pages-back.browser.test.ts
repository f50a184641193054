import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect, it } from "vitest";
import { launchBrowser, openAccount, openPage } from "../../support/browser.ts";
import { answersHtml } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());
beforeEach(() => web.directory.reset());

const PRIVATE = /Prudence|45 check-ins|Log out|name="_csrf"/;

// Opens two private pages. From then on the directory asks for the password instead of logging in at once.
async function readSomething(): Promise<Page> {
  const page = await openPage(browser);
  web.directory.signIn("Prudence");
  await page.goto(`${web.url}/login?next=/checkins`);
  await page.getByText("45 check-ins").waitFor();
  await page.goto(`${web.url}/settings`);
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  web.directory.behave("/oauth2/authenticate", answersHtml());
  return page;
}

it("W07: the back button shows no private page after a log-out", async () => {
  const page = await readSomething();
  await openAccount(page);
  await page.getByRole("banner").getByRole("button", { name: "Log out" }).click();
  await page.getByText("You are logged out.").waitFor();
  for (const private_ of ["/settings", "/checkins"]) {
    await page.goBack({ waitUntil: "load" });
    expect([private_, new URL(page.url()).origin]).toEqual([private_, web.directory.authUrl]);
    expect([private_, PRIVATE.test(await page.content())]).toEqual([private_, false]);
  }
});

it("W07: a page cached despite no-store is requested again when it is shown", async () => {
  const page = await readSomething();
  // Chromium keeps no pages in tests, so the event is simulated.
  await page.evaluate(async () => {
    const body = new URLSearchParams(
      new FormData(document.querySelector('form[action="/logout"]') as HTMLFormElement) as never,
    );
    await fetch("/logout", { method: "POST", body, redirect: "manual" });
  });
  expect(PRIVATE.test(await page.content())).toBe(true);
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await page.waitForURL(`${web.directory.authUrl}/**`);
  expect(PRIVATE.test(await page.content())).toBe(false);
});
