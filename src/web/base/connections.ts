import type { FastifyBaseLogger } from "fastify";
import type { Vault } from "../../shared/crypto.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "./deps.ts";

/** What a token is sealed to: it opens in the row of its own account only (attacks S03). */
export const connectionPlace = (accountId: string): string => `app.connection.token:${accountId}`;

/** A user's connection as the row holds it. */
export interface Connection {
  accountId: string;
  sealed: Buffer;
  /** When the directory refused it. */
  brokenAt: Date | undefined;
}

/** The user's token, or undefined where only a new log-in helps: refused by the directory, or not to be opened. */
export function openToken(vault: Vault, connection: Connection | undefined): string | undefined {
  if (!connection || connection.brokenAt) return undefined;
  return vault.open(connection.sealed, connectionPlace(connection.accountId));
}

/** Notes that the directory refused this token; a token that came in the meantime is left alone. */
export async function markBroken({ pool }: Pick<Web, "pool">, { accountId, sealed }: Connection): Promise<void> {
  await pool.query(
    `UPDATE app.connection SET broken_at = now(), updated_at = now()
     WHERE account_id = $1 AND token = $2 AND broken_at IS NULL`,
    [accountId, sealed],
  );
}

/**
 * Gives the user's token back to the directory, so that it is dead, and forgets it whatever the directory says. One that
 * came by another log-in in the meantime is left alone.
 *
 * @returns false where the directory did not end it: only the user can, in the settings there
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
