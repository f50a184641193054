import type { Config } from "../../config.ts";
import type { Logger } from "../../http/logger.ts";
import type { DirectoryDeps } from "../tokens.ts";

/** What the routes of the API host work with. */
export interface ApiDeps extends DirectoryDeps {
  config: Pick<Config, "api" | "tls" | "trustProxy">;
  log: Logger;
}
