import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Prisma, PrismaClient } from "../db/generated/client.ts";
import type { Logger } from "../http/logger.ts";
import { createVault, type Vault } from "../shared/crypto.ts";
import type { Operator } from "./access.ts";

/** What the directory's verbs work with; each takes the part it needs. */
export interface DirectoryDeps {
  prisma: PrismaClient;
  pool: Pool;
  /** `createVault(config.encryptionKeys, "directory")` */
  vault: Vault;
  /** Where warnings go; nowhere without. */
  log?: Logger;
  /** Without it nobody is an operator, and new applications may do everything. */
  operator?: Operator;
}

export type Transaction = Prisma.TransactionClient;

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
