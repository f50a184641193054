import { afterAll } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { directoryDeps } from "../../src/directory/deps.ts";
import { createLogger } from "../../src/http/logger.ts";
import { startSamespot } from "../../src/main.ts";
import { DEMO_PASSWORD, testDatabase } from "../support/database/database.ts";
import { freePort } from "../support/free-port.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { collectLogs } from "../support/logs.ts";
import { startBalancer } from "../support/outages/balancer.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

/**
 * Starts Samespot with the sample data: one directory and several instances of the web app behind one address, all on
 * one database. Logs at level trace. Call it at the top of a test file.
 */
export async function runningApps({
  instances = 2,
  env = {},
}: {
  instances?: number;
  env?: Record<string, string>;
} = {}) {
  const { url, database } = await testDatabase({ template: "demo" });
  // At whatever hour the tests run, the search of the night is done.
  await database.pool.query("INSERT INTO directory.duplicate_run (finished_at) VALUES (now())");
  const balancer = await startBalancer();
  afterAll(() => balancer.close());
  const logs = collectLogs();
  const settings = {
    ...PRODUCTION,
    ...(await freeAddresses()),
    APP_URL: balancer.url,
    DATABASE_URL: url,
    DATA_DIR: dataFolder(),
    SAMPLE_DATA: "on",
    LOG_LEVEL: "trace",
    ADMINS: "demo",
    ...env,
  };
  const start = async (ROLES: string) => {
    const port = await freePort();
    const config = {
      ...readConfig({ ...settings, ROLES, APP_PORT: String(port) }),
      demoPassword: () => DEMO_PASSWORD,
    };
    const samespot = await startSamespot(config, createLogger({ level: "trace", destination: logs }));
    afterAll(samespot.close);
    if (config.roles.has("app")) balancer.ports.push(port);
    return { config, demo: samespot.demo };
  };
  const { config, demo } = await start("directory");
  for (let count = 0; count < instances; count += 1) await start("app,worker");
  const account = { handle: demo?.handle ?? "", password: demo?.password ?? "" };

  return {
    url: balancer.url,
    authUrl: settings.AUTH_URL,
    apiUrl: settings.BASE_URL,
    balancer,
    /** An admin by ADMINS. */
    demo: account,
    ...{ config, database, logs, deps: directoryDeps({ config, database }) },
    newBrowser: () => createHttpClient(balancer.url),
    /** Logs in through the directory and returns the app's last page. `at`: the instance of the auth host. */
    async logIn(browser: HttpClient, { next = "/", who = account, at = createHttpClient(settings.AUTH_URL) } = {}) {
      const start = await browser.get(`/login?next=${encodeURIComponent(next)}`);
      return browser.get(await throughDirectory(at, start.location, who));
    },
    throughDirectory: (at: HttpClient, address: string, who = account) => throughDirectory(at, address, who),
  };
}

/** Follows the directory's pages, entering password and consent if asked. Returns the address of the callback. */
export async function throughDirectory(at: HttpClient, address: string, who: { handle: string; password: string }) {
  let page = await at.follow(await at.get(address));
  if (page.body.includes('action="/login"'))
    page = await at.follow(await at.submit(page, "/login", { handle: who.handle, password: who.password }));
  if (page.location === "" && page.body.includes('value="allow"'))
    page = await at.submit(page, "/oauth2/consent", { decision: "allow" });
  return page.location;
}

export type RunningApps = Awaited<ReturnType<typeof runningApps>>;
