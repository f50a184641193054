import type { Pool } from "pg";
import type { DirectoryClient } from "../directory-client/client.ts";

export interface CheckinDeps {
  pool: Pool;
  directory: Pick<DirectoryClient, "checkins">;
  log: { warn(details: object, message: string): void };
}
