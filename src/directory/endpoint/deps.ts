import type { Config } from "../../config/config.ts";
import type { Replicas } from "../../db/replicas.ts";
import type { Logger } from "../../http/logger.ts";
import type { DirectoryDeps } from "../deps.ts";
import type { RegisteredEndpoint } from "./declaration.ts";

export interface ApiDeps extends DirectoryDeps {
  config: Pick<Config, "auth" | "api" | "tls" | "trustProxy" | "rateLimit" | "languages" | "basemap">;
  log: Logger;
  stopping?: AbortSignal | undefined;
  endpoints: RegisteredEndpoint[];
  replicas: Replicas;
}
