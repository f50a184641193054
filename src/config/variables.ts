import path from "node:path";
import { z } from "zod";
import { version } from "../contract/parameters.ts";
import { FILE_LIMITS } from "../shared/file-limits.ts";
import { pmtilesFile } from "./pmtiles.ts";
import {
  cidr,
  contact,
  database,
  languages,
  list,
  mapTiles,
  pemFile,
  port,
  positive,
  publicUrl,
  replicas,
  secrets,
  strongSecret,
} from "./values.ts";

const ROLES = ["app", "directory", "worker"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** The variables of .env.example, each by itself. */
export const variables = z.object({
  NODE_ENV: z.string().optional(),
  APP_URL: publicUrl.optional(),
  AUTH_URL: publicUrl.optional(),
  BASE_URL: publicUrl.optional(),
  ROLES: list.pipe(z.array(z.enum(ROLES, `must be a comma list of ${ROLES.join(", ")}`)).min(1)).default([...ROLES]),
  HOST: z.string().default("127.0.0.1"),
  APP_PORT: port.optional(),
  AUTH_PORT: port.optional(),
  API_PORT: port.optional(),
  DATABASE_URL: database.optional(),
  DIRECT_DATABASE_URL: database.optional(),
  READ_DATABASE_URL: replicas.optional(),
  DATA_DIR: z
    .string()
    .default("./data")
    .transform((dir) => path.resolve(dir)),
  CLIENT_ID: z.string().optional(),
  CLIENT_SECRET: z.string().optional(),
  PROVIDER_ID: z.string().optional(),
  API_VERSION: version.default("20260101"),
  PRIVATE_DIRECTORY: z.stringbool("must be on or off").default(false),
  SESSION_SECRETS: secrets.optional(),
  ENCRYPTION_KEYS: secrets.optional(),
  ADMINS: list.optional(),
  ADMIN_PASSWORD: z.string().optional(),
  OPERATORS: list.optional(),
  OPERATOR_CONTACT: contact.optional(),
  HOLD_NEW_VENUES: z.enum(["off", "unproven", "all"], "must be off, unproven or all").default("off"),
  NEW_APPLICATIONS: z.enum(["enabled", "reading", "stopped"], "must be enabled, reading or stopped").default("enabled"),
  SAMPLE_DATA: z.stringbool("must be on or off").optional(),
  TRUST_PROXY: cidr.optional(),
  DRAIN_SECONDS: z.coerce.number("must be a number of seconds").min(0).max(300).optional(),
  TLS_CERT: pemFile.optional(),
  TLS_KEY: pemFile.optional(),
  RATE_LIMIT: z
    .union([z.literal("off"), z.coerce.number().int().positive()], "must be off or a number of calls per hour")
    .optional(),
  SIGN_UP: z.stringbool("must be on or off").default(false),
  PUBLIC_SEARCH: z.stringbool("must be on or off").default(true),
  LANGUAGES: languages.default(["en", "es"]),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  MAX_FILE_MB: positive(100_000).default(FILE_LIMITS.megabytes),
  MAX_FILE_ROWS: positive(100_000_000).default(FILE_LIMITS.rows),
  MAX_FILE_COLUMNS: positive(5000).default(FILE_LIMITS.columns),
  KEEP_FILES_DAYS: z.coerce.number().int().min(14).max(36_500).optional(),
  METRICS_PORT: port.optional(),
  MAP_TILES_URL: mapTiles.optional(),
  MAP_PMTILES: pmtilesFile.optional(),
  BACKUP_KEY: strongSecret.optional(),
});
