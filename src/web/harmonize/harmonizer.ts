import type { Harmonizer } from "../../harmonize/run/deps.ts";
import { type Connection, markBroken, openToken } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";

type Parts = Omit<Web, "harmonizer" | "close"> & Pick<Harmonizer, "queue" | "databaseUrl">;

/** What harmonizing works with, from what the pages work with. */
export function createHarmonizer(parts: Parts): Harmonizer {
  const { config, prisma, pool, databaseUrl, queue, directory, credentials, vault } = parts;
  return {
    ...{ prisma, pool, databaseUrl, queue, directory },
    directoryUrl: config.api.url,
    async authFor(accountId) {
      if (accountId === null) return credentials();
      const token = openToken(vault, await connectionOf(pool, accountId));
      return token === undefined ? undefined : { token };
    },
    async tokenRefused(accountId, auth) {
      const connection = await connectionOf(pool, accountId);
      // One that came by another log-in in the meantime is left alone.
      if (connection && "token" in auth && openToken(vault, connection) === auth.token)
        await markBroken({ pool }, connection);
    },
    providerId: async () => config.providerId,
  };
}

async function connectionOf(pool: Web["pool"], accountId: string): Promise<Connection | undefined> {
  const { rows } = await pool.query<{ token: Buffer; broken_at: Date | null }>({
    name: "connection-of",
    text: "SELECT token, broken_at FROM app.connection WHERE account_id = $1",
    values: [accountId],
  });
  const [row] = rows;
  return row && { accountId, sealed: row.token, brokenAt: row.broken_at ?? undefined };
}
