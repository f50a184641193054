import type { ClientCredentials } from "../../directory-client/calls/retry-after.ts";
import type { Logger } from "../../http/logger.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { storedCredentials } from "./credentials.ts";
import { tryCredentials, withRotationLock } from "./rotate.ts";
import { addCredential, endAllBut, switchOn } from "./rows.ts";

/**
 * Returns the job that chooses, once per process, between CLIENT_SECRET and a stored secret of the same client id. The
 * stored one stays unless the directory refuses it and accepts the other. So a new CLIENT_SECRET helps if the stored
 * one is dead, and a rotated secret outlives the settings. Call it until the directory has answered; then it does
 * nothing.
 */
export function createSettingsCheck(web: Web, log: Logger): () => Promise<void> {
  let isDecided = web.config.client === undefined;
  return async () => {
    if (isDecided) return;
    const done = await withRotationLock(web, () => decide(web, log));
    isDecided = done?.result ?? false;
  };
}

/** @returns false if the directory could not be asked */
async function decide(web: Web, log: Logger): Promise<boolean> {
  const { client, api } = web.config;
  const stored = await storedCredentials(web, api.url);
  if (!client || stored?.clientId !== client.id || stored.clientSecret === client.secret) return true;
  const settings = { clientId: client.id, clientSecret: client.secret };
  const isStoredGood = await isAccepted(web, stored);
  if (isStoredGood === undefined) return false;
  if (isStoredGood) {
    log.info("the stored client secret is in use, not CLIENT_SECRET: the directory accepts it");
    return true;
  }
  const isSettingsGood = await isAccepted(web, settings);
  if (isSettingsGood === undefined) return false;
  if (isSettingsGood) {
    await putInUse(web, settings);
    log.warn("CLIENT_SECRET is in use: the directory refuses the client secret that was stored");
  } else log.error("the directory refuses the stored client secret, which is in use, and CLIENT_SECRET as well");
  return true;
}

/** Undefined if the directory could not be asked. */
async function isAccepted(web: Web, credentials: ClientCredentials): Promise<boolean | undefined> {
  try {
    await tryCredentials(web, credentials);
    return true;
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    return error.code === "refused_client" ? false : undefined;
  }
}

async function putInUse({ prisma, vault, config }: Web, credentials: ClientCredentials): Promise<void> {
  const { url: directory } = config.api;
  await prisma.$transaction(async (tx) => {
    const id = await addCredential(tx, vault, { directory, ...credentials, origin: "setup" });
    await endAllBut(tx, directory, id);
    await switchOn(tx, directory, id);
  });
}
