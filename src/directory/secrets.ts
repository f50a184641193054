import { timingSafeEqual } from "node:crypto";
import { randomToken, sha256 } from "../crypto.ts";
import type { Application } from "../db/generated/client.ts";
import { KnownError, notFound } from "../errors.ts";
import { APPLICATION_COLUMNS, isPlainId, UNKNOWN_CLIENT } from "./applications.ts";
import { type Count, type CountColumns, type CountedCall, countIn, countingCaller } from "./counters.ts";
import type { DirectoryDeps } from "./tokens.ts";

/** Longest time two secrets work beside each other. */
const MAX_OVERLAP_HOURS = 7 * 24;

/**
 * Gives the application a new secret. The one in use so far works for `overlapHours` more (0 ends it at once); one
 * that was already running out ends now, so that never more than two are live.
 *
 * @param ifCurrent id of the secret to be replaced: a form that is sent twice must not end the secret in use
 * @throws KnownError 404 for an unknown application, 400 for a bad overlap, 409 when another secret is the current one
 */
export async function rotateSecret(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  { overlapHours, ifCurrent }: { overlapHours: number; ifCurrent?: string },
): Promise<{ clientSecret: string }> {
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS))
    throw new KnownError(400, "param_error", "The overlap must be between 0 hours and 7 days.");
  const clientSecret = randomToken();
  const overlapSeconds = overlapHours * 3600;
  await prisma.$transaction(async (tx) => {
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM directory.application WHERE client_id = ${clientId} FOR UPDATE`;
    if (locked.length === 0) throw notFound(UNKNOWN_CLIENT);
    if (ifCurrent !== undefined) {
      const current = await tx.applicationSecret.findFirst({ where: { clientId, expiresAt: null } });
      if (current?.id !== ifCurrent) throw new KnownError(409, "param_error", ROTATED_BEFORE);
    }
    await tx.$executeRaw`
      UPDATE directory.application_secret
         SET expires_at = date_trunc('milliseconds', clock_timestamp())
                        + CASE WHEN expires_at IS NULL THEN make_interval(secs => ${overlapSeconds}::float8) ELSE '0' END
       WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
    await tx.applicationSecret.create({ data: { clientId, hash: sha256(clientSecret) } });
  });
  return { clientSecret };
}

const ROTATED_BEFORE = "The secret was replaced in the meantime, so this did nothing. Look at the secrets below first.";

/** What its owner may see of a live secret. */
export interface LiveSecret {
  id: string;
  createdAt: Date;
  /** When it stops working; null for the current secret. */
  expiresAt: Date | null;
  /** To the minute. */
  lastUsedAt: Date | null;
  /** The database's clock, which these times are by. */
  now: Date;
}

/** The live secrets of an application, the current one first. */
export async function listSecrets({ pool }: Pick<DirectoryDeps, "pool">, clientId: string): Promise<LiveSecret[]> {
  const { rows } = await pool.query<LiveSecret>({
    name: "list-secrets",
    text: `SELECT id, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
                  clock_timestamp() AS now
             FROM directory.application_secret
            WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > clock_timestamp())
            ORDER BY expires_at DESC NULLS FIRST`,
    values: [clientId],
  });
  return rows;
}

/**
 * Ends a secret that is running out, at once. Not the current one: without it the application could not log in again;
 * a rotation without overlap replaces it.
 *
 * @throws KnownError 409 for the current secret, 404 for one the application does not have, or no longer
 */
export async function endSecret(deps: Pick<DirectoryDeps, "pool">, clientId: string, id: string): Promise<void> {
  const secret = (await listSecrets(deps, clientId)).find((each) => each.id === id);
  if (!secret) throw notFound("There is no such secret (any more).");
  if (secret.expiresAt === null) throw new KnownError(409, "param_error", IS_CURRENT);
  // It cannot become the current one again, and may have ended since. The column rounds to milliseconds: rounded up, the
  // secret would live on for half a one.
  await deps.pool.query(
    `UPDATE directory.application_secret
        SET expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()))
      WHERE client_id = $1 AND id = $2`,
    [clientId, id],
  );
}

const IS_CURRENT =
  "This is the current secret: without it the application could not log in. Rotate it without an overlap instead.";

type SecretRow = Application & { secretId: string; hash: Buffer; untouched: boolean };

/**
 * The application these credentials belong to, or undefined: an unknown id and a wrong or ended secret look the same.
 * Counts the `call` of one whose secret is right.
 */
export async function verifyClient(
  { pool }: Pick<DirectoryDeps, "pool">,
  clientId: string,
  secret: string,
  call?: CountedCall,
): Promise<(Application & { counted?: Count | undefined }) | undefined> {
  if (!isPlainId(clientId)) return undefined;
  const given = sha256(secret);
  const { rows } = call
    ? await pool.query<SecretRow & CountColumns>({
        name: "verify-and-count-client",
        text: `WITH caller AS (${LIVE_SECRETS})
               ${countingCaller(`'application ' || caller."clientId"`, { group: "$2", cost: "$3", condition: "caller.hash = $4" })}`,
        values: [clientId, call.group, call.cost, given],
      })
    : await pool.query<SecretRow & Partial<CountColumns>>({
        name: "verify-client",
        text: LIVE_SECRETS,
        values: [clientId],
      });
  const row = rows.find(({ hash }) => timingSafeEqual(hash, given));
  if (!row) return undefined;
  const { secretId, hash: _, untouched, count = null, resetAt = null, secondsLeft = null, ...application } = row;
  if (untouched) touchSecret(pool, secretId);
  return { ...application, counted: countIn({ count, resetAt, secondsLeft }) };
}

/**
 * Uses are noted to the minute; of a secret that runs out to the second, because its owner waits for the last: one in the
 * minute of the rotation must not pass for older than it.
 */
const IS_UNTOUCHED = `coalesce(s.last_used_at < now() - CASE WHEN s.expires_at IS NULL THEN interval '1 minute' ELSE interval '1 second' END, true)`;

const LIVE_SECRETS = `SELECT ${APPLICATION_COLUMNS}, s.id AS "secretId", s.hash,
         ${IS_UNTOUCHED} AS untouched
    FROM directory.application a JOIN directory.application_secret s USING (client_id)
   WHERE client_id = $1 AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** Notes the use for the owner to see. The caller does not wait for it, and its failure must not fail the call. */
function touchSecret(pool: DirectoryDeps["pool"], id: string): void {
  pool
    .query(`UPDATE directory.application_secret s SET last_used_at = now() WHERE id = $1 AND ${IS_UNTOUCHED}`, [id])
    .catch(() => undefined);
}
