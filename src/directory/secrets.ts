import { Prisma } from "../db/generated/client.ts";
import { randomToken, sha256 } from "../shared/crypto.ts";
import { KnownError, notFound } from "../shared/errors.ts";
import { UNKNOWN_CLIENT } from "./applications.ts";
import type { DirectoryDeps } from "./deps.ts";

/** Longest time two secrets work beside each other. */
export const MAX_OVERLAP_HOURS = 7 * 24;

interface Rotation {
  /** How long one of the secrets so far works on; 0 ends it at once. */
  overlapHours: number;
  /** Id of the secret to be replaced: a form that is sent twice must not end the secret in use. */
  ifCurrent?: string;
  /**
   * Id of the secret that the call was made with, which works on in place of the current one. Whose answer was lost can
   * call again with what they have: while nobody has used the current one, and without living longer for it.
   */
  usedSecret?: string;
}

/**
 * Gives the application a new secret. The one in use so far works for the overlap more, counted from now; any other ends
 * now, so that never more than two are live.
 *
 * @returns with it, when it was made and when the one before stops working, by the database's clock
 * @throws KnownError 404 for an unknown application, 400 for a bad overlap, 409 when another secret is the current one (and
 * in use, where the used one is given), 400 invalid_client when the used one has ended
 */
export async function rotateSecret(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  { overlapHours, ifCurrent, usedSecret }: Rotation,
): Promise<{ clientSecret: string; createdAt: Date; previousExpiresAt: Date }> {
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS))
    throw new KnownError(400, "param_error", "The overlap must be between 0 hours and 7 days.");
  const clientSecret = randomToken();
  const overlapSeconds = overlapHours * 3600;
  return prisma.$transaction(async (tx) => {
    const live = await lockSecrets(tx, clientId);
    const current = live.find(({ expiresAt }) => expiresAt === null);
    if (ifCurrent !== undefined && current?.id !== ifCurrent) throw new KnownError(409, "param_error", ROTATED_BEFORE);
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
  // It cannot become the current one again, and may have ended since. The time is cut as NOW is, below.
  await deps.pool.query(
    `UPDATE directory.application_secret
        SET expires_at = least(expires_at, date_trunc('milliseconds', clock_timestamp()))
      WHERE client_id = $1 AND id = $2`,
    [clientId, id],
  );
}

const IS_CURRENT =
  "This is the current secret: without it the application could not log in. Rotate it without an overlap instead.";

/**
 * Ends every secret of the application but the current one, for who has that one in use.
 *
 * @returns how many were live until then
 * @throws KnownError 409 when the used one is not the current one, 400 invalid_client when it has ended
 */
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

const NOT_CURRENT = "There is a newer secret than this one: switch to the newest first, then make this call with it.";

interface SecretState {
  id: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** The live secrets of an application, which nobody else rotates or ends until the transaction is over. */
async function lockSecrets(tx: Prisma.TransactionClient, clientId: string): Promise<SecretState[]> {
  await tx.$queryRaw`SELECT 1 FROM directory.application WHERE client_id = ${clientId} FOR UPDATE`;
  return tx.$queryRaw<SecretState[]>`
    SELECT id, expires_at AS "expiresAt", last_used_at AS "lastUsedAt"
      FROM directory.application_secret WHERE client_id = ${clientId} AND ${LIVE}`;
}

/** The secret of this id. It was live when the call came in, and may have ended while that waited for the lock. */
function stillLive(live: SecretState[], id: string): SecretState {
  const secret = live.find((each) => each.id === id);
  if (!secret) throw new KnownError(400, "invalid_client", "this client secret has just ended");
  return secret;
}

/** The column rounds to milliseconds: rounded up, a secret would live on for half a one. */
const NOW = Prisma.sql`date_trunc('milliseconds', clock_timestamp())`;
const LIVE = Prisma.sql`(expires_at IS NULL OR expires_at > clock_timestamp())`;
