import { readConfig } from "../../../src/config/config.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { startSamespot } from "../../../src/main.ts";
import { throughDirectory } from "../../attacks/running-apps.ts";
import type { TestDatabase } from "../database/database.ts";
import { createHttpClient, type HttpClient } from "../http-client.ts";
import { collectLogs } from "../logs.ts";
import { PRODUCTION } from "../production.ts";
import { dataFolder, freeAddresses } from "../samespot.ts";

/**
 * Samespot in this process on an existing database, which can be restarted with other settings at the same addresses. Logs at level
 * trace.
 */
export async function restartable({ url }: Pick<TestDatabase, "url">, usual: Record<string, string> = {}) {
  const addresses = await freeAddresses();
  const logs = collectLogs();
  const settings = {
    ...PRODUCTION,
    ...addresses,
    DATABASE_URL: url,
    DATA_DIR: dataFolder(),
    SAMPLE_DATA: "on",
    ...usual,
  };
  return {
    ...addresses,
    settings,
    logs,
    /** Throws if it refuses to start. */
    start: (env: Record<string, string> = {}) =>
      startSamespot(readConfig({ ...settings, ...env }), createLogger({ level: "trace", destination: logs })),
    newBrowser: () => createHttpClient(addresses.APP_URL),
    /** Logs in through the directory, and returns the app's last page. */
    async logIn(browser: HttpClient, who: { handle: string; password: string }) {
      const begun = await browser.get("/login");
      const at = createHttpClient(addresses.AUTH_URL);
      return browser.follow(await browser.get(await throughDirectory(at, begun.location, who)));
    },
    ready: async () =>
      Promise.all(Object.values(addresses).map(async (each) => (await fetch(`${each}/readyz`)).json())),
  };
}
