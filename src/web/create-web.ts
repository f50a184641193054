import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { createAuthHost } from "../directory-client/auth-host.ts";
import { createDirectoryClient } from "../directory-client/client.ts";
import { createOutbound } from "../directory-client/outbound.ts";
import { createQueue } from "../harmonize/run/queue.ts";
import type { Logger } from "../http/logger.ts";
import type { Web } from "./base/deps.ts";
import { createWebVault, currentCredentials } from "./client-secret/credentials.ts";
import { createHarmonizer } from "./harmonize/harmonizer.ts";

interface Options {
  config: Config;
  database: Database;
  /** Of the database: the queue has connections of its own. */
  url: string;
  log: Logger;
  /** Of each call to the directory, in milliseconds. */
  deadlineMs?: number | undefined;
}

/** What the pages and the housekeeping of the web app work with. */
export function createWeb({ config, database, url, log, deadlineMs = 10_000 }: Options): Web {
  const { pool, prisma } = database;
  const isOwn = config.roles.has("directory");
  const dispatcher = createOutbound({ allowLoopback: isOwn, allowPrivate: isOwn || config.privateDirectory });
  const line = { dispatcher, deadlineMs };
  const authHost = createAuthHost({ authUrl: config.auth.url, apiUrl: config.api.url }, line);
  const api = { ...line, baseUrl: config.api.url, version: config.apiVersion };
  const directory = createDirectoryClient(api, authHost.features);
  const vault = createWebVault(config.encryptionKeys);
  const credentials = () => currentCredentials({ config, pool, vault });
  const queue = createQueue(url, { directoryUrl: config.api.url, log, supervises: config.roles.has("worker") });
  const parts = { config, prisma, pool, vault, authHost, directory, credentials };
  return {
    ...parts,
    harmonizer: createHarmonizer({ ...parts, queue, databaseUrl: url }),
    async close() {
      await queue.close();
      await dispatcher.destroy();
    },
  };
}
