import { expect, it } from "vitest";
import { sweepDirectory } from "../../../src/directory/sweep.ts";
import { findToken } from "../../../src/directory/tokens.ts";
import { authHost, authorizePath, CALLBACK, codeFor, decide, exchange, loggedIn, logIn } from "./auth-host.ts";

const host = await authHost();

it("an authorization leads a new user through log-in and consent to a code, and the code to a token", async () => {
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

it("an authorization sends a user with consent straight back, and yields the same token", async () => {
  const [user, application] = [await host.user(), await host.application()];
  const browser = await loggedIn(host, user);
  const first = await exchange(host, application, await codeFor(browser, application.clientId));
  const again = await browser.get(authorizePath(application.clientId));
  expect(again.status).toBe(303);
  const second = await exchange(host, application, new URL(again.location).searchParams.get("code") ?? "");
  expect(second.body.access_token).toBe(first.body.access_token);
});

it("a disconnection in the settings revokes the token and pending codes, and consent is asked again", async () => {
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

it("housekeeping deletes expired requests and codes, and no others", async () => {
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
