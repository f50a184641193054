import type { PoolClient } from "pg";
import type { Config } from "../config/config.ts";
import { type Database, openDatabase, PATIENT_CONNECT_MS } from "../db/database.ts";
import { LOCKS } from "../db/locks.ts";
import { addApplication, ensureRedirectUri, liftRestrictions } from "../directory/applications.ts";
import { storeCategories } from "../directory/categories/store.ts";
import { directoryDeps } from "../directory/deps.ts";
import { hashPassword } from "../directory/passwords.ts";
import { reserveProvider } from "../directory/providers.ts";
import { createDemo } from "../directory/sample/demo-checkins.ts";
import { importSample } from "../directory/sample/import-sample.ts";
import { rotateSecret } from "../directory/secrets.ts";
import { addUser, checkPassword, DEMO_HANDLE, findUser, OPERATOR_HANDLE } from "../directory/users.ts";
import { noteNormalization } from "../directory/venues/renormalize.ts";
import { verifyClient } from "../directory/verify-client.ts";
import type { Logger } from "../http/logger.ts";
import { randomToken } from "../shared/crypto.ts";
import { KnownError } from "../shared/errors.ts";
import { createWebVault, storeCredentials, storedCredentials } from "../web/client-secret/credentials.ts";

interface Parts {
  config: Config;
  database: Database;
}

const PATIENCE_MS = 10 * 60_000;

/**
 * Puts into the directory what must always be there: the category tree and the web app's own registration; with
 * SAMPLE_DATA also the sample venues and the demo account. Safe to run at every start and by two processes at once.
 *
 * @returns the demo account, with its password unless its owner changed it
 */
export async function prepareDirectory({ config, url, log }: { config: Config; url: string; log: Logger }) {
  const say = (message: string) => log.info(message);
  const database = openDatabase(url, { log: say, patience: PATIENCE_MS, connectMs: PATIENT_CONNECT_MS });
  const { prisma, pool } = database;
  const parts = { config, database };
  let lock: PoolClient | undefined;
  try {
    lock = await pool.connect();
    await lock.query("SELECT pg_advisory_lock($1)", [LOCKS.setup]);
    await storeCategories(prisma);
    await noteNormalization(pool);
    if (!config.client) await reserveOwnProvider(parts, await registerOwnApplication(parts), log);
    if (!config.sampleData) return undefined;
    await importSample({ prisma, pool, log: say });
    return await prepareDemo(parts);
  } finally {
    lock?.release(true); // ends the connection, and with it the lock
    await database.close();
  }
}

/**
 * The web app becomes an application like any other; its secret goes sealed to the app's side and nowhere else. Answers its
 * client id.
 */
async function registerOwnApplication({ config, database }: Parts): Promise<string> {
  const deps = directoryDeps({ config, database });
  const keeper = credentialKeeper({ config, database });
  const redirectUri = `${config.web.url}/login/callback`;
  const stored = await storedCredentials(keeper, config.api.url);
  if (stored && (await ensureRedirectUri(deps, stored.clientId, redirectUri))) {
    await liftRestrictions(deps, stored.clientId);
    if (await verifyClient(deps, stored.clientId, stored.clientSecret)) return stored.clientId;
    // Its secret was rotated by somebody who did not tell the app.
    const { clientSecret } = await rotateSecret(deps, stored.clientId, { overlapHours: 24 });
    const { clientId } = stored;
    await storeCredentials(keeper, config.api.url, { clientId, clientSecret }, { origin: "setup" });
    return clientId;
  }
  // A user nobody knows the password of.
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

/** The app can annotate from the first start on. An id that is taken, or none, keeps it from that and from nothing else. */
async function reserveOwnProvider({ config, database }: Parts, clientId: string, log: Logger): Promise<void> {
  const { providerId } = config;
  if (providerId === undefined) return;
  await reserveProvider(directoryDeps({ config, database }), providerId, clientId).catch((error: unknown) => {
    if (!(error instanceof KnownError)) throw error;
    log.warn(`The web app cannot annotate venues: ${error.message} Set PROVIDER_ID to another.`);
  });
}

async function prepareDemo({ config, database }: Parts) {
  const deps = directoryDeps({ config, database });
  const password = config.demoPassword();
  if (!(await findUser(deps, DEMO_HANDLE))) {
    await createDemo({ ...deps, handle: DEMO_HANDLE, passwordHash: await hashPassword(password), now: new Date() });
  }
  const isUnchanged = await checkPassword(deps, DEMO_HANDLE, password);
  return { handle: DEMO_HANDLE, password: isUnchanged ? password : undefined };
}

/** After a rotation by command line: the web app takes a new secret of its own at once, without a restart. */
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
