import { expect, it } from "vitest";
import { sweepDirectory } from "../../src/directory/sweep.ts";
import { findToken } from "../../src/directory/tokens.ts";
import { authHost, authorizePath, CALLBACK, codeFor, decide, exchange, loggedIn, logIn } from "./auth-host.ts";

const host = await authHost();

it("leads a stranger from authenticate over log-in and consent to a code, and the code to a token", async () => {
  const [user, application, browser] = [await host.user(), await host.application(), host.browser()];
  const login = await browser.get(authorizePath(application.clientId, { state: "s1" }));
  expect(login.status).toBe(200);
  expect(login.body).toContain("Map app");

  const consent = await logIn(browser, login, user);
  expect(consent.body).toContain("https://app.example");
  const answer = await decide(browser, consent, "allow");
  expect(answer.status).toBe(303);
  const to = new URL(answer.location);
  expect(to.origin + to.pathname).toBe(CALLBACK);
  expect([...to.searchParams.keys()]).toEqual(["code", "state"]);

  const { status, body } = await exchange(host, application, to.searchParams.get("code") ?? "");
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["access_token"]);
  expect(await findToken(host.deps, body.access_token ?? "")).toMatchObject({
    userId: user.id,
    clientId: application.clientId,
  });
});

it("sends a user who has authorized the application straight back, with the same token in the end", async () => {
  const [user, application] = [await host.user(), await host.application()];
  const browser = await loggedIn(host, user);
  const first = await exchange(host, application, await codeFor(browser, application.clientId));
  const again = await browser.get(authorizePath(application.clientId));
  expect(again.status).toBe(303);
  const second = await exchange(host, application, new URL(again.location).searchParams.get("code") ?? "");
  expect(second.body.access_token).toBe(first.body.access_token);
});

it("asks every time at authorize, and lets the user log in under another account for the same request", async () => {
  const [first, second, application] = [await host.user(), await host.user(), await host.application()];
  const browser = await loggedIn(host, first);
  await codeFor(browser, application.clientId);
  const asked = await browser.get(authorizePath(application.clientId, { state: "s2" }, "authorize"));
  expect(asked.status).toBe(200);
  expect(asked.body).toContain(first.handle);

  const login = await browser.follow(await browser.submit(asked, "/logout"));
  const consent = await logIn(browser, login, second);
  expect(consent.body).toContain(second.handle);
  const { searchParams } = new URL((await decide(browser, consent, "allow")).location);
  expect(searchParams.get("state")).toBe("s2");
  const { body } = await exchange(host, application, searchParams.get("code") ?? "");
  expect(await findToken(host.deps, body.access_token ?? "")).toMatchObject({ userId: second.id });
});

it("gives a token in the fragment, and only there, to an application registered for the token flow", async () => {
  const [user, application] = [await host.user(), await host.application({ tokenFlow: true })];
  const browser = await loggedIn(host, user);
  const path = authorizePath(application.clientId, { response_type: "token", state: "s 4" });
  const answer = await decide(browser, await browser.get(path), "allow");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const [, token = ""] =
    /^https:\/\/app\.example\/callback#access_token=([\w-]+)&state=s%204$/.exec(answer.location) ?? [];
  expect(await findToken(host.deps, token)).toMatchObject({ userId: user.id, clientId: application.clientId });
  expect((await browser.get(path)).location).toBe(answer.location);
  expect(host.logs.text()).not.toContain(token);
});

it.each([
  ["query and fragment characters", "a&b=c#d+e%f/g?h i"],
  ["2,000 characters of many scripts", "дом-家-🏠-".repeat(250)],
  ["markup", `"><script>alert(1)</script>`],
])("gives state back unchanged: %s", async (_kind, state) => {
  const application = await host.application();
  const browser = await loggedIn(host, await host.user());
  const consent = await browser.get(authorizePath(application.clientId, { state }));
  expect(consent.body).not.toContain("<script>alert");
  const given = new URL((await decide(browser, consent, "allow")).location).searchParams.getAll("state");
  expect(given).toEqual([state]);
  const refused = await browser.get(authorizePath(application.clientId, { state, response_type: "foo" }));
  expect(new URL(refused.location).searchParams.get("state")).toBe(state);
});

it("keeps the query of a registered redirect URI and adds its own after it", async () => {
  const redirect_uri = "https://app.example/callback?tenant=a%20b&x=1";
  const application = await host.application({ redirectUris: [redirect_uri] });
  const browser = await loggedIn(host, await host.user());
  const consent = await browser.get(authorizePath(application.clientId, { redirect_uri, state: "s" }));
  expect((await decide(browser, consent, "allow")).location).toMatch(
    /^https:\/\/app\.example\/callback\?tenant=a%20b&x=1&code=[\w-]{43}&state=s$/,
  );
});

it("ends a connection in the settings: the token dies, pending codes with it, and the user is asked again", async () => {
  const [user, application, other] = [await host.user(), await host.application(), await host.application()];
  const browser = await loggedIn(host, user);
  const token =
    (await exchange(host, application, await codeFor(browser, application.clientId))).body.access_token ?? "";
  const kept = (await exchange(host, other, await codeFor(browser, other.clientId))).body.access_token ?? "";
  const pending = await codeFor(browser, application.clientId);

  const settings = await browser.get("/settings");
  expect(settings.body.match(/Disconnect</g)).toHaveLength(2);
  const fields = { client_id: application.clientId };
  const after = await browser.follow(await browser.submit(settings, "/settings/disconnect", fields));
  expect(after.body.match(/Disconnect</g)).toHaveLength(1);
  expect(await findToken(host.deps, token)).toBeUndefined();
  expect(await findToken(host.deps, kept)).toBeDefined();
  const asked = await browser.get(authorizePath(application.clientId));
  expect(asked.status).toBe(200);
  await decide(browser, asked, "allow");
  expect(await exchange(host, application, pending)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

it("sweeps away requests and codes that ran out, and those only", async () => {
  const { prisma, pool } = host.deps;
  const { clientId } = await host.application();
  const browser = await loggedIn(host, await host.user());
  await codeFor(browser, clientId);
  const left = () =>
    Promise.all([
      prisma.authorizationRequest.count({ where: { clientId } }),
      prisma.authorizationCode.count({ where: { clientId } }),
    ]);
  await sweepDirectory(pool);
  expect(await left()).toEqual([1, 1]);
  for (const table of ["authorization_request", "authorization_code"])
    await pool.query(`UPDATE directory.${table} SET expires_at = now() - interval '2 hours' WHERE client_id = $1`, [
      clientId,
    ]);
  await sweepDirectory(pool);
  expect(await left()).toEqual([0, 0]);
  expect((await browser.get("/settings")).status).toBe(200);
});
