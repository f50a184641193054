import type { Pool } from "pg";
import type { CheckinCopies } from "../../checkins/copies.ts";
import type { Config } from "../../config/config.ts";
import type { PrismaClient } from "../../db/generated/client.ts";
import type { AuthHost } from "../../directory-client/auth-host.ts";
import type { DirectoryClient } from "../../directory-client/client.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import type { Vault } from "../../shared/crypto.ts";
import type { SuggestPauses } from "./suggest-pauses.ts";
import type { TokenChecks } from "./token-checks.ts";

/** Returns the application's current client id and secret. An admin may rotate the secret at any time. */
export type Credentials = () => Promise<{ clientId: string; clientSecret: string }>;

export interface Web {
  config: Config;
  prisma: PrismaClient;
  pool: Pool;
  vault: Vault;
  authHost: AuthHost;
  directory: DirectoryClient;
  credentials: Credentials;
  harmonizer: Harmonizer;
  checkinCopies: CheckinCopies;
  suggestPauses: SuggestPauses;
  tokenChecks: TokenChecks;
  close(): Promise<void>;
}
