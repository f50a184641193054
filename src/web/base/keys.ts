import { hex, type Keys } from "../../db/keys.ts";
import { type Db, execute, queryRows, rawSql } from "../../db/sql.ts";
import { webhookPlace } from "../../harmonize/webhook/webhook.ts";
import type { Vault } from "../../shared/crypto.ts";
import { connectionPlace } from "./connections.ts";

/** Binds a sealed secret to its row (attacks S03). */
export const secretPlace = (id: string): string => `app.client_credential.secret:${id}`;

/** What the web app seals: users' tokens, its own client secrets, and those of webhooks. */
export const webKeys = (vault: Vault): Keys => ({
  schema: "app",
  vault,
  sealed: [
    { table: "app.connection", column: "token", id: { account_id: "uuid" }, place: connectionPlace },
    { table: "app.client_credential", column: "secret", id: { id: "uuid" }, place: secretPlace },
    { table: "app.webhook", column: "secret", id: { list_id: "uuid" }, place: webhookPlace },
  ],
});

/**
 * Returns the ids of an account at a directory without users/self: keyed fingerprints of its token, one per key, newest
 * first. An account is found by any of them and stored with the first.
 */
export const tokenNames = (vault: Pick<Vault, "fingerprints">, token: string): string[] =>
  vault.fingerprints(token, "account").map((fingerprint) => `fp:${hex(fingerprint)}`);

const AT_A_TIME = 500;

/**
 * Renames accounts that are identified by a fingerprint of their token to the one of the newest key. This needs the
 * token: without it, the person gets a new account at the next log-in once the old key is gone.
 *
 * @returns how many were renamed, and how many still need an older key
 */
export async function renameAccounts(db: Db, vault: Vault): Promise<{ renamed: number; left: number }> {
  const total = { renamed: 0, left: 0 };
  for (let after = FIRST_ID; ; ) {
    const rows = await queryRows<{ id: string; name: string; token: Buffer | null }>(db)`
      SELECT a.id, a.external_id AS name, c.token FROM app.account a LEFT JOIN app.connection c ON c.account_id = a.id
       WHERE a.external_id LIKE 'fp:%' AND a.id > ${after} ORDER BY a.id LIMIT ${rawSql(AT_A_TIME)}`;
    for (const { id, name, token } of rows) {
      const plain = token ? vault.open(token, connectionPlace(id)) : undefined;
      const names = plain === undefined ? [] : tokenNames(vault, plain);
      if (names[0] === name) continue;
      const isRenamed = names.includes(name) && (await rename(db, id, name, names[0] ?? ""));
      total[isRenamed ? "renamed" : "left"] += 1;
    }
    if (rows.length < AT_A_TIME) return total;
    after = rows.at(-1)?.id ?? after;
  }
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const UNIQUE_VIOLATION = "23505";

/**
 * Returns false if another account has that name: the same person, who has logged in since with the newest key alone.
 */
async function rename(db: Db, id: string, from: string, to: string): Promise<boolean> {
  try {
    const count = await execute(db)`
      UPDATE app.account SET external_id = ${to} WHERE id = ${id} AND external_id = ${from}`;
    return count === 1;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
