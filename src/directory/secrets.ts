import { timingSafeEqual } from "node:crypto";
import { randomToken, sha256 } from "../crypto.ts";
import type { Application } from "../db/generated/client.ts";
import { KnownError, notFound } from "../errors.ts";
import { APPLICATION_COLUMNS, isPlainId } from "./applications.ts";
import type { DirectoryDeps } from "./tokens.ts";

/**
 * Gives the application a new secret. The one in use so far works for `overlapHours` more (0 ends it at once); one
 * that was already running out ends now, so that never more than two are live.
 *
 * @throws KnownError 404 for an unknown application, 400 for a bad overlap
 */
export async function rotateSecret(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  { overlapHours }: { overlapHours: number },
): Promise<{ clientSecret: string }> {
  if (!(overlapHours >= 0 && overlapHours <= 24 * 90))
    throw new KnownError(400, "param_error", "The overlap must be between 0 hours and 90 days.");
  const clientSecret = randomToken();
  const overlapSeconds = overlapHours * 3600;
  await prisma.$transaction(async (tx) => {
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM directory.application WHERE client_id = ${clientId} FOR UPDATE`;
    if (locked.length === 0) throw notFound("There is no application with this client id.");
    await tx.$executeRaw`
      UPDATE directory.application_secret
         SET expires_at = clock_timestamp()
                        + CASE WHEN expires_at IS NULL THEN make_interval(secs => ${overlapSeconds}::float8) ELSE '0' END
       WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
    await tx.applicationSecret.create({ data: { clientId, hash: sha256(clientSecret) } });
  });
  return { clientSecret };
}

/** The application these credentials belong to, or undefined: an unknown id and a wrong or ended secret look the same. */
export async function verifyClient(
  { pool }: Pick<DirectoryDeps, "pool">,
  clientId: string,
  secret: string,
): Promise<Application | undefined> {
  if (!isPlainId(clientId)) return undefined;
  const { rows } = await pool.query<Application & { secretId: string; hash: Buffer; untouched: boolean }>({
    name: "verify-client",
    text: `SELECT ${APPLICATION_COLUMNS}, s.id AS "secretId", s.hash,
                  coalesce(s.last_used_at < now() - interval '1 minute', true) AS untouched
             FROM directory.application a JOIN directory.application_secret s USING (client_id)
            WHERE client_id = $1 AND (s.expires_at IS NULL OR s.expires_at > now())`,
    values: [clientId],
  });
  const given = sha256(secret);
  const row = rows.find(({ hash }) => timingSafeEqual(hash, given));
  if (!row) return undefined;
  const { secretId, hash: _, untouched, ...application } = row;
  if (untouched) touchSecret(pool, secretId);
  return application;
}

/** Notes the use for the owner to see. The caller does not wait for it, and its failure must not fail the call. */
function touchSecret(pool: DirectoryDeps["pool"], id: string): void {
  pool
    .query(
      `UPDATE directory.application_secret SET last_used_at = now()
        WHERE id = $1 AND coalesce(last_used_at < now() - interval '1 minute', true)`,
      [id],
    )
    .catch(() => undefined);
}
