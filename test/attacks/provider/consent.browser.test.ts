import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { authorizePath } from "../../directory/auth/auth-host.ts";
import { launchBrowser, openPage, type WatchedPage } from "../../support/browser.ts";
import { PLAIN_PAGE, serveSite } from "../../support/site.ts";
import { runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory();
let chrome: Browser;
/** Requests received at the application's own origin and at another. */
const calls = { own: [] as string[], other: [] as string[] };
/** Redirect target of the application's own origin, if any. */
let leadsOn = "";
const site = (name: "own" | "other") =>
  serveSite((request, response) => {
    calls[name].push(`${request.method} ${request.url}`);
    if (name === "own" && leadsOn) return response.writeHead(302, { location: leadsOn }).end();
    return response.end(PLAIN_PAGE);
  });
const origins = { own: await site("own"), other: await site("other") };

beforeAll(async () => {
  chrome = await launchBrowser();
});
afterAll(() => chrome?.close());

const redirectUri = () => `${origins.own}/callback`;
const press = (page: WatchedPage, name: string) => page.getByRole("button", { name }).click();

async function logIn(page: WatchedPage, address: string, { handle, password }: { handle: string; password: string }) {
  await page.goto(address);
  await page.getByLabel("Username").fill(handle);
  await page.getByLabel("Password").fill(password);
  await press(page, "Log in");
}

/** Removes and returns the CSP violations of the page. */
const violations = (page: WatchedPage) => page.problems.splice(0).filter((each) => each.includes("form-action"));

it("B42: Chrome follows a consent decision, and a log-in, to the registered origin", async () => {
  const [user, { clientId }] = [await directory.user(), await directory.application({ redirectUris: [redirectUri()] })];
  const address = directory.auth + authorizePath(clientId, { redirect_uri: redirectUri(), state: "s" });
  const page = await openPage(chrome);
  await logIn(page, address, user);
  await press(page, "Deny");
  await page.waitForURL(`${redirectUri()}?error=access_denied*`);
  await page.goto(address);
  await press(page, "Allow");
  await page.waitForURL(`${redirectUri()}?code=*`);
  // With a consent, the log-in form leads on without a click.
  const elsewhere = await openPage(chrome);
  await logIn(elsewhere, address, user);
  await elsewhere.waitForURL(`${redirectUri()}?code=*`);
});

it("B42: Chrome neither submits the consent form to another origin nor follows a redirect there", async () => {
  const [user, { clientId }] = [
    await directory.user(),
    await directory.application({ redirectUris: [redirectUri(), `${origins.other}/registered`] }),
  ];
  const address = directory.auth + authorizePath(clientId, { redirect_uri: redirectUri() });
  const page = await openPage(chrome);
  await logIn(page, address, user);
  await page.getByRole("button", { name: "Allow" }).waitFor();
  calls.own.length = 0;

  const allow = page.getByRole("button", { name: "Allow" });
  // Simulates injected markup …
  const targets = [`${origins.other}/steal`, origins.own.replace("127.0.0.1", "localhost"), directory.api];
  for (const target of targets) {
    await page.goto(address);
    await page.evaluate(`document.querySelector("form").action = ${JSON.stringify(target)}`);
    await allow.click({ noWaitAfter: true });
    await expect.poll(() => violations(page).length).toBe(1);
    expect(page.url()).toBe(address);
  }
  // … and a redirect to another origin.
  leadsOn = `${origins.other}/astray`;
  await page.goto(address);
  await allow.click({ noWaitAfter: true });
  await expect.poll(() => violations(page).length).toBe(1);
  expect(calls.own.filter((call) => call.startsWith("GET /callback?code="))).toHaveLength(1);
  expect(calls.other).toEqual([]);
});

it("B42: the form policy of a page names its request's origin only, and no origin without a request", async () => {
  const own = ["https://app.example:8443/cb?x=1", "https://other.example/a/b", redirectUri()];
  const { clientId } = await directory.application({ redirectUris: own });
  const browser = directory.browser();
  const formAction = async (path: string) => {
    const page = await browser.get(path);
    return /form-action ([^;]*)/.exec(page.headers.get("content-security-policy") ?? "")?.[1];
  };
  for (const redirect_uri of own)
    expect(await formAction(authorizePath(clientId, { redirect_uri }))).toBe(`'self' ${new URL(redirect_uri).origin}`);
  for (const path of ["/login", "/", `/login?request=${"0".repeat(24)}`, authorizePath("nobody"), "/nothing"])
    expect([path, await formAction(path)]).toEqual([path, "'self'"]);
});
