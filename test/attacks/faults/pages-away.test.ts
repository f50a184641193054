import { afterAll, expect, it } from "vitest";
import { testDatabase } from "../../support/database/database.ts";
import { startDatabaseProxy } from "../../support/outages/database-proxy.ts";
import { restartable } from "../../support/outages/restartable.ts";
import { registeredRoutes } from "../../support/routes.ts";
import { throughDirectory } from "../running-apps.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";

const { url } = await testDatabase({ template: "sample" });
const proxy = await startDatabaseProxy(url);
const site = await restartable({ url: proxy.url });
let samespot: Awaited<ReturnType<typeof site.start>> | undefined;
const servers = await registeredRoutes(async () => {
  samespot = await site.start({ ROLES: "app,directory" });
});
afterAll(async () => {
  await samespot?.close();
  proxy.close();
});
const who = { handle: samespot?.demo?.handle ?? "", password: samespot?.demo?.password ?? "" };
const { APP_URL, AUTH_URL, BASE_URL } = site;

/** A server is known by a route that only it has. */
const addressOf = (routes: string[]) =>
  routes.includes("GET /harmonizations") ? APP_URL : routes.includes("POST /login") ? AUTH_URL : BASE_URL;

const ID = "4b5f1b2cf964a520d5b128e3";
const UUID = "0195b7a2-6a0f-7c3e-8a4e-0242ac120002";
const pathOf = (route: string) =>
  route
    .replace(/:(harmonization|run|id)\b/g, UUID)
    .replace(/:\w+/g, ID)
    .replace(/\*/, "x");

const calls = servers.flatMap((routes) => {
  const names = routes.map(({ route }) => route);
  return names.filter((name) => name.startsWith("GET ")).map((name) => addressOf(names) + pathOf(name.slice(4)));
});

interface Answer {
  path: string;
  status: number;
  type: string;
  retryAfter: string | null;
  text: string;
}

async function ask(client: HttpClient, address: string): Promise<Answer> {
  const { status, headers, body } = await client.get(address, { accept: "text/html,*/*" });
  const type = headers.get("content-type") ?? "";
  return { path: address, status, type, retryAfter: headers.get("retry-after"), text: body };
}

const member = site.newBrowser();
await site.logIn(member, who);
const atDirectory = createHttpClient(AUTH_URL);
await throughDirectory(atDirectory, (await site.newBrowser().get("/login")).location, who);

it("finds the routes of every host", () => {
  for (const host of [APP_URL, AUTH_URL, BASE_URL])
    expect(calls.filter((address) => address.startsWith(host)).length).toBeGreaterThan(15);
});

it.each(["a guest", "a member"])(
  "F90: while the database is away, every page for %s is a page, every answer that fails says when to come again, and none has the database's address",
  async (caller) => {
    proxy.refuse();
    const { host, port, pathname, username } = new URL(proxy.url);
    const clientAt = (address: string) =>
      caller === "a guest" ? createHttpClient(new URL(address).origin) : address.startsWith(AUTH_URL) ? atDirectory : member;
    for (const address of calls) {
      const { status, type, retryAfter, text } = await ask(clientAt(address), address);
      const isPage = !address.startsWith(BASE_URL) && !/oauth2\/(access_token|client_secret|revoke)|well-known|readyz|healthz/.test(address);
      if (status >= 500 && !address.endsWith("/readyz")) expect([address, status, retryAfter]).toEqual([address, 503, expect.stringMatching(/^\d+$/)]);
      if (isPage && status >= 500) expect([address, type, text]).toEqual([address, expect.stringMatching(/^text\/html/), expect.stringContaining("</html>")]);
      expect([address, text]).toEqual([address, expect.not.stringMatching(new RegExp(`${host}|:${port}\\b|ECONN|${pathname.slice(1)}|${username}@`))]);
    }
    proxy.thaw();
  },
);
