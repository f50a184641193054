import type { Vault } from "../crypto.ts";
import type { Web } from "./deps.ts";

/** What a token is sealed to: it opens in the row of its own account only (attacks S03). */
export const connectionPlace = (accountId: string): string => `app.connection.token:${accountId}`;

/** A user's connection as the row holds it. */
export interface Connection {
  accountId: string;
  sealed: Buffer;
  isBroken: boolean;
}

/** The user's token, or undefined where only a new log-in helps: refused by the directory, or not to be opened. */
export function openToken(vault: Vault, connection: Connection | undefined): string | undefined {
  if (!connection || connection.isBroken) return undefined;
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

/** Forgets the user's token. At the directory the application stays connected until the user ends that there. */
export async function disconnect({ prisma }: Pick<Web, "prisma">, accountId: string): Promise<void> {
  await prisma.connection.deleteMany({ where: { accountId } });
}
