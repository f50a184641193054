import type { Pool } from "pg";
import type { Config } from "../../config/config.ts";
import type { PrismaClient } from "../../db/generated/client.ts";
import type { AuthHost } from "../../directory-client/auth-host.ts";
import type { DirectoryClient } from "../../directory-client/client.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import type { Vault } from "../../shared/crypto.ts";

/** The application's own client id and secret, as they are at this moment: an admin may rotate the secret. */
export type Credentials = () => Promise<{ clientId: string; clientSecret: string }>;

/** What the routes of the web app work with. */
export interface Web {
  config: Config;
  prisma: PrismaClient;
  pool: Pool;
  vault: Vault;
  /** The directory's two hosts. */
  authHost: AuthHost;
  directory: DirectoryClient;
  credentials: Credentials;
  harmonizer: Harmonizer;
  /** Ends the connections to the directory. */
  close(): Promise<void>;
}
