import { KnownError, notFound } from "../shared/errors.ts";
import { UNKNOWN_CLIENT } from "./applications.ts";
import type { DirectoryDeps } from "./deps.ts";

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
  if (!isProviderId(name))
    throw new KnownError(400, "param_error", "A provider id needs 2 to 50 letters, digits, dots, dashes, underscores.");
  const { rows } = await pool.query<{ clientId: string }>(
    `INSERT INTO directory.provider (id, client_id)
     SELECT $1, client_id FROM directory.application WHERE client_id = $2
     ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING client_id AS "clientId"`,
    [name, clientId],
  );
  if (!rows[0]) throw notFound(UNKNOWN_CLIENT);
  if (rows[0].clientId !== clientId)
    throw new KnownError(409, "param_error", `The provider id ${name} is reserved for another application.`);
}

const isProviderId = (name: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/.test(name);

export interface Provider {
  id: string;
  /** How many annotations were made with it. */
  links: number;
}

/** The provider ids of an application, in order of the alphabet, and how many annotations each has made. */
export async function listProviders({ pool }: Pick<DirectoryDeps, "pool">, clientId: string): Promise<Provider[]> {
  const { rows } = await pool.query<Provider>(
    `SELECT p.id, (SELECT count(*)::int FROM directory.link l WHERE l.provider_id = p.id) AS links
       FROM directory.provider p WHERE p.client_id = $1 ORDER BY p.id`,
    [clientId],
  );
  return rows;
}

/**
 * Gives a provider id back, for anybody to reserve. Only without annotations: they would go with it, or be another's.
 *
 * @throws KnownError 404 when it is not the application's, 409 when annotations were made with it
 */
export async function releaseProvider(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  name: string,
  clientId: string,
): Promise<void> {
  if (!isProviderId(name)) throw notFound(NOT_YOURS);
  await prisma.$transaction(async (tx) => {
    // The lock keeps new annotations away until the id is gone.
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM directory.provider WHERE id = ${name} AND client_id = ${clientId} FOR UPDATE`;
    if (locked.length === 0) throw notFound(NOT_YOURS);
    if (await tx.link.findFirst({ where: { providerId: name } }))
      throw new KnownError(409, "param_error", `Venues are annotated with the provider id ${name}: it stays yours.`);
    await tx.provider.delete({ where: { id: name } });
  });
}

const NOT_YOURS = "The application has no such provider id (any more).";
