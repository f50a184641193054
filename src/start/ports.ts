import { once } from "node:events";
import { createServer } from "node:net";
import type { Pool, PoolClient } from "pg";
import type { Config } from "../config/config.ts";
import { execute, queryRow } from "../db/sql.ts";
import { KnownError } from "../shared/errors.ts";
import { SEEN_WITHIN_S } from "../web/base/instances.ts";

/** Tries each port that the roles will listen on, before the start writes anything. Throws an Error that names the setting of the first that fails. */
export async function tryPorts({ roles, web, auth, api, metricsPort }: Config): Promise<void> {
  const { host } = web;
  const ports = [
    ...(roles.has("directory") ? [{ setting: "AUTH_PORT", port: auth.port }] : []),
    ...(roles.has("directory") ? [{ setting: "API_PORT", port: api.port }] : []),
    ...(roles.has("app") ? [{ setting: "APP_PORT", port: web.port }] : []),
    ...(metricsPort === undefined ? [] : [{ setting: "METRICS_PORT", port: metricsPort }]),
  ];
  const servers = [];
  try {
    for (const { setting, port } of ports) {
      const server = createServer();
      servers.push(server);
      const listening = once(server.listen({ host, port }), "listening");
      await listening.catch((error: NodeJS.ErrnoException) => {
        throw new Error(wordsOf(error, setting), { cause: error });
      });
    }
  } finally {
    for (const server of servers) if (server.listening) await once(server.close(), "close");
  }
}

function wordsOf({ code, message }: NodeJS.ErrnoException, setting: string): string {
  if (code === "EADDRINUSE")
    return `${setting}: ${message}. Samespot may already be running; otherwise choose another port.`;
  if (code === "EACCES")
    return `${setting}: ${message}. Choose a port from 1024 on, or give the process the right to this one.`;
  return `HOST: ${message}. It must be an address of this machine.`;
}

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
