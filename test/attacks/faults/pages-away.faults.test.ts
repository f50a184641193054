import { afterAll, expect, it } from "vitest";
import { atMost } from "../../../src/shared/at-most.ts";
import { testDatabase } from "../../support/database/database.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startDatabaseProxy } from "../../support/outages/database-proxy.ts";
import { restartable } from "../../support/outages/restartable.ts";
import { registeredRoutes } from "../../support/routes.ts";
import { throughDirectory } from "../running-apps.ts";

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

/** Answers of machines for machines, on the hosts that have pages. */
const NO_PAGE = /\/(oauth2\/(access_token|client_secret|revoke)|\.well-known\/|readyz|healthz)/;

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

const member = site.newBrowser();
await site.logIn(member, who);
const atDirectory = createHttpClient(AUTH_URL);
const begun = (await site.newBrowser().get("/login")).location;
await throughDirectory(atDirectory, begun, who);
calls.push(begun); // with the parameters without which the log-in page is not reached

it("finds the routes of every host", () => {
  for (const host of [APP_URL, AUTH_URL, BASE_URL])
    expect(calls.filter((address) => address.startsWith(host)).length).toBeGreaterThan(15);
});

it.each(["a guest", "a member"])(
  "F90: while the database is away, every page for %s is a page, every answer that fails says when to come again, and none has the database's address",
  async (caller) => {
    proxy.refuse();
    const { host, pathname, username, password } = new URL(proxy.url);
    const secrets = new RegExp(`${host}|ECONN|${pathname.slice(1)}|${username}[:@]|${password}`);
    const clientAt = (address: string) => {
      if (caller === "a guest") return createHttpClient(new URL(address).origin);
      return address.startsWith(AUTH_URL) ? atDirectory : member;
    };
    const answers = await atMost(6, calls, async (address) => {
      const { status, headers, body } = await clientAt(address).get(address, { accept: "text/html,*/*" });
      const isPage = !address.startsWith(BASE_URL) && !NO_PAGE.test(address);
      return { address, status, isPage, type: headers.get("content-type"), again: headers.get("retry-after"), body };
    });
    proxy.thaw();
    const failed = answers.filter(({ status, address }) => status >= 500 && !address.endsWith("/readyz"));
    expect(failed.filter(({ status, again }) => status !== 503 || !/^\d+$/.test(again ?? ""))).toEqual([]);
    const pages = failed.filter(({ isPage }) => isPage);
    expect(pages.length).toBeGreaterThan(caller === "a guest" ? 2 : 30);
    expect(pages.filter(({ type, body }) => !type?.startsWith("text/html") || !body.includes("</html>"))).toEqual([]);
    expect(answers.filter(({ body }) => secrets.test(body))).toEqual([]);
  },
);
