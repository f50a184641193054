import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { z } from "zod";
import { version } from "../contract/parameters.ts";
import { LANGUAGES, type Language } from "../language/languages.ts";
import { databaseHosts } from "../shared/database-hosts.ts";
import { FILE_LIMITS } from "../shared/file-limits.ts";
import { isLoopbackHost } from "../shared/loopback.ts";
import { pmtilesFile } from "./pmtiles.ts";
import { weaknessOf } from "./secrets.ts";

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

/** The first is for readers who accept none of them. */
const languages = list.transform((codes, context): readonly [Language, ...Language[]] => {
  const known = [...Object.keys(LANGUAGES), "en-XA"] as Language[];
  const [first, ...others] = codes.flatMap((code) => known.filter((each) => each === code));
  if (first && codes.length === others.length + 1) return [first, ...others];
  context.addIssue({ code: "custom", message: `must be a comma list of ${Object.keys(LANGUAGES).join(", ")}` });
  return z.NEVER;
});

const database = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:/.test(text) && databaseHosts(text).every((each) => URL.canParse(each)),
    "must be a postgresql:// address",
  )
  .refine(
    (text) => !/[?&]target_session_attrs=(?!read-write|primary)/.test(text),
    "may have target_session_attrs=read-write only; replicas belong in READ_DATABASE_URL",
  );

/** Each with one host, because each is compared with the primary by itself. */
const replicas = list
  .pipe(z.array(database))
  .refine((urls) => urls.every((url) => URL.canParse(url)), "must be a comma list of postgresql:// addresses");

const port = z.coerce.number("must be a port number").int().min(0).max(65535);

const positive = (most: number) =>
  z.coerce
    .number(`must be a whole number from 1 to ${most}`)
    .refine((n) => Number.isInteger(n) && n >= 1 && n <= most, `must be a whole number from 1 to ${most}`);

const publicUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string) => {
    context.addIssue({ code: "custom", message: why });
    return z.NEVER;
  };
  if (!url || !/^https?:$/.test(url.protocol)) return refuse("must be an http or https address");
  if (url.pathname !== "/" || url.search || url.hash || url.username)
    return refuse("must be an origin, without a path");
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    return refuse("must be https: plain http is accepted on loopback only");
  return url.origin;
});

/** Newest first. Only the first must be strong: new values use it, and values of weak old ones must stay readable. */
const secrets = list.superRefine(([first = ""], context) => {
  const weakness = first ? weaknessOf(first) : "is missing";
  if (!weakness) return;
  const message = `the first ${weakness}; ${REMEDY}`;
  context.addIssue({ code: "custom", message });
});

const strongSecret = z.string().superRefine((text, context) => {
  const weakness = weaknessOf(text);
  if (weakness) context.addIssue({ code: "custom", message: `${weakness}; ${REMEDY}` });
});

const REMEDY = "it needs 32 or more random characters (openssl rand -base64 32)";

const cidr = list.refine(
  (items) => items.every(isRange),
  "must be a comma list of addresses or CIDR ranges, such as 10.0.0.0/8",
);

function isRange(text: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}

const contact = z
  .union([z.email(), z.url({ protocol: /^https$/ })], "must be an e-mail address or an https address")
  .refine((text) => text.length <= 300, "may have at most 300 characters");

const pemFile = z.string().transform((file, context) => {
  try {
    return { file, bytes: readFileSync(file) };
  } catch (error) {
    context.addIssue({ code: "custom", message: `cannot be read: ${(error as Error).message}` });
    return z.NEVER;
  }
});

/** The address of the tiles, with their attribution after a `#`. */
const mapTiles = z
  .string()
  .regex(/^https?:\/\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})/, "must be a web address that holds {z}, {x} and {y}")
  .transform((text) => {
    const [url = "", attribution] = text.split("#");
    return { url, attribution };
  });

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
  PRIVATE_WEBHOOKS: z.stringbool("must be on or off").default(false),
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
