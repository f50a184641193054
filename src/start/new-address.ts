import type { Pool, PoolClient } from "pg";
import { execute, queryRow } from "../db/sql.ts";
import { KnownError } from "../shared/errors.ts";
import { SEEN_WITHIN_S } from "../web/base/instances.ts";

/**
 * The web app identifies a directory by its API's address. If this directory had another address at the last start, moves the web
 * app's accounts, files and own registration to the new address. The registration keeps its provider ids and people's consent.
 *
 * @throws KnownError 409 while a process runs under the former address
 */
export async function takeNewAddress(client: Pool | PoolClient, address: string): Promise<void> {
  const found = await queryRow<{ former: string; runs: boolean }>(client)`
    SELECT directory AS former,
           EXISTS (SELECT FROM app.instance WHERE seen_at > now() - make_interval(secs => ${SEEN_WITHIN_S})) AS runs
      FROM app.client_credential used JOIN directory.application USING (client_id)
     WHERE switched_on_at IS NOT NULL AND secret IS NOT NULL
       AND NOT EXISTS (SELECT FROM app.client_credential WHERE directory = ${address}
                       UNION ALL SELECT FROM app.account WHERE directory = ${address})
     ORDER BY switched_on_at DESC LIMIT 1`;
  if (!found) return;
  if (found.runs)
    throw new KnownError(
      409,
      "conflict",
      `Samespot runs with its API at ${found.former}, not at ${address}. Give this command the same API_PORT or BASE_URL, or stop that Samespot first. If it was killed, it counts as running for half a minute.`,
    );
  await execute(client)`
    WITH accounts AS (UPDATE app.account SET directory = ${address} WHERE directory = ${found.former}),
         files AS (UPDATE app.harmonization SET directory = ${address} WHERE directory = ${found.former})
    UPDATE app.client_credential SET directory = ${address} WHERE directory = ${found.former}`;
}

/** Where a start before registered the web app at the directory of this database. Nothing at the new address can be lost. */
