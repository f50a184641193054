import { createCheckinCopies } from "../checkins/copies.ts";
import type { Config } from "../config/config.ts";
import { type Address, sessionAddress } from "../db/connections.ts";
import type { Database } from "../db/database.ts";
import { prepared, queryRow } from "../db/sql.ts";
import { createAuthHost } from "../directory-client/auth-host.ts";
import type { Line } from "../directory-client/calls/call-json.ts";
import { createOutbound } from "../directory-client/calls/outbound.ts";
import { createDirectoryClient } from "../directory-client/client.ts";
import type { Harmonizer } from "../harmonize/run/deps.ts";
import { createQueue } from "../harmonize/run/queue.ts";
import type { Logger } from "../http/logger.ts";
import { type Connection, markBroken, openToken } from "./base/connections.ts";
import type { Web } from "./base/deps.ts";
import { createSuggestPauses } from "./base/suggest-pauses.ts";
import { createTokenChecks } from "./base/token-checks.ts";
import { createWebVault, currentCredentials } from "./client-secret/credentials.ts";

interface Options {
  config: Config;
  database: Database;
  address: Address;
  log: Logger;
  /** Limit of each call to the directory, in milliseconds. */
  deadlineMs?: number | undefined;
  /** What the page of check-ins waits for the directory, in milliseconds. The copying goes on afterwards. */
  checkinsMs?: number | undefined;
}

export function createWeb(options: Options): Web {
  const { config, database, address, log, deadlineMs = 10_000, checkinsMs = 1000 } = options;
  const { pool, prisma } = database;
  const isOwn = config.roles.has("directory");
  const dispatcher = createOutbound({ allowLoopback: isOwn, allowPrivate: isOwn || config.privateDirectory });
  const line = { dispatcher, deadlineMs };
  const isNear = config.privateWebhooks;
  const toReceivers = createOutbound({ allowLoopback: isNear, allowPrivate: isNear, writtenBy: "people" });
  const authHost = createAuthHost({ authUrl: config.auth.url, apiUrl: config.api.url }, line);
  const api = { ...line, baseUrl: config.api.url, version: config.apiVersion };
  const directory = createDirectoryClient(api, authHost.features);
  const vault = createWebVault(config.encryptionKeys);
  const credentials = () => currentCredentials({ config, pool, vault });
  const queue = createQueue(address, { directoryUrl: config.api.url, log, supervises: config.roles.has("worker") });
  const parts = { config, prisma, pool, vault, authHost, directory, credentials };
  return {
    ...parts,
    suggestPauses: createSuggestPauses(),
    tokenChecks: createTokenChecks({ directory }),
    checkinCopies: createCheckinCopies({ pool, directory, log, waitMs: checkinsMs }),
    harmonizer: createHarmonizer({
      ...parts,
      queue,
      databaseUrl: sessionAddress(address),
      webhookLine: { dispatcher: toReceivers, deadlineMs },
    }),
    async close() {
      await queue.close();
      await Promise.all([dispatcher.destroy(), toReceivers.destroy()]);
    },
  };
}

type HarmonizerParts = Omit<Web, "harmonizer" | "checkinCopies" | "suggestPauses" | "tokenChecks" | "close"> &
  Pick<Harmonizer, "queue" | "databaseUrl"> & { webhookLine: Line };

function createHarmonizer(parts: HarmonizerParts): Harmonizer {
  const { config, prisma, pool, databaseUrl, queue, directory, credentials, vault, webhookLine } = parts;
  return {
    prisma,
    pool,
    databaseUrl,
    queue,
    directory,
    directoryUrl: config.api.url,
    limits: config.fileLimits,
    async authFor(accountId) {
      if (accountId === null) return credentials();
      const token = openToken(vault, await connectionOf(pool, accountId));
      return token === undefined ? undefined : { token };
    },
    async tokenRefused(accountId, auth) {
      const connection = await connectionOf(pool, accountId);
      // A token stored by another log-in meanwhile is left alone.
      if (connection && "token" in auth && openToken(vault, connection) === auth.token)
        await markBroken({ pool }, connection);
    },
    providerId: async () => config.providerId,
    webhooks: {
      line: webhookLine,
      isHttpAllowed: config.privateWebhooks,
      vault,
      appUrl: config.web.url,
      admins: config.admins,
    },
  };
}

async function connectionOf(pool: Web["pool"], accountId: string): Promise<Connection | undefined> {
  const row = await queryRow<{ token: Buffer; broken_at: Date | null }>(prepared(pool))`
    SELECT token, broken_at FROM app.connection WHERE account_id = ${accountId}`;
  return row && { accountId, sealed: row.token, brokenAt: row.broken_at ?? undefined };
}
