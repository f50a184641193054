import type { Pool } from "pg";
import type { Config } from "../../config/config.ts";
import type { PrismaClient } from "../../db/generated/client.ts";
import { type Db, execute, prepared, queryRow, sql } from "../../db/sql.ts";
import type { ClientCredentials } from "../../directory-client/calls/retry-after.ts";
import { t } from "../../language/translate.ts";
import { createVault, type Vault } from "../../shared/crypto.ts";
import { unavailable } from "../../shared/errors.ts";
import { secretPlace } from "../base/keys.ts";
import { addCredential, limitSecretInUse, secretInUse, switchOn } from "./rows.ts";

interface Keeper {
  prisma: PrismaClient;
  pool: Pool;
  vault: Vault;
}

/** The credentials in use. `id` is their row; undefined if they come from the settings. */
export interface CurrentCredentials extends ClientCredentials {
  id: string | undefined;
}

export const createWebVault = (encryptionKeys: readonly string[]): Vault => createVault(encryptionKeys, "app");

type Stored = ClientCredentials & { id: string; untouched: boolean };

/**
 * Returns the credentials last switched on for a directory (`{base_url}`), or undefined if none can be decrypted. Reads
 * them at every use, so that all processes follow a rotation at once (docs/decisions/0002).
 */
export async function storedCredentials(
  { pool, vault }: Pick<Keeper, "pool" | "vault">,
  directory: string,
): Promise<Stored | undefined> {
  const row = await queryRow<{ id: string; clientId: string; secret: Buffer; untouched: boolean }>(prepared(pool))`
    SELECT id, client_id AS "clientId", secret, ${IS_UNTOUCHED} AS untouched
      FROM (${secretInUse(directory)}) AS used`;
  if (!row) return undefined;
  const { id, clientId, untouched } = row;
  const clientSecret = vault.open(row.secret, secretPlace(id));
  return clientSecret === undefined ? undefined : { id, clientId, clientSecret, untouched };
}

/**
 * Returns the credentials in use, and notes the use. A stored secret replaces the one of the settings if the client id
 * is the same.
 *
 * @throws KnownError 503 if there are none
 */
export async function currentCredentials(
  keeper: Pick<Keeper, "pool" | "vault"> & { config: Pick<Config, "api" | "client"> },
): Promise<CurrentCredentials> {
  const { client, api } = keeper.config;
  const stored = await storedCredentials(keeper, api.url);
  if (client && stored?.clientId !== client.id)
    return { id: undefined, clientId: client.id, clientSecret: client.secret };
  if (!stored)
    throw unavailable(
      t(
        "Samespot is not registered at the venue directory yet. An admin has to register it there and set CLIENT_ID and CLIENT_SECRET.",
      ),
    );
  const { id, clientId, clientSecret, untouched } = stored;
  if (untouched) noteUse(keeper.pool, id);
  return { id, clientId, clientSecret };
}

/** Uses are noted once a minute, not for every call. */
const IS_UNTOUCHED = sql`coalesce(last_used_at < now() - interval '1 minute', true)`;

/** Not awaited: a failure must not fail the call. */
function noteUse(db: Db, id: string): void {
  execute(db)`
    UPDATE app.client_credential SET last_used_at = now() WHERE id = ${id} AND ${IS_UNTOUCHED}`.catch(() => undefined);
}

/**
 * Stores credentials that are known to be good and puts them in use in every process.
 *
 * @param replaced the previous ones, if the directory still accepts them for a while; otherwise they have ended
 */
export async function storeCredentials(
  { prisma, vault }: Pick<Keeper, "prisma" | "vault">,
  directory: string,
  { clientId, clientSecret }: ClientCredentials,
  { origin, replaced }: { origin: "setup" | "command"; replaced?: { id: string | undefined; overlapSeconds: number } },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    if (replaced) {
      const overlap = { overlapSeconds: replaced.overlapSeconds, endsEarly: false, isSure: true };
      await limitSecretInUse(tx, { directory, clientId, id: replaced.id }, overlap);
    }
    const id = await addCredential(tx, vault, { directory, clientId, clientSecret, origin });
    await switchOn(tx, directory, id);
  });
}
