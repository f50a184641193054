import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import { countByKey, hex, type Keys, registeredKeys, unregisterKeys } from "../db/keys.ts";
import { LOCKS } from "../db/locks.ts";
import { resealAll } from "../db/reseal.ts";
import { directoryKeys } from "../directory/keys.ts";
import { createVault } from "../shared/crypto.ts";
import { KnownError, notFound } from "../shared/errors.ts";
import { renameAccounts, webKeys } from "../web/base/keys.ts";
import { createWebVault } from "../web/client-secret/credentials.ts";

/** What both programs have sealed, with the ENCRYPTION_KEYS of the settings. */
export const allKeys = ({ encryptionKeys }: Pick<Config, "encryptionKeys">): Keys[] => [
  webKeys(createWebVault(encryptionKeys)),
  directoryKeys(createVault(encryptionKeys, "directory")),
];

/** Those of the parts that this process runs. */
export function keysInRole(config: Pick<Config, "encryptionKeys" | "roles" | "client">): Keys[] {
  const { roles, client } = config;
  // The directory registers the web app and seals its secret for it.
  const hasWeb = roles.has("app") || roles.has("worker") || !client;
  return allKeys(config).filter(({ schema }) => (schema === "app" ? hasWeb : roles.has("directory")));
}

/** A key as `samespot keys list` shows it. */
export interface ListedKey {
  schema: Keys["schema"];
  id: string;
  /** How many values it has sealed. */
  values: number;
  /** Where it stands in ENCRYPTION_KEYS, from 1; null where it does not. */
  position: number | null;
  /** Whether the programs count on it. */
  registered: boolean;
}

/** Every key that is in the settings, in use, or was used for something that is still there. */
export async function listKeys(config: Pick<Config, "encryptionKeys">, pool: Pool): Promise<ListedKey[]> {
  const lists = allKeys(config).map(async (keys) => {
    const { schema, vault } = keys;
    const known = vault.keyIds.map(hex);
    const [registered, counts] = [await registeredKeys(pool, schema), await countByKey(pool, keys)];
    return [...new Set([...known, ...registered, ...counts.keys()])].map((id) => {
      const position = known.includes(id) ? known.indexOf(id) + 1 : null;
      return { schema, id, values: counts.get(id) ?? 0, position, registered: registered.includes(id) };
    });
  });
  return (await Promise.all(lists)).flat();
}

/** What a rotation did. */
export interface Rotation {
  resealed: number;
  /** Accounts that are known by a fingerprint of their token, and got the one of the newest key. */
  renamed: number;
  /** Such accounts that keep the one of an older key. */
  left_accounts: number;
  /** Rows that no key opens, left as they are: `table(id)`. */
  unreadable: string[];
  /** Which of ENCRYPTION_KEYS, counted from 1, nothing is sealed with any more. */
  removable: number[];
}

/**
 * Seals everything anew with the first of ENCRYPTION_KEYS, while servers run that have all of them, and takes the keys
 * off the list of those in use that nothing is sealed with any more. Of several at once one works and the others wait.
 */
export async function rotateKeys(
  config: Pick<Config, "encryptionKeys">,
  pool: Pool,
  onProgress: (rows: number) => void,
): Promise<Rotation> {
  const webVault = createWebVault(config.encryptionKeys);
  const directoryVault = createVault(config.encryptionKeys, "directory");
  const lock = await pool.connect();
  try {
    await lock.query("SELECT pg_advisory_lock($1)", [LOCKS.keys]);
    const web = await resealAll(pool, webKeys(webVault), onProgress);
    const directory = await resealAll(pool, directoryKeys(directoryVault), onProgress);
    const { renamed, left } = await renameAccounts(pool, webVault);
    return {
      resealed: web.resealed + directory.resealed,
      ...{ renamed, left_accounts: left },
      unreadable: [...web.unreadable, ...directory.unreadable],
      removable: await retireKeys(config, pool),
    };
  } finally {
    lock.release(true); // ends the connection, and with it the lock
  }
}

/** Only those that this process knows to be older than its first: another may have begun to use a newer one. */
async function retireKeys(config: Pick<Config, "encryptionKeys">, pool: Pool): Promise<number[]> {
  const all = await listKeys(config, pool);
  const isSpent = ({ position, values }: ListedKey) => position !== null && position > 1 && values === 0;
  for (const { schema } of allKeys(config)) {
    const spent = all.filter((key) => key.schema === schema && isSpent(key)).map(({ id }) => id);
    await unregisterKeys(pool, schema, spent);
  }
  const positions = config.encryptionKeys.map((_, index) => index + 1);
  return positions.filter((position) => all.filter((key) => key.position === position).every(isSpent));
}

/**
 * Takes lost keys off the list of those in use. What they have sealed counts as damaged from then on: users log in again.
 *
 * @returns the ids
 * @throws KnownError for a key that is not in use, or not lost
 */
export async function forgetKeys(config: Pick<Config, "encryptionKeys">, pool: Pool, ids: string[]): Promise<string[]> {
  const all = await listKeys(config, pool);
  for (const id of ids) {
    const key = all.find((each) => each.id === id && each.registered);
    if (!key) throw notFound(`No key ${id} is in use. See samespot keys list.`);
    if (key.position) throw new KnownError(400, "param_error", `The key ${id} is not lost: it is in ENCRYPTION_KEYS.`);
  }
  for (const { schema } of allKeys(config)) await unregisterKeys(pool, schema, ids);
  return ids;
}
