import { timingSafeEqual } from "node:crypto";
import { text } from "../contract/parameters.ts";
import { randomId, randomToken, sha256 } from "../crypto.ts";
import type { Application, RedirectMatch } from "../db/generated/client.ts";
import { KnownError, notFound } from "../errors.ts";
import { checkRedirectUri } from "./redirect-uris.ts";
import type { DirectoryDeps } from "./tokens.ts";

export interface NewApplication {
  ownerId: string;
  name: string;
  /** In order; the first is the default. */
  redirectUris: string[];
  redirectMatch?: RedirectMatch;
  /** Whether `response_type=token` is open to it. */
  tokenFlow?: boolean;
}

/**
 * Registers a developer application (interface, "Developer application"). The secret is shown here and never again.
 *
 * @throws KnownError 400 param_error for a bad name or redirect URI
 */
export async function addApplication(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  input: NewApplication,
): Promise<{ clientId: string; clientSecret: string }> {
  const name = applicationName(input.name);
  if (input.redirectUris.length === 0 || input.redirectUris.length > 20)
    throw new KnownError(400, "param_error", "An application needs 1 to 20 redirect URIs.");
  input.redirectUris.forEach(checkRedirectUri);
  const clientSecret = randomToken();
  const { clientId } = await prisma.application.create({
    data: {
      clientId: randomId(),
      name,
      ownerId: input.ownerId,
      redirectUris: [...new Set(input.redirectUris)],
      redirectMatch: input.redirectMatch ?? "exact",
      tokenFlow: input.tokenFlow ?? false,
      secrets: { create: { hash: sha256(clientSecret) } },
    },
  });
  return { clientId, clientSecret };
}

function applicationName(input: string): string {
  const parsed = text("name", 100).safeParse(input);
  if (!parsed.success) throw new KnownError(400, "param_error", `${parsed.error.issues[0]?.message}.`);
  if (parsed.data === "") throw new KnownError(400, "param_error", "An application needs a name.");
  return parsed.data;
}

/** An application with the name its owner is shown by. */
export type ShownApplication = Application & { owner: string };

/** The application of a client id, as a page shows it. */
export async function findApplication(
  { pool }: Pick<DirectoryDeps, "pool">,
  clientId: string,
): Promise<ShownApplication | undefined> {
  if (!isPlainId(clientId)) return undefined;
  const { rows } = await pool.query<ShownApplication>({
    name: "find-application",
    text: `SELECT ${COLUMNS}, u.handle AS owner
             FROM directory.application a JOIN directory."user" u ON u.id = a.owner_id WHERE a.client_id = $1`,
    values: [clientId],
  });
  return rows[0];
}

const COLUMNS = `a.client_id AS "clientId", a.name, a.owner_id AS "ownerId", a.redirect_uris AS "redirectUris",
  a.redirect_match AS "redirectMatch", a.token_flow AS "tokenFlow", a.created_at AS "createdAt"`;

/** Keeps what cannot be an id of ours (NUL, 10 KB) away from the database. */
const isPlainId = (id: string) => /^[\w-]{1,64}$/.test(id);

/** Adds a redirect URI to an application that lacks it, as its first. Returns false when there is no such application. */
export async function ensureRedirectUri(
  { pool }: Pick<DirectoryDeps, "pool">,
  clientId: string,
  uri: string,
): Promise<boolean> {
  checkRedirectUri(uri);
  const { rowCount } = await pool.query(
    `UPDATE directory.application
        SET redirect_uris = CASE WHEN $2 = ANY(redirect_uris) THEN redirect_uris ELSE $2::text || redirect_uris END
      WHERE client_id = $1`,
    [clientId, uri],
  );
  return rowCount === 1;
}

/** The applications, oldest first, of one owner or of all, with what may be seen of their live secrets. */
export function listApplications({ prisma }: Pick<DirectoryDeps, "prisma">, { ownerId }: { ownerId?: string } = {}) {
  return prisma.application.findMany({
    where: ownerId === undefined ? {} : { ownerId },
    orderBy: [{ createdAt: "asc" }, { clientId: "asc" }],
    include: {
      owner: { select: { handle: true } },
      secrets: {
        where: { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
        orderBy: { createdAt: "desc" },
        select: { id: true, createdAt: true, expiresAt: true, lastUsedAt: true },
      },
    },
  });
}

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
    text: `SELECT ${COLUMNS}, s.id AS "secretId", s.hash,
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

/**
 * Reserves a provider id for the application's annotations (interface, "Mapping"). Again for the same application: no effect.
 *
 * @throws KnownError 400 for a bad name, 404 for an unknown application, 409 when another application has it
 */
export async function reserveProvider(
  { pool }: Pick<DirectoryDeps, "pool">,
  name: string,
  clientId: string,
): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/.test(name))
    throw new KnownError(400, "param_error", "A provider id needs 2 to 50 letters, digits, dots, dashes, underscores.");
  const { rows } = await pool.query<{ clientId: string }>(
    `INSERT INTO directory.provider (id, client_id)
     SELECT $1, client_id FROM directory.application WHERE client_id = $2
     ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING client_id AS "clientId"`,
    [name, clientId],
  );
  if (!rows[0]) throw notFound("There is no application with this client id.");
  if (rows[0].clientId !== clientId)
    throw new KnownError(409, "param_error", `The provider id ${name} is reserved for another application.`);
}
