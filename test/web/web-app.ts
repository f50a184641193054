import { afterAll } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/http/logger.ts";
import { buildWeb } from "../../src/web/app.ts";
import { testDatabase } from "../support/database.ts";
import { startFakeDirectory } from "../support/fake-directory.ts";
import { freePort } from "../support/free-port.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { collectLogs } from "../support/logs.ts";

/**
 * The web app alone, on a database of its own, at a fake directory. Call it at the top of a test file, outside of
 * tests; it closes after the file's last test.
 */
export async function startWeb({ deadlineMs = 10_000, env = {} }: { deadlineMs?: number; env?: object } = {}) {
  const { url: DATABASE_URL, database } = await testDatabase();
  const directory = await startFakeDirectory();
  const logs = collectLogs();
  const APP_URL = `http://localhost:${await freePort()}`;
  const config = readConfig({
    ...{ APP_URL, DATABASE_URL, AUTH_URL: directory.authUrl, BASE_URL: directory.baseUrl },
    ...{ CLIENT_ID: directory.client.id, CLIENT_SECRET: directory.client.secret },
    ...{ SESSION_SECRETS: "0123456789abcdefghijklmnopqrstuv", ENCRYPTION_KEYS: "vutsrqponmlkjihgfedcba9876543210" },
    ...env,
  });
  const log = createLogger({ level: "trace", destination: logs });
  const app = await buildWeb({ config, database, log, deadlineMs });
  await app.listen({ host: config.web.host, port: config.web.port });
  afterAll(async () => {
    await app.close();
    await directory.close();
  });

  /** Goes to log in and through the directory; returns the address the directory sends the browser back to. */
  async function beginLogin(browser: HttpClient, next = "/"): Promise<string> {
    const start = await browser.get(`/login?next=${encodeURIComponent(next)}`);
    const reply = await fetch(start.location, { redirect: "manual" });
    return reply.headers.get("location") ?? "";
  }
  async function logIn(browser = createHttpClient(APP_URL)): Promise<HttpClient> {
    await browser.get(await beginLogin(browser));
    return browser;
  }
  return {
    url: APP_URL,
    ...{ app, config, database, directory, logs, beginLogin, logIn },
    newBrowser: () => createHttpClient(APP_URL),
    /** How often the directory was asked for a token. */
    exchanges: () => directory.requests.filter(({ path }) => path === "/oauth2/access_token").length,
    /** The names of rows that a log-in leaves. */
    async rows() {
      const { prisma } = database;
      return { accounts: await prisma.account.count(), connections: await prisma.connection.count() };
    },
  };
}

/** The app's session cookie of a browser; undefined for a guest. */
export const sessionOf = (browser: HttpClient): string | undefined => browser.cookies.get("samespot");
