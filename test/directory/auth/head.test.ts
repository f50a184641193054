import { beforeAll, expect, it } from "vitest";
import { createHttpClient, type HttpClient, type Page } from "../../support/http-client.ts";
import { press, register, secretOn } from "./applications/forms.ts";
import { authHost, authorizePath, codeFor, loggedIn } from "./auth-host.ts";

const host = await authHost({ signUp: true });
let browser: HttpClient;
beforeAll(async () => {
  browser = await loggedIn(host, await host.user());
});

/** Returns the response to HEAD for this browser's user. */
const head = (path: string, { cookies }: HttpClient = browser) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(new URL(path, host.url), { method: "HEAD", headers: { cookie }, redirect: "manual" });
};

const TOLD = ["content-type", "cache-control", "x-frame-options", "location"];

it("HEAD is answered like GET without a body, for guests and users", async () => {
  const asset = /\/assets\/[^"]+\.css/.exec((await browser.get("/login")).body)?.[0] ?? "";
  const metadata = "/.well-known/oauth-authorization-server";
  const paths = ["/", "/login", "/sign-up", "/settings", "/applications", "/applications/new", "/healthz", "/readyz"];
  for (const each of [browser, createHttpClient(host.url)])
    for (const path of [...paths, metadata, asset, "/applications/nobody", "/nowhere"]) {
      const [page, answer] = [await each.get(path), await head(path, each)];
      const told = ({ status, headers }: Page | Response) =>
        [path, status].concat(TOLD.map((name) => `${name}: ${headers.get(name)}`));
      expect(told(answer)).toEqual(told(page));
      expect(await answer.text()).toBe("");
    }
});

it("C13: HEAD returns 405 where codes or tokens are issued, and issues none", async () => {
  const application = await host.application({ rotatesItself: true });
  await codeFor(browser, application.clientId);
  const rows = () =>
    Promise.all([host.deps.prisma.authorizationCode.count(), host.deps.prisma.authorizationRequest.count()]);
  const before = await rows();
  const paths = ["authenticate", "authorize"].map((path) => authorizePath(application.clientId, {}, path));
  for (const path of [...paths, "/oauth2/consent?request=x", "/oauth2/access_token", "/oauth2/client_secret"]) {
    const { status, headers } = await head(path);
    expect([path, status, headers.get("location")]).toEqual([path, 405, null]);
    expect(headers.get("allow")).toMatch(/^GET\b(?!.*HEAD)/);
  }
  expect(await rows()).toEqual(before);
});

it("B38: HEAD leaves a new secret and a one-time message for the page itself", async () => {
  const { location } = await register(browser);
  for (let time = 0; time < 2; time += 1) expect((await head(location)).status).toBe(200);
  expect(secretOn(await browser.get(location))).toMatch(/^[\w-]{43}$/);
  const path = new URL(location).pathname;
  const sent = await browser.submit(await browser.get(path), path, {
    name: "Renamed",
    redirectUris: "https://b.example/",
  });
  await head(sent.location);
  expect((await browser.get(path)).body).toContain("Saved.");

  const application = await host.application();
  await codeFor(browser, application.clientId);
  await browser.submit(await browser.get("/settings"), "/settings/disconnect", { client_id: application.clientId });
  await head("/settings");
  expect((await browser.get("/settings")).body).toContain("Disconnected.");
  expect((await press(browser, path, "/delete", { name: "Renamed" })).body).toContain("Renamed has been deleted.");
});
