import { expect, it } from "vitest";
import { formFields, type HttpClient, type Page } from "../../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, codeFor, decide, loggedIn, logIn } from "./auth-host.ts";

const host = await authHost();
const OVER = /This request is over\..*Go back to the application and start again\./s;

/** Opens the log-in page of an authorization request. */
async function loginPage(browser: HttpClient, clientId?: string): Promise<Page & { request: string }> {
  const page = await browser.get(authorizePath(clientId ?? (await host.application()).clientId, { state: "s" }));
  return { ...page, request: formFields(page, "/login").request ?? "" };
}

/** Leaves the request so many seconds. */
const leave = (request: string, seconds: number) =>
  host.deps.pool.query(
    "UPDATE directory.authorization_request SET expires_at = now() + make_interval(secs => $2) WHERE id = $1",
    [request, seconds],
  );

it("an expired authorization request is reported after the log-in, even when the first password was wrong", async () => {
  const [user, browser] = [await host.user(), host.browser()];
  const page = await loginPage(browser);
  await leave(page.request, 0);
  const wrong = await browser.submit(page, "/login", { handle: user.handle, password: "wrong password" });
  expect([wrong.status, wrong.body]).toEqual([401, expect.stringMatching(OVER)]);
  const after = await logIn(browser, wrong, user);
  expect([after.status, after.location]).toEqual([400, ""]);
  expect(after.body).toMatch(/This request is over.*start again/s);
  expect((await browser.get("/settings")).status).toBe(200);
});

it("an expired authorization request is reported on its log-in page, and not on a page without one", async () => {
  const browser = host.browser();
  const page = await loginPage(browser);
  expect((await browser.get(`/login?request=${page.request}`)).body).not.toContain("is over");
  await leave(page.request, 0);
  for (const id of [page.request, "0".repeat(24), "canary<\"'"])
    expect((await browser.get(`/login?request=${encodeURIComponent(id)}`)).body).toMatch(OVER);
  expect((await browser.get("/login")).body).not.toContain("is over");
});

it("a browser without cookies gets an explanation, with the form and the handle kept", async () => {
  const [user, browser] = [await host.user(), host.browser()];
  const page = await loginPage(browser);
  browser.cookies.clear();
  const answer = await browser.submit(page, "/login", { handle: user.handle, password: user.password });
  expect(answer.status).toBe(403);
  expect(answer.body).toContain("Your browser did not send our cookie. Allow cookies for this site and try again.");
  expect(answer.body).not.toContain(user.password);
  expect(formFields(answer, "/login")).toMatchObject({ handle: user.handle, request: page.request });
  expect((await logIn(browser, answer, user)).body).toContain("Allow");
});

it("a log-in form older than another log-in is shown again, and logs no user in", async () => {
  const [user, other, browser] = [await host.user(), await host.user(), host.browser()];
  const page = await loginPage(browser);
  await logIn(browser, page, other);
  const answer = await browser.submit(page, "/login", { handle: user.handle, password: user.password });
  expect([answer.status, answer.body]).toEqual([403, expect.stringContaining("Send the form again.")]);
  expect(formFields(answer, "/login")).toMatchObject({ handle: user.handle, request: page.request });
  expect((await browser.get("/settings")).body).toContain(other.handle);
  const consent = await logIn(browser, answer, user);
  expect(consent.body).toContain(`Logged in as <b>${user.handle}</b>`);
});

it("a log-in form sent again after its success continues", async () => {
  const [user, browser] = [await host.user(), host.browser()];
  const page = await loginPage(browser);
  await logIn(browser, page, user);
  const session = [...browser.cookies.values()];
  const fields = { handle: ` ${user.handle.toUpperCase()}`, password: user.password };
  const again = await browser.submit(page, "/login", fields);
  expect([again.status, again.location]).toEqual([303, `${host.url}/oauth2/consent?request=${page.request}`]);
  const withoutRequest = await browser.submit(page, "/login", { ...fields, request: "" });
  expect([withoutRequest.status, withoutRequest.location]).toEqual([303, `${host.url}/settings`]);
  expect([...browser.cookies.values()]).toEqual(session);
});

it("every form of an old session but the log-in is rejected", async () => {
  const browser = await loggedIn(host, await host.user());
  const { clientId } = await host.application();
  await codeFor(browser, clientId);
  for (const path of ["/logout", "/settings/disconnect"]) {
    const { status, location, body } = await browser.post(path, { client_id: clientId, _csrf: "old" });
    expect([status, location, body.includes('action="/login"')]).toEqual([403, "", false]);
  }
  expect((await browser.get(authorizePath(clientId))).location).toContain(`${CALLBACK}?code=`);
});

it("a consent form of an old session is shown again while its request waits", async () => {
  const [user, other, application] = [await host.user(), await host.user(), await host.application()];
  const browser = await loggedIn(host, user);
  const page = await browser.get(authorizePath(application.clientId, { state: "s" }));
  await logIn(browser, await browser.get("/login"), other);
  const answer = await decide(browser, page, "allow");
  expect([answer.status, answer.body]).toEqual([403, expect.stringContaining("Send the form again.")]);
  expect(answer.body).toContain(`Logged in as <b>${other.handle}</b>`);
  expect(await host.deps.prisma.authorizationCode.count({ where: { clientId: application.clientId } })).toBe(0);
  expect((await decide(browser, answer, "allow")).location).toMatch(/\?code=[\w-]+&state=s$/);
  const spent = await browser.post("/oauth2/consent", { ...formFields(page, "/oauth2/consent"), decision: "allow" });
  expect([spent.status, spent.body]).toEqual([400, expect.stringContaining("This request is over")]);
});

it("a user blocked longer than the request lasts is told to start again at the application", async () => {
  const [user, browser] = [await host.user(), host.browser()];
  const page = await loginPage(browser);
  const guess = () => browser.submit(page, "/login", { handle: user.handle, password: "wrong password" });
  for (let attempt = 0; attempt < 10; attempt += 1) expect((await guess()).status).toBe(401);
  const refused = await guess();
  expect(refused.status).toBe(429);
  expect(formFields(refused, "/login")).toMatchObject({ handle: user.handle, request: page.request });
  expect(refused.body).toContain(
    "The application will not wait that long. Once the time is up, go back to it and start again.",
  );
  await leave(page.request, 3600);
  expect((await guess()).body).not.toContain("not wait that long");
});

it("the settings say once whether the disconnected application was connected", async () => {
  const browser = await loggedIn(host, await host.user());
  const { clientId } = await host.application();
  await codeFor(browser, clientId);
  const settings = await browser.get("/settings?disconnected=yes");
  expect(settings.body).not.toContain("Disconnected.");
  const notices = [];
  for (const client_id of [clientId, clientId, "nobody", ""]) {
    const answer = await browser.submit(settings, "/settings/disconnect", { client_id });
    expect([answer.status, answer.location]).toEqual([303, `${host.url}/settings`]);
    const { body } = await browser.follow(answer);
    notices.push(/Disconnected\.|This application is not connected\./.exec(body)?.[0]);
  }
  const none = "This application is not connected.";
  expect(notices).toEqual(["Disconnected.", none, none, none]);
  expect((await browser.get("/settings")).body).not.toContain(none);
});
