import { randomUUID } from "node:crypto";
import type { CredentialOrigin, Prisma } from "../../db/generated/client.ts";
import { type Sql, sql } from "../../db/sql.ts";
import type { Vault } from "../../shared/crypto.ts";
import { secretPlace } from "../base/keys.ts";

/** All times are by the database's clock. */
type Transaction = Pick<Prisma.TransactionClient, "$executeRaw" | "$queryRaw" | "clientCredential">;

/** The row of the secret in use if the settings have none: the one last switched on for a directory. */
export const secretInUse = (directory: string): Sql => sql`SELECT * FROM app.client_credential
   WHERE directory = ${directory} AND switched_on_at IS NOT NULL AND secret IS NOT NULL ORDER BY switched_on_at DESC, id DESC LIMIT 1`;

interface NewCredential {
  /** `{base_url}`. */
  directory: string;
  clientId: string;
  clientSecret: string;
  origin: CredentialOrigin;
  /** The admin who rotated or pasted it. */
  accountId?: string;
}

/** Stores a sealed secret that is not in use. Returns the id of its row. */
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
 * Puts a stored secret in use. The previous one stays in the history: alive while the directory accepts it, otherwise
 * ended.
 *
 * @returns false, and changes nothing, if it has ended or another was switched on after it was created
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

export interface Overlap {
  overlapSeconds: number;
  /** It may end earlier, as soon as nothing uses it. */
  endsEarly: boolean;
}

interface InUse {
  directory: string;
  clientId: string;
  /** Undefined if it comes from the settings. */
  id: string | undefined;
}

/**
 * Returns the row of the secret in use. A secret from the settings has a row, without the secret, only once its end is
 * known (`limitInUse`).
 */
export const rowInUse = (tx: Pick<Transaction, "clientCredential">, { directory, clientId, id }: InUse) =>
  tx.clientCredential.findFirst({ where: { directory, endedAt: null, ...(id ? { id } : { clientId, secret: null }) } });

/**
 * Notes that the directory has created a newer secret: it accepts the one in use for `overlapSeconds`, and no older
 * one. If that is not sure, notes only the earliest possible end of the one in use. Creates a row for a secret from the
 * settings.
 *
 * @returns when the one in use ends
 */
export async function limitSecretInUse(
  tx: Transaction,
  inUse: InUse,
  { overlapSeconds, endsEarly, isSure }: Overlap & { isSure: boolean },
): Promise<Date | undefined> {
  const { directory, clientId } = inUse;
  const id = (await rowInUse(tx, inUse))?.id ?? inUse.id ?? randomUUID();
  if (isSure) await endAllBut(tx, directory, id);
  const rows = await tx.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO app.client_credential AS used (id, directory, client_id, origin, created_at, switched_on_at, expires_at, ends_early)
    VALUES (${id}::uuid, ${directory}, ${clientId}, 'setup', clock_timestamp(), clock_timestamp(),
            clock_timestamp() + make_interval(secs => ${overlapSeconds}::float8), ${endsEarly})
    ON CONFLICT (id) DO UPDATE SET ends_early = excluded.ends_early,
       expires_at = CASE WHEN ${isSure} OR used.expires_at < clock_timestamp() THEN excluded.expires_at
                         ELSE least(used.expires_at, excluded.expires_at) END
    RETURNING expires_at AS "expiresAt"`;
  return rows[0]?.expiresAt;
}

/** Notes that every secret but this row's has ended. */
export async function endAllBut(tx: Transaction, directory: string, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE app.client_credential SET ended_at = least(clock_timestamp(), expires_at), secret = NULL
     WHERE directory = ${directory} AND ended_at IS NULL AND id <> ${id}::uuid`;
}
