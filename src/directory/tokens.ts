import type { Application } from "../db/generated/client.ts";
import { type Db, execute, prepared, queryRow, type Sql, sql } from "../db/sql.ts";
import { randomToken, type Vault } from "../shared/crypto.ts";
import { KnownError, notFound, unavailable } from "../shared/errors.ts";
import { type Count, type CountColumns, type CountedCall, countIn, countingCaller } from "./counters.ts";
import type { DirectoryDeps } from "./deps.ts";
import { type LastWrite, lastWriteOf } from "./last-write.ts";

type TokenDeps = Pick<DirectoryDeps, "pool" | "vault" | "log">;

/** A user and an application, which share one token (interface, "Access token"). */
export interface TokenPair {
  userId: string;
  clientId: string;
}

type TokenCaller = TokenPair &
  Pick<Application, "rateLimit" | "access"> &
  LastWrite & {
    /** Whether venues of the user wait for approval. */
    hasHeld: boolean;
    counted?: Count | undefined;
  };

/** Returns undefined if the token is unknown or revoked, or its user disabled. Counts `call`. */
export async function findToken(
  { pool, vault }: Pick<DirectoryDeps, "pool" | "vault">,
  token: string,
  call?: CountedCall,
): Promise<TokenCaller | undefined> {
  const caller = callerWith(vault.fingerprints(token, "token"));
  if (!call) return queryRow<TokenCaller>(prepared(pool))`${caller}`;
  const row = await queryRow<Omit<TokenCaller, "counted"> & CountColumns>(prepared(pool))`
    WITH caller AS (${caller})
    ${countingCaller(sql`caller."userId" || ' ' || caller."clientId"`, call)}`;
  if (!row) return undefined;
  const { userId, clientId, rateLimit, access, position, hasHeld } = row;
  return { userId, clientId, rateLimit, access, position, hasHeld, counted: countIn(row) };
}

const callerWith = (fingerprints: Uint8Array[]): Sql => sql`
  SELECT a.user_id AS "userId", a.client_id AS "clientId", p.rate_limit AS "rateLimit", p.access,
         ${lastWriteOf(sql`a.user_id`)} AS position,
         EXISTS (SELECT FROM directory.venue_proposal h WHERE h.user_id = a.user_id AND h.state = 'open' AND h.is_new) AS "hasHeld"
    FROM directory.authorization a JOIN directory."user" u ON u.id = a.user_id
    JOIN directory.application p ON p.client_id = a.client_id
   WHERE a.token_lookup = ANY(${fingerprints}::bytea[]) AND u.disabled_at IS NULL`;

/** Throws KnownError 404 for an unknown user or application. */
export async function consent(db: Db, { userId, clientId }: TokenPair): Promise<void> {
  try {
    await execute(prepared(db))`
      INSERT INTO directory.authorization (user_id, client_id) VALUES (${userId}, ${clientId}) ON CONFLICT DO NOTHING`;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "23503";
    throw isMissing ? notFound("There is no such user or application.") : error;
  }
}

/** The token stays the same until it is revoked. Throws KnownError invalid_grant without consent. */
export async function tokenOf(deps: TokenDeps, pair: TokenPair): Promise<string> {
  await dropUnreadableToken(deps, pair);
  const row = await queryRow<{ token: Uint8Array }>(prepared(deps))`
    UPDATE directory.authorization a SET ${keepOrSetToken(deps.vault, pair)}
     WHERE user_id = ${pair.userId} AND client_id = ${pair.clientId} RETURNING token_sealed AS token`;
  return openToken(deps.vault, pair, row?.token);
}

/**
 * Without this, a user with an unreadable token (a lost key, a damaged or copied row: attacks S03, S04) could never log
 * in. Deletes only the bytes it has read, so concurrent calls do not delete each other's new token. Throws KnownError
 * 503 if other processes have started using a key that this process lacks.
 */
export async function dropUnreadableToken({ pool, vault, log }: TokenDeps, { userId, clientId }: TokenPair) {
  const row = await queryRow<{ token: Uint8Array | null; isOfOthers: boolean }>(prepared(pool))`
    SELECT token_sealed AS token, EXISTS (
      SELECT FROM directory.vault_key WHERE id = substring(token_sealed FROM 1 FOR 4) AND id <> ALL(${vault.keyIds}::bytea[])
    ) AS "isOfOthers"
      FROM directory.authorization WHERE user_id = ${userId} AND client_id = ${clientId}`;
  const sealed = row?.token;
  if (!sealed || vault.open(sealed, tokenPlace({ userId, clientId }))) return;
  if (row?.isOfOthers) throw unavailable("This server must be restarted with the newest encryption key first.");
  const count = await execute(pool)`
    UPDATE directory.authorization SET token_lookup = NULL, token_sealed = NULL, token_at = NULL
     WHERE user_id = ${userId} AND client_id = ${clientId} AND token_sealed = ${sealed}`;
  const message = "a stored token did not open with ENCRYPTION_KEYS and is replaced by a new one";
  if (count > 0) log?.warn({ userId, clientId }, message);
}

/** Sets a new token in a row without one. */
export function keepOrSetToken(vault: Vault, pair: TokenPair): Sql {
  const token = randomToken();
  return sql`token_lookup = coalesce(a.token_lookup, ${vault.fingerprint(token, "token")}),
    token_sealed = coalesce(a.token_sealed, ${vault.seal(token, tokenPlace(pair))}), token_at = coalesce(a.token_at, clock_timestamp())`;
}

/** @throws KnownError invalid_grant if there is no token, or it does not open for this pair */
export function openToken(vault: Vault, pair: TokenPair, sealed: Uint8Array | undefined): string {
  const token = sealed && vault.open(sealed, tokenPlace(pair));
  if (token) return token;
  throw new KnownError(400, "invalid_grant", "The user has not authorized this application, or no longer does.");
}

/** Binds a seal to its pair (attacks S03). */
export const tokenPlace = ({ userId, clientId }: TokenPair) => `directory.authorization/${userId}/${clientId}/token`;

/** The consent stays, so the next log-in issues a new token. */
export async function revokeToken(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { userId, clientId }: TokenPair,
): Promise<void> {
  await prisma.authorization.updateMany({ where: { userId, clientId }, data: NO_TOKEN });
}

const NO_TOKEN = { tokenLookup: null, tokenSealed: null, tokenAt: null };

/** Leaves tokens of other applications unchanged. The consent stays. */
export async function revokeSentToken(
  { prisma, vault }: Pick<DirectoryDeps, "prisma" | "vault">,
  clientId: string,
  token: string,
): Promise<void> {
  const where = { clientId, tokenLookup: { in: vault.fingerprints(token, "token") } };
  await prisma.authorization.updateMany({ where, data: NO_TOKEN });
}

/** Returns false if there was no consent. */
export async function disconnect(db: Db, { userId, clientId }: TokenPair): Promise<boolean> {
  const count = await execute(db)`
    WITH codes AS (DELETE FROM directory.authorization_code WHERE user_id = ${userId} AND client_id = ${clientId})
    DELETE FROM directory.authorization WHERE user_id = ${userId} AND client_id = ${clientId}`;
  return count === 1;
}
