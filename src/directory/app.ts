import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Logger } from "../http/logger.ts";
import { createVault } from "../shared/crypto.ts";
import { buildApi } from "./api/app.ts";
import { buildAuth } from "./auth/app.ts";
import type { DirectoryDeps } from "./tokens.ts";

/** The venue directory: the host that logs users in (`{auth_url}`) and the host of the API (`{base_url}`). */
export async function buildDirectory(parts: {
  config: Config;
  database: Database;
  log: Logger;
}): Promise<{ auth: FastifyInstance; api: FastifyInstance }> {
  const { config, log } = parts;
  const deps = directoryDeps(parts);
  return { auth: await buildAuth({ ...deps, config, log }), api: await buildApi({ ...deps, config, log }) };
}

/** What the directory's verbs work with, for its hosts and for the command line alike. */
export function directoryDeps({ config, database }: { config: Config; database: Database }): DirectoryDeps {
  return {
    prisma: database.prisma,
    pool: database.pool,
    vault: createVault(config.encryptionKeys, "directory"),
    operator: {
      names: config.operators,
      contact: config.operatorContact,
      newApplications: config.newApplications,
      ownClient: config.client?.id,
    },
  };
}
