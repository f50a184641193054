import type { Pool } from "pg";
import type { PrismaClient } from "../../db/generated/client.ts";
import type { Auth } from "../../directory-client/answers.ts";
import type { DirectoryClient } from "../../directory-client/client.ts";
import type { Queue } from "./queue.ts";

/** What harmonizing works with. */
export interface Harmonizer {
  prisma: PrismaClient;
  pool: Pool;
  /** Of the same database, for work that needs a connection of its own and more patience. */
  databaseUrl: string;
  queue: Queue;
  directory: DirectoryClient;
  /** `{base_url}` of the directory: harmonizations of another are left alone. */
  directoryUrl: string;
  /**
   * Who to ask as: the owner by their token, where there is no owner the application itself. Undefined where only a new
   * log-in helps.
   */
  authFor(accountId: string | null): Promise<Auth | undefined>;
  /** Notes that the directory refused this token of the account. */
  tokenRefused(accountId: string, auth: Auth): Promise<void>;
  /** `providerId` of annotations; undefined where none is reserved. */
  providerId(): Promise<string | undefined>;
}
