import type { Pool } from "pg";
import type { PrismaClient } from "../../db/generated/client.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import type { Line } from "../../directory-client/calls/call-json.ts";
import type { DirectoryClient } from "../../directory-client/client.ts";
import type { Vault } from "../../shared/crypto.ts";
import type { FileLimits } from "../../shared/file-limits.ts";
import type { Queue } from "./queue.ts";

export interface Harmonizer {
  prisma: PrismaClient;
  pool: Pool;
  /** For what needs a session, such as COPY. */
  databaseUrl: string;
  queue: Queue;
  directory: DirectoryClient;
  /** `{base_url}`; harmonizations of other directories are ignored. */
  directoryUrl: string;
  limits: FileLimits;
  /** Returns the account's credentials, or the application's for null; undefined if a new log-in is needed. */
  authFor(accountId: string | null): Promise<Auth | undefined>;
  tokenRefused(accountId: string, auth: Auth): Promise<void>;
  providerId(): Promise<string | undefined>;
  webhooks: {
    /** Calls addresses that people have written. */
    line: Line;
    /** Whether an address may be http. */
    isHttpAllowed: boolean;
    vault: Pick<Vault, "seal" | "open">;
    /** Of the web app, for links. */
    appUrl: string;
    /** Whom ADMINS names. */
    admins: readonly string[];
  };
}
