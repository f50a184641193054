import { expect, it } from "vitest";
import { tokenOf } from "../../../src/directory/tokens.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { runningApps } from "../running-apps.ts";

const apps = await runningApps();

/** Returns the demo account's connection as stored in the directory. */
async function pair() {
  const [authorization] = await apps.deps.prisma.authorization.findMany({ select: { userId: true, clientId: true } });
  if (!authorization) throw new Error("Nothing is connected.");
  return authorization;
}

const statusOf = async (token: string) =>
  (await fetch(`${apps.apiUrl}/v2/users/self?v=20260101&oauth_token=${token}`)).status;

it("Disconnect revokes the token at our own directory, and connecting again issues a new one", async () => {
  const browser = apps.newBrowser();
  await apps.logIn(browser);
  const token = await tokenOf(apps.deps, await pair());
  expect(await statusOf(token)).toBe(200);
  await browser.submit(await browser.get("/settings"), "/settings/disconnect");
  expect(await statusOf(token)).toBe(401);
  expect((await browser.get("/settings")).body).toContain("The directory has ended Samespot&#39;s access.");
  await apps.logIn(browser);
  const renewed = await tokenOf(apps.deps, await pair());
  expect([renewed === token, await statusOf(renewed)]).toEqual([false, 200]);
  expect((await browser.get("/checkins")).body).toContain("newest first");
});

it("A27: a connection ended at the directory shows one page, and connecting again restores what was typed", async () => {
  const [browser, at] = [apps.newBrowser(), createHttpClient(apps.authUrl)];
  await apps.logIn(browser, { at });
  const form = await browser.get("/venues/new");
  const { clientId } = await pair();
  await at.submit(await at.get("/settings"), "/settings/disconnect", { client_id: clientId });

  const page = await browser.submit(form, "/venues", { name: "Café Zoë", ll: "41.8,-71.4" });
  expect([page.status, page.location]).toEqual([200, ""]);
  expect(page.body).toContain("<h1>Connect again</h1>");
  for (const instance of [0, 1]) {
    apps.balancer.sendTo(instance);
    expect((await browser.get("/settings")).location, "the session is over").toContain("/login?next=");
  }
  apps.balancer.sendTo();
  const [, href = ""] = /href="(\/login\?next=[^"]+)"/.exec(page.body) ?? [];
  const start = await browser.get(href.replaceAll("&amp;", "&"));
  const back = await browser.get(await apps.throughDirectory(at, start.location));
  expect(back.status).toBe(303);
  expect((await browser.get(back.location)).body).toContain('value="Café Zoë"');
  expect((await browser.get("/settings")).body).toContain("Connected</span>");
});
