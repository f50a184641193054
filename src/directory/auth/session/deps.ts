import type { Config } from "../../../config/config.ts";
import type { Logger } from "../../../http/logger.ts";
import type { DirectoryDeps } from "../../deps.ts";

export interface AuthDeps extends DirectoryDeps {
  config: Pick<
    Config,
    | "auth"
    | "api"
    | "tls"
    | "trustProxy"
    | "sessionSecrets"
    | "production"
    | "signUp"
    | "admins"
    | "languages"
    | "basemap"
    | "publicSearch"
  >;
  log: Logger;
  stopping?: AbortSignal | undefined;
}
