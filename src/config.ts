import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { z } from "zod";
import { randomToken } from "./crypto.ts";

/** Every setting of this process, read once from the environment. Nothing else reads `process.env`. */
export type Config = ReturnType<typeof readConfig>;

/** A mistake in the settings: all of them at once, each naming its variable. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`These settings need attention:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads the variables of .env.example. On a laptop all are optional; secrets that are not given are generated into
 * `DATA_DIR/secrets.json` (mode 0600) at the first start and read from there afterwards.
 *
 * @throws ConfigError with every mistake at once
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = variables.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(describe));
  const v = parsed.data;
  const embedded = v.DATABASE_URL === undefined;
  const stored = () => storedSecrets(v.DATA_DIR);
  return {
    production: v.NODE_ENV === "production",
    roles: new Set(v.ROLES),
    web: { url: v.APP_URL, host: v.HOST, port: v.APP_PORT ?? portOf(v.APP_URL) },
    auth: { url: v.AUTH_URL, host: v.HOST, port: v.AUTH_PORT ?? portOf(v.AUTH_URL) },
    api: { url: v.BASE_URL, host: v.HOST, port: v.API_PORT ?? portOf(v.BASE_URL) },
    databaseUrl: v.DATABASE_URL,
    dataDir: v.DATA_DIR,
    client: v.CLIENT_ID && v.CLIENT_SECRET ? { id: v.CLIENT_ID, secret: v.CLIENT_SECRET } : undefined,
    providerId: v.PROVIDER_ID,
    apiVersion: v.API_VERSION,
    /** Newest first. */
    sessionSecrets: v.SESSION_SECRETS ?? [stored().session],
    encryptionKeys: v.ENCRYPTION_KEYS ?? [stored().encryption],
    admins: v.ADMINS ?? (embedded ? ["demo"] : []),
    sampleData: v.SAMPLE_DATA ?? embedded,
    /** Of the demo account: generated, because it may be an admin's. */
    demoPassword: () => stored().demoPassword,
    trustProxy: v.TRUST_PROXY,
    tls: v.TLS_CERT && v.TLS_KEY ? { cert: v.TLS_CERT, key: v.TLS_KEY } : undefined,
    rateLimit: v.RATE_LIMIT,
    logLevel: v.LOG_LEVEL,
    metricsPort: v.METRICS_PORT,
    mapTiles: v.MAP_TILES_URL,
  };
}

const ROLES = ["app", "directory", "worker"] as const;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);
const port = z.coerce.number("must be a port number").int().min(0).max(65535);
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
const secrets = list.refine(
  (items) => items.length > 0 && items.every((item) => item.length >= 32 && new Set(item).size >= 8),
  "each needs 32 or more random characters (openssl rand -base64 32)",
);
const cidr = list.refine(
  (items) => items.every((item) => isIP(item.split("/")[0] ?? "") !== 0 && /^[^/]+(\/\d{1,3})?$/.test(item)),
  "must be a comma list of addresses or CIDR ranges, such as 10.0.0.0/8",
);

const pemFile = z.string().transform((file, context) => {
  try {
    return readFileSync(file);
  } catch (error) {
    context.addIssue({ code: "custom", message: `cannot be read: ${(error as Error).message}` });
    return z.NEVER;
  }
});

/** The address of the tiles; what stands behind a `#` is the credit their makers ask for. */
const mapTiles = z
  .string()
  .regex(/^https?:\/\/(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})/, "must be a web address that holds {z}, {x} and {y}")
  .transform((text) => {
    const [url = "", attribution] = text.split("#");
    return { url, attribution };
  });

const variables = z
  .object({
    NODE_ENV: z.string().optional(),
    APP_URL: publicUrl.default("http://localhost:3000"),
    AUTH_URL: publicUrl.default("http://localhost:3001"),
    BASE_URL: publicUrl.default("http://localhost:3002"),
    ROLES: list.pipe(z.array(z.enum(ROLES, `must be a comma list of ${ROLES.join(", ")}`)).min(1)).default([...ROLES]),
    HOST: z.string().default("127.0.0.1"),
    APP_PORT: port.optional(),
    AUTH_PORT: port.optional(),
    API_PORT: port.optional(),
    DATABASE_URL: z
      .string()
      .refine((text) => URL.canParse(text) && /^postgres(ql)?:/.test(text), "must be a postgresql:// address")
      .optional(),
    DATA_DIR: z
      .string()
      .default("./data")
      .transform((dir) => path.resolve(dir)),
    CLIENT_ID: z.string().optional(),
    CLIENT_SECRET: z.string().optional(),
    PROVIDER_ID: z.string().optional(),
    API_VERSION: z
      .string()
      .regex(/^20\d{6}$/, "must be a date YYYYMMDD")
      .default("20260101"),
    SESSION_SECRETS: secrets.optional(),
    ENCRYPTION_KEYS: secrets.optional(),
    ADMINS: list.optional(),
    SAMPLE_DATA: z.stringbool("must be on or off").optional(),
    TRUST_PROXY: cidr.optional(),
    TLS_CERT: pemFile.optional(),
    TLS_KEY: pemFile.optional(),
    RATE_LIMIT: z
      .union([z.literal("off"), z.coerce.number().int().positive()], "must be off or a number of calls an hour")
      .optional(),
    LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
    METRICS_PORT: port.optional(),
    MAP_TILES_URL: mapTiles.optional(),
  })
  .superRefine((v, context) => {
    const complain = (variable: string, message: string) =>
      context.addIssue({ code: "custom", path: [variable], message });
    if (Boolean(v.CLIENT_ID) !== Boolean(v.CLIENT_SECRET))
      complain(v.CLIENT_ID ? "CLIENT_SECRET" : "CLIENT_ID", "CLIENT_ID and CLIENT_SECRET go together");
    if (Boolean(v.TLS_CERT) !== Boolean(v.TLS_KEY))
      complain(v.TLS_CERT ? "TLS_KEY" : "TLS_CERT", "TLS_CERT and TLS_KEY go together");
    if (v.NODE_ENV === "production" && v.DATABASE_URL)
      for (const name of ["SESSION_SECRETS", "ENCRYPTION_KEYS"] as const)
        if (!v[name]) complain(name, "is required in production with DATABASE_URL (openssl rand -base64 32)");
  });

function describe(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0] ?? "settings");
  return issue.message.startsWith(name) ? issue.message : `${name}: ${issue.message}`;
}

/** True for localhost and for every loopback address. */
export function isLoopbackHost(host: string): boolean {
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "::1" || /^127\./.test(host)
  );
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port || (protocol === "https:" ? 443 : 80));
}

const secretsFile = z.object({ session: z.string(), encryption: z.string(), demoPassword: z.string() });

/** The generated secrets, made on first use. Two processes that start at once agree on one file. */
function storedSecrets(dataDir: string): z.infer<typeof secretsFile> {
  const file = path.join(dataDir, "secrets.json");
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) {
    const fresh = { session: randomToken(), encryption: randomToken(), demoPassword: readablePassword() };
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file); // whole or not at all, and never over another process's file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return secretsFile.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Sixty random bits as `xxxx-xxxx-xxxx`, without letters that look alike. */
function readablePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const pick = (byte: number) => letters[byte % letters.length];
  const text = Array.from(Buffer.from(randomToken(12), "base64url"), pick).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}
