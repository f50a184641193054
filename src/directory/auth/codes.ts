import { randomToken, sha256 } from "../../shared/crypto.ts";
import type { DirectoryDeps } from "../deps.ts";
import { dropUnreadableToken, freshToken, KEEP_OR_SET_TOKEN, openToken, type TokenPair } from "../tokens.ts";

/** A code as it is kept: bound to user, application, the redirect URI exactly as sent, and the PKCE challenge. */
export interface IssuedCode extends TokenPair {
  /** Empty when it was left out (web connect). */
  redirectUri: string;
  codeChallenge: string | null;
  /** When the user gave their password, where the request asked for a fresh log-in. */
  authTime?: Date | null | undefined;
  isUsed: boolean;
  isExpired: boolean;
}

/** A new code, good once and for 60 seconds of the database's clock. Only its hash is kept. */
export async function issueCode(
  { pool }: Pick<DirectoryDeps, "pool">,
  to: TokenPair & Pick<IssuedCode, "redirectUri" | "codeChallenge" | "authTime">,
): Promise<string> {
  const code = randomToken();
  await pool.query({
    name: "issue-code",
    text: `INSERT INTO directory.authorization_code
             (hash, client_id, user_id, redirect_uri, code_challenge, auth_time, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + interval '60 seconds')`,
    values: [sha256(code), to.clientId, to.userId, to.redirectUri, to.codeChallenge, to.authTime],
  });
  return code;
}

/** The code as it is kept, also when it is used or expired; undefined for one that was never issued. */
export async function findCode({ pool }: Pick<DirectoryDeps, "pool">, code: string): Promise<IssuedCode | undefined> {
  const { rows } = await pool.query<IssuedCode>({
    name: "find-code",
    text: `SELECT client_id AS "clientId", user_id AS "userId", redirect_uri AS "redirectUri",
                  code_challenge AS "codeChallenge", auth_time AS "authTime", used_at IS NOT NULL AS "isUsed",
                  expires_at <= clock_timestamp() AS "isExpired"
             FROM directory.authorization_code WHERE hash = $1`,
    values: [sha256(code)],
  });
  return rows[0];
}

/**
 * Spends the code and settles the pair's one token in the same statement: of several calls at once one gets the token,
 * the others find the code used, and only after the token is there to be killed. An unreadable token goes before, for
 * the same reason.
 *
 * @returns undefined when the code is used or expired by now, or its user disabled or no longer connected
 */
export async function spendCode(
  deps: Pick<DirectoryDeps, "pool" | "vault" | "log">,
  code: string,
  pair: TokenPair,
): Promise<string | undefined> {
  const { pool, vault } = deps;
  await dropUnreadableToken(deps, pair);
  const { rows } = await pool.query<{ token: Uint8Array }>({
    name: "spend-code",
    text: `WITH spent AS (
             UPDATE directory.authorization_code SET used_at = clock_timestamp()
              WHERE hash = $1 AND used_at IS NULL AND expires_at > clock_timestamp()
             RETURNING user_id, client_id)
           UPDATE directory.authorization a SET ${KEEP_OR_SET_TOKEN("$2", "$3")}
             FROM spent JOIN directory."user" u ON u.id = spent.user_id AND u.disabled_at IS NULL
            WHERE a.user_id = spent.user_id AND a.client_id = spent.client_id
           RETURNING a.token_sealed AS token`,
    values: [sha256(code), ...freshToken(vault, pair)],
  });
  return rows[0] && openToken(vault, pair, rows[0].token);
}
