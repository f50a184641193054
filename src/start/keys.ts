import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import { countByKey, hex, type Keys, registeredKeys, resealAll, unregisterKeys } from "../db/keys.ts";
import { LOCKS } from "../db/locks.ts";
import { execute } from "../db/sql.ts";
import { directoryKeys } from "../directory/keys.ts";
import { createVault } from "../shared/crypto.ts";
import { badRequest, notFound } from "../shared/errors.ts";
import { renameAccounts, webKeys } from "../web/base/keys.ts";
import { createWebVault } from "../web/client-secret/credentials.ts";

export const allKeys = ({ encryptionKeys }: Pick<Config, "encryptionKeys">): Keys[] => [
  webKeys(createWebVault(encryptionKeys)),
  directoryKeys(createVault(encryptionKeys, "directory")),
];

/** Returns the keys of the parts that this process runs. */
export function keysInRole(config: Pick<Config, "encryptionKeys" | "roles" | "client">): Keys[] {
  const { roles, client } = config;
  // The directory registers the web app and seals its secret.
  const hasWeb = roles.has("app") || roles.has("worker") || !client;
  return allKeys(config).filter(({ schema }) => (schema === "app" ? hasWeb : roles.has("directory")));
}

export interface ListedKey {
  schema: Keys["schema"];
  id: string;
  values: number;
  /** Position in ENCRYPTION_KEYS, from 1, or null. */
  position: number | null;
  registered: boolean;
}

export async function listKeys(config: Pick<Config, "encryptionKeys">, pool: Pool): Promise<ListedKey[]> {
  const lists = allKeys(config).map(async (keys) => {
    const { schema, vault } = keys;
    const known = vault.keyIds.map(hex);
    const registered = await registeredKeys(pool, schema);
    const counts = await countByKey(pool, keys);
    return [...new Set([...known, ...registered, ...counts.keys()])].map((id) => {
      const position = known.includes(id) ? known.indexOf(id) + 1 : null;
      return { schema, id, values: counts.get(id) ?? 0, position, registered: registered.includes(id) };
    });
  });
  return (await Promise.all(lists)).flat();
}

export interface Rotation {
  resealed: number;
  /** Accounts identified by a fingerprint of their token that got a new one with the newest key. */
  renamed: number;
  /** Such accounts that keep a fingerprint of an older key. */
  left_accounts: number;
  /** Rows that no key can open, as `table(id)`. They are left unchanged. */
  unreadable: string[];
  /** Positions in ENCRYPTION_KEYS, from 1, of keys that nothing is sealed with any more. */
  removable: number[];
}

/**
 * Seals all values again with the first of ENCRYPTION_KEYS, and unregisters keys no longer needed. Servers that have all keys
 * may run meanwhile. Concurrent calls wait for each other.
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
    await execute(lock)`SELECT pg_advisory_lock(${LOCKS.keys})`;
    const web = await resealAll(pool, webKeys(webVault), onProgress);
    const directory = await resealAll(pool, directoryKeys(directoryVault), onProgress);
    const { renamed, left } = await renameAccounts(pool, webVault);
    return {
      resealed: web.resealed + directory.resealed,
      renamed,
      left_accounts: left,
      unreadable: [...web.unreadable, ...directory.unreadable],
      removable: await retireKeys(config, pool),
    };
  } finally {
    lock.release(true); // ends the connection, and with it the lock
  }
}

/** Retires only keys behind the first one: another process may already use a newer key. */
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

/** Unregisters lost keys: values sealed with them count as damaged. Throws a KnownError for a key that is not in use or not lost. */
export async function forgetKeys(config: Pick<Config, "encryptionKeys">, pool: Pool, ids: string[]): Promise<string[]> {
  const all = await listKeys(config, pool);
  for (const id of ids) {
    const key = all.find((each) => each.id === id && each.registered);
    if (!key) throw notFound(`No key ${id} is in use. See samespot keys list.`);
    if (key.position) throw badRequest(`The key ${id} is not lost: it is in ENCRYPTION_KEYS.`);
  }
  for (const { schema } of allKeys(config)) await unregisterKeys(pool, schema, ids);
  return ids;
}
