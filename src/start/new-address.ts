import type { Pool, PoolClient } from "pg";
import { KnownError } from "../shared/errors.ts";
import { SEEN_WITHIN_S } from "../web/base/instances.ts";

/**
 * The web app identifies a directory by its API's address. If this directory had another address at the last start, moves the web
 * app's accounts, files and own registration to the new address. The registration keeps its provider ids and people's consent.
 *
 * @throws KnownError 409 while a process runs under the former address
 */
export async function takeNewAddress(client: Pool | PoolClient, address: string): Promise<void> {
  const { rows } = await client.query<{ former: string; runs: boolean }>(FORMER, [address, SEEN_WITHIN_S]);
  const [found] = rows;
  if (!found) return;
  if (found.runs)
    throw new KnownError(
      409,
      "conflict",
      `Samespot runs with its API at ${found.former}, not at ${address}. Give this command the same API_PORT or BASE_URL, or stop that Samespot first. If it was killed, it counts as running for half a minute.`,
    );
  await client.query(MOVE, [found.former, address]);
}

/** Where a start before registered the web app at the directory of this database. Nothing at the new address can be lost. */
const FORMER = `
  SELECT directory AS former,
         EXISTS (SELECT FROM app.instance WHERE seen_at > now() - make_interval(secs => $2)) AS runs
    FROM app.client_credential used JOIN directory.application USING (client_id)
   WHERE switched_on_at IS NOT NULL AND secret IS NOT NULL
     AND NOT EXISTS (SELECT FROM app.client_credential WHERE directory = $1 UNION ALL SELECT FROM app.account WHERE directory = $1)
   ORDER BY switched_on_at DESC LIMIT 1`;

const MOVE = `
  WITH accounts AS (UPDATE app.account SET directory = $2 WHERE directory = $1),
       files AS (UPDATE app.harmonization SET directory = $2 WHERE directory = $1)
  UPDATE app.client_credential SET directory = $2 WHERE directory = $1`;
