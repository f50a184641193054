import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { createAuthHost } from "../directory-client/auth-host.ts";
import { createDirectoryClient } from "../directory-client/client.ts";
import { createOutbound } from "../directory-client/outbound.ts";
import { createWebVault, currentCredentials } from "./credentials.ts";
import type { Web } from "./deps.ts";

interface Options {
  config: Config;
  database: Database;
  /** Of each call to the directory, in milliseconds. */
  deadlineMs?: number | undefined;
}

/** What the pages and the housekeeping of the web app work with. */
export function createWeb({ config, database, deadlineMs = 10_000 }: Options): Web {
  const { pool, prisma } = database;
  const isOwn = config.roles.has("directory");
  const dispatcher = createOutbound({ allowLoopback: isOwn, allowPrivate: isOwn || config.privateDirectory });
  const line = { dispatcher, deadlineMs };
  const authHost = createAuthHost(config.auth.url, line);
  const directory = createDirectoryClient({ ...line, baseUrl: config.api.url, version: config.apiVersion });
  const vault = createWebVault(config.encryptionKeys);
  const credentials = () => currentCredentials({ config, pool, vault });
  return { config, prisma, pool, vault, authHost, directory, credentials, close: () => dispatcher.destroy() };
}
