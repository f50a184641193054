import { expect, test } from "vitest";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();

test("a log-out makes the next log-in ask for the password, if the directory supports that", async () => {
  for (const knows of [true, false]) {
    const { directory, logIn } = await startWeb();
    const metadata = { issuer: directory.authUrl, prompt_values_supported: ["login"] };
    if (knows) directory.behave("/.well-known/*", answers(200, metadata));
    const browser = await logIn();
    const prompt = async () => new URL((await browser.get("/login")).location).searchParams.get("prompt");
    expect(await prompt()).toBeNull();
    await browser.submit(await browser.get("/settings"), "/logout");
    expect(await prompt()).toBe(knows ? "login" : null);
    await logIn(browser);
    expect(await prompt()).toBeNull();
  }
});

test.each(["cross-site", "same-site"])(
  "a page of another site (%s) cannot start a log-in: a button does",
  async (site) => {
    const browser = web.newBrowser();
    const page = await browser.get("/login?next=/checkins?page=7&display=webpopup", { "sec-fetch-site": site });
    expect([page.status, page.location, browser.cookies.size]).toEqual([200, "", 0]);
    expect(page.body).toContain('href="/login?next=/checkins?page=7&amp;display=webpopup"');
    const { rows } = await web.database.pool.query("SELECT 1 FROM app.login_attempt WHERE next = '/checkins?page=7'");
    expect(rows).toEqual([]);
  },
);
