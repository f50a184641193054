import { type Db, queryRow, queryRows } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { UNKNOWN_CLIENT } from "./applications.ts";

/**
 * Throws KnownError 400 for an invalid name, 404 for an unknown application, 409 if another application has it
 * (interface, "Mapping").
 */
export async function reserveProvider(db: Db, name: string, clientId: string): Promise<void> {
  if (!isProviderId(name))
    throw badRequest(t("A provider id needs 2 to 50 letters, digits, dots, dashes or underscores."));
  const row = await queryRow<{ clientId: string }>(db)`
    INSERT INTO directory.provider (id, client_id)
    SELECT ${name}, client_id FROM directory.application WHERE client_id = ${clientId}
    ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING client_id AS "clientId"`;
  if (!row) throw notFound(UNKNOWN_CLIENT);
  if (row.clientId !== clientId)
    throw new KnownError(
      409,
      "param_error",
      t("The provider id {name} is already reserved for another application.", { name }),
    );
}

const isProviderId = (name: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{1,49}$/.test(name);

export interface Provider {
  id: string;
  links: number;
}

export async function listProviders(db: Db, clientId: string): Promise<Provider[]> {
  return queryRows<Provider>(db)`
    SELECT p.id, (SELECT count(*)::int FROM directory.link l WHERE l.provider_id = p.id) AS links
      FROM directory.provider p WHERE p.client_id = ${clientId} ORDER BY p.id`;
}

/** Throws KnownError 404 if the application does not have it, 409 if it has annotations. */
export async function releaseProvider(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  name: string,
  clientId: string,
): Promise<void> {
  if (!isProviderId(name)) throw notFound(notYours());
  await prisma.$transaction(async (tx) => {
    // Locks out new annotations.
    const locked = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM directory.provider WHERE id = ${name} AND client_id = ${clientId} FOR UPDATE`;
    if (locked.length === 0) throw notFound(notYours());
    if (await tx.link.findFirst({ where: { providerId: name } }))
      throw new KnownError(
        409,
        "param_error",
        t("The provider id {name} has annotations, so it cannot be released.", { name }),
      );
    await tx.provider.delete({ where: { id: name } });
  });
}

const notYours = () => t("The application does not have this provider id.");
