import { expect, test } from "vitest";
import { answers, hangs } from "../../support/fake-directory/behaviours.ts";
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

test("A31: while the directory cannot be reached, the log-in says so on a page of its own and keeps where to go", async () => {
  const { directory, newBrowser } = await startWeb();
  await directory.close();
  const page = await newBrowser().get("/login?next=/checkins");
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(page.body).toContain("The directory does not answer");
  expect(page.body).toMatch(/href="\/login\?next=(%2F|\/)checkins"[^>]*>\s*Try again/);
});

test("A31: a directory that does not answer within a second does not hold a log-in up", async () => {
  const { directory, newBrowser } = await startWeb();
  directory.behave("/.well-known/*", hangs());
  const begun = performance.now();
  const answer = await newBrowser().get("/login");
  expect([answer.status, new URL(answer.location).origin]).toEqual([303, directory.authUrl]);
  expect(performance.now() - begun).toBeLessThan(5000);
});
