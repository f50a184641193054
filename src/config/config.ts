import { createSecureContext } from "node:tls";
import type { z } from "zod";
import { generatedSecrets, withSecretFiles } from "./secrets.ts";
import { variables } from "./variables.ts";

/** All settings. Nothing else reads `process.env`. */
export type Config = ReturnType<typeof readConfig>;

export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`These settings need attention:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads the variables of .env.example. Throws a ConfigError that lists every mistake.
 *
 * @param listens whether this process will listen, so that its ports must differ; commands only name the addresses
 */
export function readConfig(env: Record<string, string | undefined>, { listens = true } = {}) {
  const v = readVariables(env, listens);
  const embedded = v.DATABASE_URL === undefined;
  const sampleData = v.SAMPLE_DATA ?? embedded;
  // Only if we create the handle: at another directory, or without a sample, anybody could take it.
  const demo = embedded && sampleData && v.ROLES.includes("directory") ? ["demo"] : [];
  const stored = () => generatedSecrets(v.DATA_DIR);
  return {
    production: v.NODE_ENV === "production",
    roles: new Set(v.ROLES),
    web: { url: v.APP_URL, host: v.HOST, port: v.APP_PORT ?? portOf(v.APP_URL) },
    auth: { url: v.AUTH_URL, host: v.HOST, port: v.AUTH_PORT ?? portOf(v.AUTH_URL) },
    api: { url: v.BASE_URL, host: v.HOST, port: v.API_PORT ?? portOf(v.BASE_URL) },
    databaseUrl: v.DATABASE_URL,
    /** Set if DATABASE_URL leads through a pooler. */
    directDatabaseUrl: v.DIRECT_DATABASE_URL,
    /** Of streaming replicas. */
    readDatabaseUrls: v.READ_DATABASE_URL ?? [],
    dataDir: v.DATA_DIR,
    client: v.CLIENT_ID && v.CLIENT_SECRET ? { id: v.CLIENT_ID, secret: v.CLIENT_SECRET } : undefined,
    /** By default reserved at our own registration (src/start/setup.ts), otherwise none. */
    providerId: v.PROVIDER_ID ?? (v.CLIENT_ID ? undefined : "samespot"),
    apiVersion: v.API_VERSION,
    /** Whether another directory may have an address in a private network. */
    privateDirectory: v.PRIVATE_DIRECTORY,
    privateWebhooks: v.PRIVATE_WEBHOOKS,
    /** Newest first. */
    sessionSecrets: v.SESSION_SECRETS ?? [stored().session],
    encryptionKeys: v.ENCRYPTION_KEYS ?? [stored().encryption],
    admins: v.ADMINS ?? demo,
    /** Of the account that the first of ADMINS gets at a directory without people. */
    adminPassword: v.ADMIN_PASSWORD,
    operators: v.OPERATORS ?? demo,
    ...rulesOf(v),
    sampleData,
    /** Generated, because the demo account may be an admin's. */
    demoPassword: () => stored().demoPassword,
    trustProxy: v.TRUST_PROXY,
    drainSeconds: v.DRAIN_SECONDS ?? drainSeconds(v),
    tls: tlsOf(v),
    rateLimit: v.RATE_LIMIT,
    languages: v.LANGUAGES,
    logLevel: v.LOG_LEVEL,
    keepFilesDays: v.KEEP_FILES_DAYS,
    fileLimits: { megabytes: v.MAX_FILE_MB, rows: v.MAX_FILE_ROWS, columns: v.MAX_FILE_COLUMNS },
    metricsPort: v.METRICS_PORT,
    mapTiles: v.MAP_TILES_URL,
    basemap: v.MAP_PMTILES,
    /** Encrypts backups. */
    backupKey: v.BACKUP_KEY,
  };
}

/** Throws a ConfigError that lists every mistake. */
function readVariables(env: Record<string, string | undefined>, listens: boolean) {
  const problems: string[] = [];
  const given = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const names = Object.keys(variables.shape); // all, so that no secret is forgotten
  const settings = withSecretFiles(Object.fromEntries(given), names, (variable, message) =>
    problems.push(`${variable} ${message}`),
  );
  const parsed = variables.safeParse(settings);
  if (!parsed.success) problems.push(...parsed.error.issues.map(describe));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const v = withAddresses(parsed.data);
  const complain = (variable: string, message: string) => problems.push(`${variable}: ${message}`);
  checkTogether(v, complain);
  if (listens) checkPorts(v, complain);
  if (problems.length > 0) throw new ConfigError(problems);
  return v;
}

/** The setting with the address for what needs a session of the database. */
export const sessionSetting = ({ directDatabaseUrl }: Pick<Config, "directDatabaseUrl">) =>
  directDatabaseUrl ? "DIRECT_DATABASE_URL" : "DATABASE_URL";

/** What the directory lets people and applications do. */
const rulesOf = (v: z.infer<typeof variables>) => ({
  operatorContact: v.OPERATOR_CONTACT,
  newApplications: v.NEW_APPLICATIONS,
  holdNewVenues: v.HOLD_NEW_VENUES,
  signUp: v.SIGN_UP,
  publicSearch: v.PUBLIC_SEARCH,
});

const tlsOf = ({ TLS_CERT: cert, TLS_KEY: key }: z.infer<typeof variables>) =>
  cert && key && { cert: cert.bytes, key: key.bytes, files: { cert: cert.file, key: key.file } };

/** A proxy needs time to notice that the process is stopping; without one, Ctrl-C shall end it at once. */
const drainSeconds = ({ ROLES, TRUST_PROXY }: z.infer<typeof variables>): number =>
  TRUST_PROXY && ROLES.some((role) => role !== "worker") ? 3 : 0;

const withAddresses = (v: z.infer<typeof variables>) => ({
  ...v,
  APP_URL: v.APP_URL ?? `http://localhost:${v.APP_PORT ?? 3000}`,
  AUTH_URL: v.AUTH_URL ?? `http://localhost:${v.AUTH_PORT ?? 3001}`,
  BASE_URL: v.BASE_URL ?? `http://localhost:${v.API_PORT ?? 3002}`,
});

function checkTogether(
  v: ReturnType<typeof withAddresses>,
  complain: (variable: string, message: string) => void,
): void {
  if (Boolean(v.CLIENT_ID) !== Boolean(v.CLIENT_SECRET))
    complain(v.CLIENT_ID ? "CLIENT_SECRET" : "CLIENT_ID", "CLIENT_ID and CLIENT_SECRET go together");
  if (v.ADMIN_PASSWORD && !v.ADMINS?.length) complain("ADMINS", "is required with ADMIN_PASSWORD");
  if (Boolean(v.TLS_CERT) !== Boolean(v.TLS_KEY))
    complain(v.TLS_CERT ? "TLS_KEY" : "TLS_CERT", "TLS_CERT and TLS_KEY go together");
  else if (v.TLS_CERT && v.TLS_KEY && !isKeyPair(v.TLS_CERT.bytes, v.TLS_KEY.bytes))
    complain("TLS_CERT", "TLS_CERT and TLS_KEY must be a certificate and its key, in PEM");
  for (const name of ["DIRECT_DATABASE_URL", "READ_DATABASE_URL"] as const)
    if (v[name] && !v.DATABASE_URL) complain("DATABASE_URL", `is required with ${name}`);
  if (v.NODE_ENV === "production" && v.DATABASE_URL)
    for (const name of ["SESSION_SECRETS", "ENCRYPTION_KEYS"] as const)
      if (!v[name]) complain(name, "is required in production with DATABASE_URL (openssl rand -base64 32)");
  if (v.MAP_PMTILES && v.MAP_TILES_URL) complain("MAP_PMTILES", "and MAP_TILES_URL exclude each other");
}

function checkPorts(v: ReturnType<typeof withAddresses>, complain: (variable: string, message: string) => void): void {
  const app = v.APP_PORT ?? portOf(v.APP_URL);
  const auth = v.AUTH_PORT ?? portOf(v.AUTH_URL);
  const api = v.API_PORT ?? portOf(v.BASE_URL);
  if (v.ROLES.includes("directory") && auth === api) complain("API_PORT", "is the same as AUTH_PORT");
  if (v.ROLES.includes("directory") && v.ROLES.includes("app") && (app === auth || app === api))
    complain("APP_PORT", "is the same as AUTH_PORT or API_PORT");
}

function isKeyPair(cert: Buffer, key: Buffer): boolean {
  try {
    return Boolean(createSecureContext({ cert, key }));
  } catch {
    return false;
  }
}

function describe(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0] ?? "settings");
  return issue.message.startsWith(name) ? issue.message : `${name}: ${issue.message}`;
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port || (protocol === "https:" ? 443 : 80));
}
