import type { Pool } from "pg";
import type { Config } from "../../config/config.ts";
import type { PrismaClient } from "../../db/generated/client.ts";
import type { ClientCredentials } from "../../directory-client/basic.ts";
import { createVault, type Vault } from "../../shared/crypto.ts";
import { unavailable } from "../../shared/errors.ts";
import { secretPlace } from "../base/keys.ts";
import { addCredential, limitInUse, secretInUse, switchOn } from "./rows.ts";

export interface Keeper {
  prisma: PrismaClient;
  pool: Pool;
  /** Made by `createWebVault`. */
  vault: Vault;
}

/** Credentials in use, and the row they stand in; none for those of the settings. */
export interface CurrentCredentials extends ClientCredentials {
  id: string | undefined;
}

/** Seals what belongs to the web app: users' tokens and its own client secret. */
export const createWebVault = (encryptionKeys: readonly string[]): Vault => createVault(encryptionKeys, "app");

type Stored = ClientCredentials & { id: string; untouched: boolean };

/**
 * The credentials last switched on for a directory (`{base_url}`), or undefined when there are none that open. Read anew
 * at every use, so that all processes follow a rotation at once (docs/decisions/0002).
 */
export async function storedCredentials(
  { pool, vault }: Pick<Keeper, "pool" | "vault">,
  directory: string,
): Promise<Stored | undefined> {
  const { rows } = await pool.query<{ id: string; clientId: string; secret: Buffer; untouched: boolean }>({
    name: "credentials-in-use",
    text: `SELECT id, client_id AS "clientId", secret, ${IS_UNTOUCHED} AS untouched FROM (${secretInUse({ directory: "$1" })}) AS used`,
    values: [directory],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { id, clientId, untouched } = row;
  const clientSecret = vault.open(row.secret, secretPlace(id));
  return clientSecret === undefined ? undefined : { id, clientId, clientSecret, untouched };
}

/**
 * The credentials in use. Those of the settings, until newer ones of the same client id have been stored here (a
 * rotated secret takes over); without any in the settings the stored ones. Notes the use.
 *
 * @throws KnownError 503 while there are none
 */
export async function currentCredentials(
  keeper: Pick<Keeper, "pool" | "vault"> & { config: Pick<Config, "api" | "client"> },
): Promise<CurrentCredentials> {
  const { client, api } = keeper.config;
  const stored = await storedCredentials(keeper, api.url);
  if (client && stored?.clientId !== client.id)
    return { id: undefined, clientId: client.id, clientSecret: client.secret };
  if (!stored)
    throw unavailable("Samespot is not registered at the venue directory yet. Whoever runs it needs to do that.");
  const { id, clientId, clientSecret, untouched } = stored;
  if (untouched) noteUse(keeper.pool, id);
  return { id, clientId, clientSecret };
}

/** To the minute, so that it costs a write a minute and not one a call. */
const IS_UNTOUCHED = "coalesce(last_used_at < now() - interval '1 minute', true)";

/** Nobody waits for it, and its failure must not fail a call. */
function noteUse(pool: Pool, id: string): void {
  const text = `UPDATE app.client_credential SET last_used_at = now() WHERE id = $1 AND ${IS_UNTOUCHED}`;
  pool.query(text, [id]).catch(() => undefined);
}

/**
 * Keeps credentials that are known to be good; they are the ones in use from now on, in every process.
 *
 * @param replaced the ones in use so far, where the directory takes them for a while yet; otherwise they have ended
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
      await limitInUse(tx, { directory, clientId, id: replaced.id }, overlap);
    }
    const id = await addCredential(tx, vault, { directory, clientId, clientSecret, origin });
    await switchOn(tx, directory, id);
  });
}
