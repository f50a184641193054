import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Replicas } from "../db/replicas.ts";
import { buildApi } from "../directory/api/app.ts";
import { buildAuth } from "../directory/auth/app.ts";
import { directoryDeps } from "../directory/deps.ts";
import type { Logger } from "../http/logger.ts";

export async function buildDirectory(parts: {
  config: Config;
  database: Database;
  replicas?: Replicas | undefined;
  log: Logger;
  stopping?: AbortSignal;
}): Promise<{ auth: FastifyInstance; api: FastifyInstance }> {
  const { config, log, stopping, replicas } = parts;
  const deps = { ...directoryDeps(parts), config, log, stopping };
  return { auth: await buildAuth(deps), api: await buildApi({ ...deps, replicas }) };
}
