import { randomUUID } from "node:crypto";
import type { Config } from "../config.ts";
import { createVault, type Vault } from "../crypto.ts";
import type { PrismaClient } from "../db/generated/client.ts";
import { unavailable } from "../errors.ts";

interface Keeper {
  prisma: PrismaClient;
  /** Made by `createWebVault`. */
  vault: Vault;
}

/** Seals what belongs to the web app: users' tokens and its own client secret. */
export const createWebVault = (encryptionKeys: readonly string[]): Vault => createVault(encryptionKeys, "app");

const secretPlace = (id: string) => `app.client_credential.secret:${id}`;

/** The newest credentials kept for a directory (`{base_url}`), or undefined when there are none that open. */
export async function storedCredentials({ prisma, vault }: Keeper, directory: string) {
  const row = await prisma.clientCredential.findFirst({
    where: { directory, switchedOnAt: { not: null }, secret: { not: null } },
    orderBy: [{ switchedOnAt: "desc" }, { id: "desc" }],
  });
  if (!row?.secret) return undefined;
  const clientSecret = vault.open(row.secret, secretPlace(row.id));
  return clientSecret === undefined ? undefined : { clientId: row.clientId, clientSecret };
}

/**
 * The credentials in use. Those of the settings, until newer ones of the same client id have been stored here (a
 * rotated secret takes over); without any in the settings the stored ones.
 *
 * @throws KnownError 503 while there are none
 */
export async function currentCredentials({ config, ...keeper }: Keeper & { config: Pick<Config, "api" | "client"> }) {
  const stored = await storedCredentials(keeper, config.api.url);
  const { client } = config;
  if (client && stored?.clientId !== client.id) return { clientId: client.id, clientSecret: client.secret };
  if (!stored)
    throw unavailable("Samespot is not registered at the venue directory yet. Whoever runs it needs to do that.");
  return stored;
}

/** Keeps new credentials; they are the ones in use from now on. */
export async function storeCredentials(
  { prisma, vault }: Keeper,
  directory: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<void> {
  const id = randomUUID();
  const secret = vault.seal(clientSecret, secretPlace(id));
  await prisma.clientCredential.create({ data: { id, directory, clientId, secret, switchedOnAt: new Date() } });
}
