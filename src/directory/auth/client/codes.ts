import { type Db, execute, prepared, queryRow } from "../../../db/sql.ts";
import { randomToken, sha256 } from "../../../shared/crypto.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { dropUnreadableToken, keepOrSetToken, openToken, type TokenPair } from "../../tokens.ts";

/** `redirectUri` is exactly as sent; empty if it was left out (web connect). */
export interface IssuedCode extends TokenPair {
  redirectUri: string;
  codeChallenge: string | null;
  /** When the user logged in, if the request required a fresh log-in. */
  authTime?: Date | null | undefined;
  isUsed: boolean;
  isExpired: boolean;
}

/** Issues a code that is valid once, for 60 seconds of the database's clock. Stores only its hash. */
export async function issueCode(
  db: Db,
  to: TokenPair & Pick<IssuedCode, "redirectUri" | "codeChallenge" | "authTime">,
): Promise<string> {
  const code = randomToken();
  await execute(prepared(db))`
    INSERT INTO directory.authorization_code
      (hash, client_id, user_id, redirect_uri, code_challenge, auth_time, expires_at)
    VALUES (${sha256(code)}, ${to.clientId}, ${to.userId}, ${to.redirectUri}, ${to.codeChallenge},
      ${to.authTime ?? null}, clock_timestamp() + interval '60 seconds')`;
  return code;
}

/** Also finds used and expired codes. */
export async function findCode(db: Db, code: string): Promise<IssuedCode | undefined> {
  return queryRow<IssuedCode>(prepared(db))`
    SELECT client_id AS "clientId", user_id AS "userId", redirect_uri AS "redirectUri",
           code_challenge AS "codeChallenge", auth_time AS "authTime", used_at IS NOT NULL AS "isUsed",
           expires_at <= clock_timestamp() AS "isExpired"
      FROM directory.authorization_code WHERE hash = ${sha256(code)}`;
}

/**
 * Spends the code and sets the token of its user and application in one statement: of several concurrent calls one gets the token, and the
 * others find both the used code and a token to revoke. Drops an unreadable token first, so that they all see the same new one. Returns
 * undefined if the code is used or expired, or the user is disabled or disconnected.
 */
export async function spendCode(
  deps: Pick<DirectoryDeps, "pool" | "vault" | "log">,
  code: string,
  pair: TokenPair,
): Promise<string | undefined> {
  const { pool, vault } = deps;
  await dropUnreadableToken(deps, pair);
  const row = await queryRow<{ token: Uint8Array }>(prepared(pool))`
    WITH spent AS (
      UPDATE directory.authorization_code SET used_at = clock_timestamp()
       WHERE hash = ${sha256(code)} AND used_at IS NULL AND expires_at > clock_timestamp()
      RETURNING user_id, client_id)
    UPDATE directory.authorization a SET ${keepOrSetToken(vault, pair)}
      FROM spent JOIN directory."user" u ON u.id = spent.user_id AND u.disabled_at IS NULL
     WHERE a.user_id = spent.user_id AND a.client_id = spent.client_id
    RETURNING a.token_sealed AS token`;
  return row && openToken(vault, pair, row.token);
}
