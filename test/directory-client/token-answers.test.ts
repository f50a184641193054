import { afterEach, expect, test } from "vitest";
import {
  answers,
  answersHtml,
  answersToken,
  BAD_TOKENS,
  type Behaviour,
  cutsAfter,
  drips,
  gzipBomb,
  hangs,
  nests,
  rateLimits,
  redirectsTo,
  truncates,
} from "../support/fake-directory/behaviours.ts";
import { startFakeDirectory } from "../support/fake-directory/fake-directory.ts";
import { sessionOf, startWeb } from "../web/web-app.ts";

const DEADLINE_MS = 1000;
const web = await startWeb({ deadlineMs: DEADLINE_MS });
const collector = await startFakeDirectory();

afterEach(() => web.directory.reset());

// A directory that accepts any token, so that only the app can reject it.
const trusting = answers(200, { meta: { code: 200 }, response: { user: { id: "anybody", contact: {} } } });

const BAD_ANSWERS: Record<string, Behaviour> = {
  "status 500": answers(500, { error: "server_error" }),
  "a page of HTML": answersHtml(),
  "an empty object": answers(200, {}),
  "a list": answers(200, []),
  null: answers(200, "null"),
  "an error with status 200": answers(200, { error: "invalid_grant", access_token: "token-with-error" }),
  invalid_grant: answers(400, { error: "invalid_grant" }),
  invalid_client: answers(401, { error: "invalid_client" }),
  "half a JSON": truncates(),
  "a connection cut in the body": cutsAfter(10),
  "a connection cut before the head": cutsAfter(0),
  "a redirect to another host": redirectsTo(`${collector.authUrl}/oauth2/access_token`),
  "a permanent redirect": redirectsTo(`${collector.authUrl}/oauth2/access_token`, 308),
  "a gzip bomb": gzipBomb(200),
  "a hundred thousand lists in lists": nests(100_000),
  "one byte a second": drips(1000),
  "nothing at all": hangs(),
};
for (const [what, token] of Object.entries(BAD_TOKENS)) BAD_ANSWERS[`${what} for a token`] = answersToken(token);

/** Expects a page with the next step, and neither session nor user. */
async function expectNoLogIn(): Promise<void> {
  const browser = web.newBrowser();
  const callback = await web.beginLogin(browser);
  const before = performance.now();
  const page = await browser.get(callback);
  expect(performance.now() - before).toBeLessThan(DEADLINE_MS + 1500);
  expect(page.status).toBeGreaterThanOrEqual(400);
  expect(page.body).toMatch(/Start again|Try again/);
  expect(sessionOf(browser)).toBeUndefined();
  expect(await web.rows()).toEqual({ accounts: 0, connections: 0 });
  expect(collector.requests).toEqual([]);
}

test.each(Object.entries(BAD_ANSWERS))("A20: %s instead of a token logs no user in", async (_what, behaviour) => {
  web.directory.behave("/oauth2/access_token", behaviour);
  web.directory.behave("/v2/users/self", trusting);
  await expectNoLogIn();
  expect(web.exchanges()).toBe(1);
});

const self = (user: unknown): Behaviour => answers(200, { meta: { code: 200 }, response: { user } });
const BAD_SELVES: Record<string, Behaviour> = {
  "status 500": answers(500, {}),
  "a page of HTML": answersHtml(),
  "an empty object": answers(200, {}),
  "a list": answers(200, []),
  null: answers(200, "null"),
  "a refused token": answers(401, { meta: { code: 401, errorType: "invalid_auth" }, response: {} }),
  nobody: self(null),
  "no id": self({ firstName: "Fay" }),
  "half a JSON": truncates(),
  "a connection cut in the body": cutsAfter(10),
  "a connection cut before the head": cutsAfter(0),
  "a redirect to another host": redirectsTo(`${collector.baseUrl}/v2/users/self`),
  "a permanent redirect": redirectsTo(`${collector.baseUrl}/v2/users/self`, 308),
  "a gzip bomb": gzipBomb(200),
  "a hundred thousand lists in lists": nests(100_000),
  "one byte a second": drips(1000),
  "nothing at all": hangs(),
  "an id of control characters": self({ id: "\u0000\u0007" }),
};
for (const [what, id] of Object.entries(BAD_TOKENS))
  if (what !== "a number") BAD_SELVES[`${what} for an id`] = self({ id });

test.each(Object.entries(BAD_SELVES))("A20: %s instead of a user logs no user in", async (_what, behaviour) => {
  web.directory.behave("/v2/users/self", behaviour);
  await expectNoLogIn();
});

test("A10: a code of another application, which the directory refuses, creates neither session nor user", async () => {
  const browser = web.newBrowser();
  const callback = new URL(await web.beginLogin(browser, "/checkins"));
  callback.searchParams.set("code", web.directory.issueCode(`${web.url}/login/callback`, "another-client"));
  const page = await browser.get(callback.href);
  expect([page.status, sessionOf(browser), web.exchanges()]).toEqual([400, undefined, 1]);
  expect(page.body).toContain("The directory did not accept this log-in");
  expect(page.body).toContain('href="/login?next=%2Fcheckins"');
  expect(await web.rows()).toEqual({ accounts: 0, connections: 0 });
});

test("a directory's request to slow down is shown with the time to retry", async () => {
  for (const path of ["/oauth2/access_token", "/v2/users/self"]) {
    web.directory.reset();
    web.directory.behave(path, rateLimits("300"));
    const browser = web.newBrowser();
    const page = await browser.get(await web.beginLogin(browser));
    expect([page.status, page.headers.get("retry-after"), sessionOf(browser)]).toEqual([503, "300", undefined]);
    expect(page.body).toContain("The directory is busy");
    expect(page.body).toContain("Please start again in 5 minutes.");
  }
});

test("a valid token and user log in, in contrast to the rejected answers", async () => {
  const browser = await web.logIn();
  expect(sessionOf(browser)).toBeDefined();
  expect(await web.rows()).toEqual({ accounts: 1, connections: 1 });
});
