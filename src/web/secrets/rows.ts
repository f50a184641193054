import { randomUUID } from "node:crypto";
import type { Vault } from "../../crypto.ts";
import type { CredentialOrigin, Prisma } from "../../db/generated/client.ts";

/** All times are by the database's clock. */
type Transaction = Pick<Prisma.TransactionClient, "$executeRaw">;

/** What a secret is sealed to: it opens in its own row only (attacks S03). */
export const secretPlace = (id: string): string => `app.client_credential.secret:${id}`;

interface NewCredential {
  /** `{base_url}`. */
  directory: string;
  clientId: string;
  clientSecret: string;
  origin: CredentialOrigin;
  /** The admin who made or pasted it. */
  accountId?: string;
}

/** Keeps a secret, sealed and not in use. Answers the id of its row. */
export async function addCredential(tx: Transaction, vault: Vault, added: NewCredential): Promise<string> {
  const { directory, clientId, clientSecret, origin, accountId = null } = added;
  const id = randomUUID();
  const secret = vault.seal(clientSecret, secretPlace(id));
  await tx.$executeRaw`
    INSERT INTO app.client_credential (id, directory, client_id, secret, origin, account_id, created_at)
    VALUES (${id}::uuid, ${directory}, ${clientId}, ${secret}, ${origin}::app.credential_origin, ${accountId}::uuid,
            clock_timestamp())`;
  return id;
}

/**
 * Makes a kept secret the one in use. The one so far stays in the history: alive while the directory still takes it,
 * else ended, as every other is.
 *
 * @returns false when it was discarded, or another was switched on since it was made: then nothing has changed
 */
export async function switchOn(tx: Transaction, directory: string, id: string): Promise<boolean> {
  const switched = await tx.$executeRaw`
    UPDATE app.client_credential AS fresh SET switched_on_at = clock_timestamp()
     WHERE id = ${id}::uuid AND directory = ${directory} AND switched_on_at IS NULL AND ended_at IS NULL
       AND NOT EXISTS (SELECT FROM app.client_credential AS other
                        WHERE other.directory = ${directory} AND other.switched_on_at > fresh.created_at)`;
  if (switched === 0) return false;
  await tx.$executeRaw`
    UPDATE app.client_credential SET ended_at = clock_timestamp(), secret = NULL
     WHERE directory = ${directory} AND ended_at IS NULL AND id <> ${id}::uuid
       AND (expires_at > clock_timestamp()) IS NOT TRUE`;
  return true;
}

/**
 * Notes that the directory has made a newer secret: it takes the one in use for so long, and no other any more. The secret
 * of the settings has no row while it is in use; now it gets one, so that its end is seen to as well.
 */
export async function limitInUse(
  tx: Transaction,
  { directory, clientId, id }: { directory: string; clientId: string; id: string | undefined },
  overlapSeconds: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE app.client_credential SET ended_at = clock_timestamp(), secret = NULL
     WHERE directory = ${directory} AND ended_at IS NULL AND id IS DISTINCT FROM ${id ?? null}::uuid`;
  await tx.$executeRaw`
    INSERT INTO app.client_credential (id, directory, client_id, origin, created_at, switched_on_at, expires_at)
    VALUES (${id ?? randomUUID()}::uuid, ${directory}, ${clientId}, 'setup', clock_timestamp(), clock_timestamp(),
            clock_timestamp() + make_interval(secs => ${overlapSeconds}::float8))
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`;
}

/** Forgets a secret that is not in use and was not before. False when there is none of this id. */
export async function discard(tx: Transaction, directory: string, id: string): Promise<boolean> {
  const ended = await tx.$executeRaw`
    UPDATE app.client_credential SET ended_at = clock_timestamp(), secret = NULL
     WHERE directory = ${directory} AND id = ${id}::uuid AND switched_on_at IS NULL AND ended_at IS NULL`;
  return ended === 1;
}

/** Notes that the secrets of these rows work nowhere any more, and forgets them. */
export async function markEnded(tx: Transaction, ids: string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE app.client_credential SET ended_at = least(clock_timestamp(), expires_at), secret = NULL
     WHERE id = ANY(${ids}::uuid[]) AND ended_at IS NULL`;
}
