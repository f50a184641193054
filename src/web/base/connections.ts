import type { FastifyBaseLogger } from "fastify";
import { type Db, execute } from "../../db/sql.ts";
import type { Vault } from "../../shared/crypto.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "./deps.ts";

/** Binds a sealed token to the row of its account (attacks S03). */
export const connectionPlace = (accountId: string): string => `app.connection.token:${accountId}`;

export interface Connection {
  accountId: string;
  sealed: Buffer;
  brokenAt: Date | undefined;
}

/** Returns the user's token, or undefined if the directory refused it or it cannot be decrypted. */
export function openToken(vault: Vault, connection: Connection | undefined): string | undefined {
  if (!connection || connection.brokenAt) return undefined;
  return vault.open(connection.sealed, connectionPlace(connection.accountId));
}

/** Marks the connection as refused, unless a new token has been stored meanwhile. */
export async function markBroken(db: Db, { accountId, sealed }: Connection): Promise<void> {
  await execute(db)`
    UPDATE app.connection SET broken_at = now(), updated_at = now()
    WHERE account_id = ${accountId} AND token = ${sealed} AND broken_at IS NULL`;
}

/**
 * Revokes the user's token at the directory and deletes it with the copy of their check-ins, even if the directory fails.
 * Keeps a token that another log-in has stored in the meantime.
 *
 * @returns false if the directory did not revoke it: only the user can, in the settings there
 */
export async function disconnect(
  { authHost, credentials, prisma, vault }: Web,
  connection: Connection,
  log: FastifyBaseLogger,
): Promise<boolean> {
  const token = openToken(vault, connection);
  const isEnded =
    connection.brokenAt !== undefined ||
    (token !== undefined && (await giveBack({ authHost, credentials }, token, log)));
  const { accountId, sealed } = connection;
  await prisma.connection.deleteMany({ where: { accountId, token: new Uint8Array(sealed) } });
  await prisma.checkinCopy.deleteMany({ where: { accountId } });
  return isEnded;
}

async function giveBack(
  { authHost, credentials }: Pick<Web, "authHost" | "credentials">,
  token: string,
  log: FastifyBaseLogger,
) {
  try {
    return await authHost.revokeToken(await credentials(), token);
  } catch (err) {
    if (!(err instanceof KnownError)) throw err;
    log.warn({ err }, "the directory did not end a connection");
    return false;
  }
}
