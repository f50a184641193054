import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Prisma, PrismaClient } from "../db/generated/client.ts";
import type { Logger } from "../http/logger.ts";
import { createVault, type Vault } from "../shared/crypto.ts";
import type { Operator } from "./access.ts";

export interface DirectoryDeps {
  prisma: PrismaClient;
  pool: Pool;
  vault: Vault;
  log?: Logger;
  /** Without it, nobody is an operator and new applications are enabled. */
  operator?: Operator;
}

export type Transaction = Prisma.TransactionClient;

export function directoryDeps({ config, database }: { config: Config; database: Database }): DirectoryDeps {
  return {
    prisma: database.prisma,
    pool: database.pool,
    vault: createVault(config.encryptionKeys, "directory"),
    operator: {
      names: config.operators,
      contact: config.operatorContact,
      newApplications: config.newApplications,
      holdNewVenues: config.holdNewVenues,
      ownClient: config.client?.id,
    },
  };
}
