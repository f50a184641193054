import { timingSafeEqual } from "node:crypto";
import type { Application, Prisma } from "../../db/generated/client.ts";
import { type Db, execute, prepared, queryRows, type Sql, sql } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { randomToken, sha256 } from "../../shared/crypto.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { type Count, type CountColumns, type CountedCall, countIn, countingCaller } from "../counters.ts";
import type { DirectoryDeps } from "../deps.ts";
import { type LastWrite, lastWriteOf } from "../last-write.ts";
import { isPlainId, UNKNOWN_CLIENT } from "./applications.ts";

export const MAX_OVERLAP_HOURS = 7 * 24;

interface Rotation {
  overlapHours: number;
  /** Id of the secret to replace, so that a form sent twice does not end the new one. */
  ifCurrent?: string;
  /**
   * Id of the secret that authenticated the call, which keeps working instead of the current one. So a client that lost
   * a response can repeat the call until the new secret is used.
   */
  usedSecret?: string;
}

/**
 * The previous secret keeps working for the overlap, counted from now; any other ends now. Throws KnownError 404 for an
 * unknown application, 400 for an invalid overlap, 409 if another secret is current (with `usedSecret`: and in use),
 * 400 invalid_client if `usedSecret` has ended.
 */
export async function rotateSecret(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  { overlapHours, ifCurrent, usedSecret }: Rotation,
): Promise<{ clientSecret: string; createdAt: Date; previousExpiresAt: Date }> {
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS))
    throw badRequest(t("The overlap must be between 0 hours and 7 days."));
  const clientSecret = randomToken();
  const overlapSeconds = overlapHours * 3600;
  return prisma.$transaction(async (tx) => {
    const live = await lockSecrets(tx, clientId);
    const current = live.find(({ expiresAt }) => expiresAt === null);
    if (ifCurrent !== undefined && current?.id !== ifCurrent) throw new KnownError(409, "param_error", rotatedBefore());
    const previous = usedSecret === undefined ? current : stillLive(live, usedSecret);
    if (previous?.id !== current?.id && current?.lastUsedAt) throw new KnownError(409, "invalid_request", NOT_CURRENT);
    const ending = await tx.$queryRaw<{ id: string; expiresAt: Date }[]>`
      UPDATE directory.application_secret
         SET expires_at = CASE WHEN id = ${previous?.id ?? null}::uuid
                          THEN least(expires_at, ${NOW} + make_interval(secs => ${overlapSeconds}::float8)) ELSE ${NOW} END
       WHERE client_id = ${clientId} AND ${LIVE} RETURNING id, expires_at AS "expiresAt"`;
    const [made] = await tx.$queryRaw<{ createdAt: Date }[]>`
      INSERT INTO directory.application_secret (id, client_id, hash, created_at)
      SELECT gen_random_uuid(), client_id, ${sha256(clientSecret)}, ${NOW}
        FROM directory.application WHERE client_id = ${clientId} RETURNING created_at AS "createdAt"`;
    if (!made) throw notFound(UNKNOWN_CLIENT);
    const previousExpiresAt = ending.find(({ id }) => id === previous?.id)?.expiresAt ?? made.createdAt;
    return { clientSecret, createdAt: made.createdAt, previousExpiresAt };
  });
}

const rotatedBefore = () =>
  t("The secret was replaced in the meantime, so nothing was changed. Check the secrets below first.");

export interface LiveSecret {
  id: string;
  createdAt: Date;
  /** When it stops working; null for the current secret. */
  expiresAt: Date | null;
  /** To the minute. */
  lastUsedAt: Date | null;
  /** The database's clock. */
  now: Date;
}

/** Lists the current secret first. */
export async function listSecrets(db: Db, clientId: string): Promise<LiveSecret[]> {
  return queryRows<LiveSecret>(prepared(db))`
    SELECT id, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
           clock_timestamp() AS now
      FROM directory.application_secret
     WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > clock_timestamp())
     ORDER BY expires_at DESC NULLS FIRST`;
}

/** Throws KnownError 409 for the current secret, which only a rotation can replace, and 404 for unknown ones. */
export async function endSecret(db: Db, clientId: string, id: string): Promise<void> {
  const secret = (await listSecrets(db, clientId)).find((each) => each.id === id);
  if (!secret) throw notFound("This secret does not exist or has already ended.");
  if (secret.expiresAt === null) throw new KnownError(409, "param_error", isCurrent());
  // The condition keeps an earlier end. The time is truncated like NOW below.
  await execute(db)`
    UPDATE directory.application_secret
       SET expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()))
     WHERE client_id = ${clientId} AND id = ${id}`;
}

const isCurrent = () =>
  t("This is the current secret, which the application needs to log in. Rotate it without an overlap instead.");

/** Throws KnownError 409 if `usedSecret` is not current, 400 invalid_client if it has ended. */
export async function endOtherSecrets(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  usedSecret: string,
): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const { expiresAt } = stillLive(await lockSecrets(tx, clientId), usedSecret);
    if (expiresAt !== null) throw new KnownError(409, "invalid_request", NOT_CURRENT);
    return tx.$executeRaw`
      UPDATE directory.application_secret SET expires_at = ${NOW}
       WHERE client_id = ${clientId} AND ${LIVE} AND id <> ${usedSecret}::uuid`;
  });
}

const NOT_CURRENT = "There is a newer secret than this one. Switch to the newest one, then repeat this call.";

interface SecretState {
  id: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

async function lockSecrets(tx: Prisma.TransactionClient, clientId: string): Promise<SecretState[]> {
  await tx.$queryRaw`SELECT 1 FROM directory.application WHERE client_id = ${clientId} FOR UPDATE`;
  return tx.$queryRaw<SecretState[]>`
    SELECT id, expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
      FROM directory.application_secret WHERE client_id = ${clientId} AND ${LIVE}`;
}

/** The secret was live when the call came in, but may have ended while waiting for the lock. */
function stillLive(live: SecretState[], id: string): SecretState {
  const secret = live.find((each) => each.id === id);
  if (!secret) throw new KnownError(400, "invalid_client", "this client secret has just ended");
  return secret;
}

/** The column rounds to milliseconds. Truncating keeps a secret from living half a millisecond longer. */
const NOW = sql`date_trunc('milliseconds', clock_timestamp())`;
const LIVE = sql`(expires_at IS NULL OR expires_at > clock_timestamp())`;

export interface VerifiedClient
  extends Pick<Application, "clientId" | "rateLimit" | "access" | "redirectUris" | "webConnect" | "rotatesItself"> {
  secretId: string;
  position: LastWrite["position"];
  counted?: Count | undefined;
}

/** `now` is set if the use must be recorded. */
type SecretRow = Omit<VerifiedClient, "counted"> & { hash: Buffer; now: Date | null };

/** Returns undefined for an unknown id, a wrong secret or an ended one. Counts `call` if the secret is right. */
export async function verifyClient(
  db: Db,
  clientId: string,
  secret: string,
  call?: CountedCall,
): Promise<VerifiedClient | undefined> {
  if (!isPlainId(clientId)) return undefined;
  const given = sha256(secret);
  const counting = call && countingCaller(sql`'application ' || caller."clientId"`, call, sql`caller.hash = ${given}`);
  const rows = counting
    ? await queryRows<SecretRow & CountColumns>(prepared(db))`WITH caller AS (${liveSecrets(clientId)}) ${counting}`
    : await queryRows<SecretRow & Partial<CountColumns>>(prepared(db))`${liveSecrets(clientId)}`;
  const row = rows.find(({ hash }) => timingSafeEqual(hash, given));
  if (!row) return undefined;
  const { hash: _, now, count = null, resetAt = null, secondsLeft = null, ...application } = row;
  if (now) touchSecret(db, row.secretId, now);
  return { ...application, counted: countIn({ count, resetAt, secondsLeft }) };
}

/**
 * Uses are recorded to the minute, and to the second for an expiring secret, whose owner waits for its last use: a use in
 * the minute of the rotation must not look older than the rotation.
 */
const IS_UNTOUCHED = sql`coalesce(s.last_used_at < now() - CASE WHEN s.expires_at IS NULL THEN interval '1 minute' ELSE interval '1 second' END, true)`;

const liveSecrets = (clientId: string): Sql => sql`
  SELECT a.client_id AS "clientId", a.rate_limit AS "rateLimit", a.access, a.redirect_uris AS "redirectUris",
         a.web_connect AS "webConnect", a.rotates_itself AS "rotatesItself",
         ${lastWriteOf(sql`a.client_id`)} AS position, s.id AS "secretId", s.hash, CASE WHEN ${IS_UNTOUCHED} THEN now() END AS now
    FROM directory.application a JOIN directory.application_secret s USING (client_id)
   WHERE client_id = ${clientId} AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** Records the time of the call, so that no use appears to follow the rotation. Does not wait, and ignores failure. */
function touchSecret(db: Db, id: string, at: Date): void {
  execute(db)`
    UPDATE directory.application_secret s SET last_used_at = greatest(last_used_at, ${at})
     WHERE id = ${id} AND ${IS_UNTOUCHED}`.catch(() => undefined);
}
