import type { FastifyInstance } from "fastify";
import { afterAll } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import { separatePrograms } from "../../src/db/roles.ts";
import { createLogger } from "../../src/http/logger.ts";
import { buildWeb } from "../../src/web/app.ts";
import { createWeb } from "../../src/web/create-web.ts";
import { testDatabase } from "../support/database/database.ts";
import { startFakeDirectory } from "../support/fake-directory/fake-directory.ts";
import { freePort } from "../support/free-port.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { collectLogs } from "../support/logs.ts";
import { startBalancer } from "../support/outages/balancer.ts";
import { PRODUCTION } from "../support/production.ts";

interface Options {
  /** Of each call to the directory, in milliseconds. */
  deadlineMs?: number;
  /** What the page of check-ins waits for their copy; usually so long that a busy machine makes no difference. */
  checkinsMs?: number;
  /** Several run behind one address; `sendTo` chooses. */
  instances?: number;
  env?: object;
  /** Connects as the owner of the database, like installations without separate roles. */
  asOwner?: boolean;
}

/**
 * Sets up the web app alone, on its own database, at a fake directory. Call it at the top of a test file, outside
 * tests; it closes after the last test. `own` connects as the app's role, `database` as the owner.
 */
export async function startWeb(options: Options = {}) {
  const { deadlineMs = 10_000, checkinsMs = 20_000, instances = 1, env = {}, asOwner = false } = options;
  const { url: DATABASE_URL, database } = await testDatabase();
  const directory = await startFakeDirectory();
  const logs = collectLogs();
  const balancer = instances > 1 ? await startBalancer() : undefined;
  const APP_URL = balancer?.url ?? `http://localhost:${await freePort()}`;
  const config = readConfig({
    ...{ APP_URL, DATABASE_URL, AUTH_URL: directory.authUrl, BASE_URL: directory.baseUrl },
    ...{ CLIENT_ID: directory.client.id, CLIENT_SECRET: directory.client.secret },
    ...PRODUCTION,
    ...env,
  });
  const log = createLogger({ level: "trace", destination: logs });
  const url = asOwner ? DATABASE_URL : (await separatePrograms(DATABASE_URL)).app;
  const own = openDatabase(url);
  const start = async () => {
    const web = createWeb({ config, database: own, address: url, log, deadlineMs, checkinsMs });
    const app = await buildWeb(web, log);
    app.addHook("onClose", () => web.close());
    const port = balancer ? await freePort() : config.web.port;
    await app.listen({ host: config.web.host, port });
    balancer?.ports.push(port);
    return app;
  };
  const app = await start();
  const others: FastifyInstance[] = [];
  while (others.length < instances - 1) others.push(await start());
  afterAll(async () => {
    balancer?.close();
    for (const each of [app, ...others]) await each.close();
    await own.close();
    await directory.close();
  });

  /** Logs in at the directory; returns the address to which the directory sends the browser back. */
  async function beginLogin(browser: HttpClient, next = "/", more: Record<string, string> = {}): Promise<string> {
    const start = await browser.get(`/login?${new URLSearchParams({ next, ...more })}`);
    const reply = await fetch(start.location, { redirect: "manual" });
    return reply.headers.get("location") ?? "";
  }
  async function logIn(browser = createHttpClient(config.web.url)): Promise<HttpClient> {
    await browser.get(await beginLogin(browser));
    return browser;
  }
  return {
    url: config.web.url,
    ...{ app, config, database, own, directory, logs, beginLogin, logIn },
    /** Sends all requests to this instance; without an index, to each in turn. */
    sendTo: (index?: number) => balancer?.sendTo(index),
    newBrowser: () => createHttpClient(config.web.url),
    /** How often the directory was asked for a token. */
    exchanges: () => directory.requests.filter(({ path }) => path === "/oauth2/access_token").length,
    async rows() {
      const { prisma } = database;
      return { accounts: await prisma.account.count(), connections: await prisma.connection.count() };
    },
  };
}

/**
 * Logs in at a directory that this machine cannot visit, with a code of its own. Returns the page where that ends, which is that of the
 * start if the web app knows by then that the directory cannot be reached.
 */
export async function logInUnvisited({
  directory,
  newBrowser,
}: Pick<Awaited<ReturnType<typeof startWeb>>, "directory" | "newBrowser">) {
  const browser = newBrowser();
  const start = await browser.get("/login");
  const begun = start.status === 503 ? undefined : new URL(start.location).searchParams;
  const code = directory.issueCode(begun?.get("redirect_uri") ?? "");
  const page = begun ? await browser.get(`/login/callback?code=${code}&state=${begun.get("state")}`) : start;
  return { page, code, browser };
}

/** The app's session cookie of a browser; undefined for a guest. */
export const sessionOf = (browser: HttpClient): string | undefined => browser.cookies.get("samespot");
