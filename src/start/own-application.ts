import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { addApplication, ensureRedirectUri, liftRestrictions } from "../directory/applications/applications.ts";
import { reserveProvider } from "../directory/applications/providers.ts";
import { rotateSecret, verifyClient } from "../directory/applications/secrets.ts";
import { directoryDeps } from "../directory/deps.ts";
import { addUser, findUser, OPERATOR_HANDLE } from "../directory/users.ts";
import type { Logger } from "../http/logger.ts";
import { randomToken } from "../shared/crypto.ts";
import { KnownError } from "../shared/errors.ts";
import { createWebVault, storeCredentials, storedCredentials } from "../web/client-secret/credentials.ts";

export interface Parts {
  config: Config;
  database: Database;
}

/** Registers the web app like any other application, stores its secret sealed in the app's schema, and returns its client id. */
export async function registerOwnApplication({ config, database }: Parts): Promise<string> {
  const deps = directoryDeps({ config, database });
  const keeper = credentialKeeper({ config, database });
  const redirectUri = `${config.web.url}/login/callback`;
  const stored = await storedCredentials(keeper, config.api.url);
  if (stored && (await ensureRedirectUri(deps, stored.clientId, redirectUri))) {
    await liftRestrictions(deps, stored.clientId);
    if (await verifyClient(deps, stored.clientId, stored.clientSecret)) return stored.clientId;
    // Somebody rotated the secret without telling the app.
    const { clientSecret } = await rotateSecret(deps, stored.clientId, { overlapHours: 24 });
    const { clientId } = stored;
    await storeCredentials(keeper, config.api.url, { clientId, clientSecret }, { origin: "setup" });
    return clientId;
  }
  // Nobody knows this user's password.
  const owner =
    (await findUser(deps, OPERATOR_HANDLE)) ??
    (await addUser(deps, { handle: OPERATOR_HANDLE, firstName: "Samespot", password: randomToken() }));
  const added = await addApplication(deps, {
    ownerId: owner.id,
    name: "Samespot",
    redirectUris: [redirectUri],
    rateLimit: 0,
    rotatesItself: true,
  });
  await storeCredentials(keeper, config.api.url, added, { origin: "setup" });
  return added.clientId;
}

/** Lets the app annotate venues from the first start. If the id is taken or not set, only annotating fails. */
export async function reserveOwnProvider({ config, database }: Parts, clientId: string, log: Logger): Promise<void> {
  const { providerId } = config;
  if (providerId === undefined) return;
  await reserveProvider(directoryDeps({ config, database }), providerId, clientId).catch((error: unknown) => {
    if (!(error instanceof KnownError)) throw error;
    log.warn(`The web app cannot annotate venues: ${error.message} Set PROVIDER_ID to another id.`);
  });
}

/** After a rotation by command: gives the web app its new secret without a restart. */
export async function keepOwnSecret(
  { config, database }: Parts,
  { overlapSeconds, ...rotated }: { clientId: string; clientSecret: string; overlapSeconds: number },
): Promise<void> {
  const keeper = credentialKeeper({ config, database });
  const stored = await storedCredentials(keeper, config.api.url);
  const own = config.client?.id ?? stored?.clientId;
  if (own !== rotated.clientId) return;
  const replaced = { id: stored?.clientId === own ? stored?.id : undefined, overlapSeconds };
  await storeCredentials(keeper, config.api.url, rotated, { origin: "command", replaced });
}

const credentialKeeper = ({ config, database }: Parts) => ({
  ...database,
  vault: createWebVault(config.encryptionKeys),
});
