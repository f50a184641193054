import type { Pool } from "pg";
import { hex, type Keys } from "../../db/keys.ts";
import type { Vault } from "../../shared/crypto.ts";
import { connectionPlace } from "./connections.ts";

/** What a secret is sealed to: it opens in its own row only (attacks S03). */
export const secretPlace = (id: string): string => `app.client_credential.secret:${id}`;

/** What the web app has sealed: users' tokens and its own client secrets. */
export const webKeys = (vault: Vault): Keys => ({
  schema: "app",
  vault,
  sealed: [
    { table: "app.connection", column: "token", id: { account_id: "uuid" }, place: connectionPlace },
    { table: "app.client_credential", column: "secret", id: { id: "uuid" }, place: secretPlace },
  ],
});

/**
 * What an account is known by at a directory that does not tell who a user is: keyed fingerprints of the token, one a
 * key, newest first. Known by any, called by the first.
 */
export const tokenNames = (vault: Pick<Vault, "fingerprints">, token: string): string[] =>
  vault.fingerprints(token, "account").map((fingerprint) => `fp:${hex(fingerprint)}`);

const AT_A_TIME = 500;

/**
 * Gives accounts that are known by a fingerprint of their token the one of the newest key. Without a token that opens
 * that cannot be done: once the key of before is gone, such a person has a new account at the next log-in.
 *
 * @returns how many were renamed, and how many keep a name that only an older key can make
 */
export async function renameAccounts(pool: Pool, vault: Vault): Promise<{ renamed: number; left: number }> {
  const total = { renamed: 0, left: 0 };
  for (let after = FIRST_ID; ; ) {
    const { rows } = await pool.query<{ id: string; name: string; token: Buffer | null }>(
      `SELECT a.id, a.external_id AS name, c.token FROM app.account a LEFT JOIN app.connection c ON c.account_id = a.id
        WHERE a.external_id LIKE 'fp:%' AND a.id > $1 ORDER BY a.id LIMIT ${AT_A_TIME}`,
      [after],
    );
    for (const { id, name, token } of rows) {
      const plain = token ? vault.open(token, connectionPlace(id)) : undefined;
      const names = plain === undefined ? [] : tokenNames(vault, plain);
      if (names[0] === name) continue;
      const isRenamed = names.includes(name) && (await rename(pool, id, name, names[0] ?? ""));
      total[isRenamed ? "renamed" : "left"] += 1;
    }
    if (rows.length < AT_A_TIME) return total;
    after = rows.at(-1)?.id ?? after;
  }
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const UNIQUE_VIOLATION = "23505";

/** False where another account has that name: the same person, who has logged in since with the newest key alone. */
async function rename(pool: Pool, id: string, from: string, to: string): Promise<boolean> {
  const text = "UPDATE app.account SET external_id = $3 WHERE id = $1 AND external_id = $2";
  try {
    return (await pool.query(text, [id, from, to])).rowCount === 1;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
