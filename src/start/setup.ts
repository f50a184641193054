import type { PoolClient } from "pg";
import type { Config } from "../config/config.ts";
import { openDatabase, PATIENT_CONNECT_MS } from "../db/database.ts";
import { LOCKS } from "../db/locks.ts";
import { execute } from "../db/sql.ts";
import { storeCategories } from "../directory/categories/store.ts";
import { directoryDeps } from "../directory/deps.ts";
import { hashPassword } from "../directory/passwords.ts";
import { createDemo } from "../directory/sample/demo-checkins.ts";
import { importSample } from "../directory/sample/import-sample.ts";
import { sampleState } from "../directory/sample/remove.ts";
import { addUser, checkPassword, DEMO_HANDLE, findUser, OPERATOR_HANDLE } from "../directory/users.ts";
import { noteNormalization } from "../directory/venues/renormalize.ts";
import type { Logger } from "../http/logger.ts";
import { KnownError } from "../shared/errors.ts";
import { type Parts, registerOwnApplication, reserveOwnProvider } from "./own-application.ts";
import { takeNewAddress } from "./ports.ts";

const PATIENCE_MS = 10 * 60_000;

/** Safe at every start and for concurrent processes. Returns the demo account, unless it was removed; its password only if unchanged. */
export async function prepareDirectory(given: { config: Config; url: string; isDistributed?: boolean; log: Logger }) {
  const { config, url, isDistributed, log } = given;
  const say = (message: string) => log.info(message);
  const options = { log: say, patience: PATIENCE_MS, connectMs: PATIENT_CONNECT_MS, isDistributed };
  const database = openDatabase(url, options);
  const { prisma, pool } = database;
  const parts = { config, database };
  let lock: PoolClient | undefined;
  try {
    lock = await pool.connect();
    await execute(lock)`SELECT pg_advisory_lock(${LOCKS.setup})`;
    await storeCategories(prisma);
    await noteNormalization(pool);
    await addFirstAdmin(parts, log);
    if (!config.client) {
      await takeNewAddress(pool, config.api.url);
      await reserveOwnProvider(parts, await registerOwnApplication(parts), log);
    }
    if (!config.sampleData || ["going", "removed"].includes(await sampleState(pool))) return undefined;
    await importSample({ prisma, pool, log: say });
    return await prepareDemo(parts);
  } finally {
    lock?.release(true); // ends the connection, and with it the lock
    await database.close();
  }
}

/** Where sign-up is off, somebody has to be able to log in. Does nothing once the directory has people. */
async function addFirstAdmin({ config, database }: Parts, log: Logger): Promise<void> {
  const { adminPassword: password, admins } = config;
  const [handle] = admins;
  if (password === undefined || handle === undefined) return;
  if (await database.prisma.user.count({ where: { handle: { notIn: [OPERATOR_HANDLE, DEMO_HANDLE] } } })) return;
  const { id } = await addUser(directoryDeps({ config, database }), { handle, password }).catch((error: unknown) => {
    if (!(error instanceof KnownError)) throw error;
    throw new Error(`The first of ADMINS cannot get an account with ADMIN_PASSWORD: ${error.message}`);
  });
  log.info({ user: id }, "the account of the first admin was added; ADMIN_PASSWORD can be removed");
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
