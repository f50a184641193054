import { KnownError, notFound } from "../errors.ts";
import type { DirectoryDeps } from "./tokens.ts";

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
