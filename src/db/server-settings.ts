import { totalmem } from "node:os";

/**
 * The settings of PostgreSQL on which plans, answers or secrets depend, in one list: all others may be as the operator likes them. A server
 * of one's own has its own defaults, and a database or a role may have others again.
 */
interface ServerSetting {
  name: string;
  /** Set by each connection (connections.ts), for those that its user may set. */
  connection?: string;
  /** Set by the embedded server as it starts, for those that only an operator may set. */
  embedded?: string;
  /** Checked by the doctor. */
  check?: Check;
}

interface Check {
  isWrong(value: string, others: Others): boolean;
  state: "warning" | "problem";
  words: string;
  todo: string;
}

interface Others {
  /** Returns the value as pg_settings has it: without a unit, and a switch as on or off. */
  setting(name: string): string | undefined;
  /** About how many the directory has. */
  venues: number;
}

const isOff = (value: string) => value === "off";
const isNotZero = (value: string) => value !== "0";

const inFile = (setting: string) => `Set ${setting} in postgresql.conf.`;
const forDatabase = (setting: string) =>
  `Let a superuser set ${setting} for this database (ALTER DATABASE … SET …) or for the server.`;

const durable = (name: string, loss: string): ServerSetting => ({
  name,
  check: { isWrong: isOff, state: "problem", words: `Off: ${loss}`, todo: inFile(`${name} = on`) },
});

/** Any of these has statements logged that did not fail. Off are none and -1. */
const LOGGING = ["log_statement", "log_min_duration_statement", "log_min_duration_sample"];

const logsStatements = ({ setting }: Others) =>
  LOGGING.some((name) => !["none", "-1", undefined].includes(setting(name)));

const ENABLED = [
  "bitmapscan",
  "hashagg",
  "hashjoin",
  "indexonlyscan",
  "indexscan",
  "material",
  "memoize",
  "mergejoin",
  "nestloop",
  "seqscan",
  "sort",
];
const WORSE_PLANS = { isWrong: isOff, state: "warning", words: "Off: plans are worse than they need be." } as const;

/** pg_settings counts shared_buffers in pages of 8 kB. */
const PAGES_PER_MEGABYTE = 128;

const SERVER_SETTINGS: ServerSetting[] = [
  // PostgreSQL expects much of a search by words, and compiling it costs more than running it: 2.5 times up to a statement timeout.
  { name: "jit", connection: "off" },

  // The form of values, in which the driver, backups and SQL that casts them read them.
  { name: "client_encoding", connection: "UTF8" },
  { name: "DateStyle", connection: "ISO, YMD" },
  { name: "IntervalStyle", connection: "postgres" },
  { name: "TimeZone", connection: "UTC" },
  { name: "extra_float_digits", connection: "1" },
  { name: "bytea_output", connection: "hex" },
  { name: "standard_conforming_strings", connection: "on" },

  // With a stricter one, a row that another transaction has just changed is an error instead of being read again.
  { name: "default_transaction_isolation", connection: "read committed" },
  // How alike names of candidates are at least.
  { name: "pg_trgm.similarity_threshold", connection: "0.3" },
  { name: "pg_trgm.word_similarity_threshold", connection: "0.3" },

  // Limits of a role or database would end imports, backups and connections that hold a lock. Where there must be limits, we set them.
  { name: "statement_timeout", connection: "0" },
  { name: "lock_timeout", connection: "0" },
  { name: "idle_in_transaction_session_timeout", connection: "0" },
  { name: "idle_session_timeout", connection: "0" },
  {
    name: "transaction_timeout", // from PostgreSQL 17 on, so no connection may name it
    check: {
      isWrong: isNotZero,
      state: "warning",
      words: "Imports, backups and restores that take longer are ended.",
      todo: "Set transaction_timeout = 0 for the user in DATABASE_URL.",
    },
  },

  // Values, such as hashes, must not get into the server's log: neither with errors nor with slow statements.
  { name: "log_parameter_max_length_on_error", connection: "0" },
  {
    name: "log_error_verbosity",
    embedded: "terse",
    check: {
      isWrong: (value) => value !== "terse",
      state: "warning",
      words:
        "The server's log quotes rows in its DETAIL and CONTEXT lines, which may hold listings, addresses and hashes.",
      todo: forDatabase("log_error_verbosity = terse"),
    },
  },
  { name: "log_min_error_statement", embedded: "panic" }, // ours hold no values, those that somebody types may
  {
    name: "log_parameter_max_length",
    embedded: "0",
    check: {
      isWrong: (value, others) => isNotZero(value) && logsStatements(others),
      state: "warning",
      words: "Statements are logged with their values, which may hold listings, addresses and hashes.",
      todo: forDatabase("log_parameter_max_length = 0"),
    },
  },

  durable("fsync", "a crash of the machine can destroy the database."),
  durable("full_page_writes", "a crash of the machine can destroy the database."),
  durable("synchronous_commit", "a crash loses what was acknowledged last."),
  durable("autovacuum", "tables grow and searches slow down."),
  durable("track_counts", "autovacuum does not work, so tables grow and searches slow down."),
  {
    name: "default_transaction_read_only",
    check: {
      isWrong: (value) => value === "on",
      state: "problem",
      words: "On: nothing can be written. Some providers set it when the disk is full.",
      todo: "Free space if it is full, then set default_transaction_read_only = off.",
    },
  },
  {
    name: "shared_buffers",
    embedded: `${bufferMegabytes()}MB`,
    check: {
      isWrong: (value, { venues }) => Number(value) <= 128 * PAGES_PER_MEGABYTE && venues > 200_000,
      state: "warning",
      words: "128 MB or less is little for this many venues.",
      todo: "Set shared_buffers to a quarter of the server's memory.",
    },
  },
  { name: "max_wal_size", embedded: "2GB" },
  ...ENABLED.map((way) => ({ name: `enable_${way}`, check: { ...WORSE_PLANS, todo: inFile(`enable_${way} = on`) } })),
];

const named = (of: "connection" | "embedded"): Record<string, string> =>
  Object.fromEntries(SERVER_SETTINGS.flatMap(({ name, [of]: value }) => (value === undefined ? [] : [[name, value]])));

/** The settings that every connection makes, before its own. */
export const CONNECTION_SETTINGS = named("connection");

/** With which the embedded server starts. */
export const EMBEDDED_SETTINGS = named("embedded");

/** The names of what the doctor has to know for wrongSettings(). */
export const CHECKED_SETTINGS = [...SERVER_SETTINGS.filter(({ check }) => check).map(({ name }) => name), ...LOGGING];

/** Returns what is wrong, by name. A server that is older than a setting does not have it. */
export function wrongSettings(others: Others): ({ name: string } & Omit<Check, "isWrong">)[] {
  return SERVER_SETTINGS.flatMap(({ name, check }) => {
    const value = others.setting(name);
    if (!check || value === undefined || !check.isWrong(value, others)) return [];
    const { state, words, todo } = check;
    return [{ name, state, words, todo }];
  });
}

/** With PostgreSQL's default of 128 MB, matching a million listings takes it twice the time. */
function bufferMegabytes(): number {
  const share = Math.floor(totalmem() / 16 / 2 ** 20);
  return Math.min(1024, Math.max(128, share));
}
