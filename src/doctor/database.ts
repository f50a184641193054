import type pg from "pg";
import { UTF8_DATABASE } from "../db/migrate.ts";
import { CHECKED_SETTINGS, CONNECTION_SETTINGS, wrongSettings } from "../db/server-settings.ts";
import { execute, queryRow, queryRows } from "../db/sql.ts";
import { lookAtStandbys, WAIT_FOR_NONE } from "../db/standby.ts";
import { checked, type Finding, ok, problem, warning } from "../shared/finding.ts";

/** The server and its settings, from any database on it. */
export async function lookAtServer(client: pg.Client): Promise<Finding[]> {
  return [
    ...(await checked("PostgreSQL", () => lookAtVersion(client))),
    ...(await checked("Clock of the database", () => lookAtClock(client))),
    ...(await checked("pg_trgm", () => lookAtTrigrams(client))),
    ...(await checked("Database settings", () => lookAtSettings(client))),
    ...(await checked("Settings of connections", () => lookAtOwnSettings(client))),
    ...(await checked("Text in the database", () => lookAtText(client))),
    ...(await checked("Database connections", () => lookAtConnections(client))),
    ...(await checked("Replicas", () => lookAtReplicas(client))),
    ...(await checked("Commits", () => lookAtCommits(client))),
  ];
}

async function lookAtVersion(client: pg.Client): Promise<Finding> {
  const { version = "" } =
    (await queryRow<{ version: string }>(client)`SELECT current_setting('server_version') AS version`) ?? {};
  if (Number.parseInt(version, 10) >= 15) return ok("PostgreSQL", version);
  return problem("PostgreSQL", `${version} is too old.`, "Move the database to PostgreSQL 15 or newer.");
}

/** Log-ins live for minutes by the clock of the database, and certificates by that of this machine. */
export function compareClocks(name: string, apartMs: number): Finding {
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  const words = `${seconds} s apart from this machine's.`;
  const todo = "Synchronize both clocks (NTP).";
  if (seconds >= 60) return problem(name, words, todo);
  return seconds >= 5 ? warning(name, words, todo) : ok(name, words);
}

async function lookAtClock(client: pg.Client): Promise<Finding> {
  const row = await queryRow<{ ms: number }>(client)`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`;
  return compareClocks("Clock of the database", Number(row?.ms) - Date.now());
}

async function lookAtTrigrams(client: pg.Client): Promise<Finding> {
  const found = await queryRow<{ installed_version: string | null; visible: boolean }>(client)`
    SELECT installed_version, to_regprocedure('similarity(text, text)') IS NOT NULL AS visible
      FROM pg_available_extensions WHERE name = 'pg_trgm'`;
  if (found?.installed_version && !found.visible)
    return problem(
      "pg_trgm",
      "Installed in a schema that is not on the search_path of this user.",
      "Add the schema to the user's search_path (ALTER ROLE … SET search_path).",
    );
  if (found?.installed_version) return ok("pg_trgm", found.installed_version);
  if (found)
    return warning(
      "pg_trgm",
      "Not installed in this database.",
      "Run samespot migrate, or CREATE EXTENSION pg_trgm as a superuser.",
    );
  return problem("pg_trgm", "Not available.", "Install PostgreSQL's contrib modules on the database server.");
}

async function lookAtSettings(client: pg.Client): Promise<Finding[]> {
  const rows = await queryRows<{ name: string; setting: string }>(client)`
    SELECT name, setting FROM pg_settings WHERE name = ANY (${CHECKED_SETTINGS})`;
  const row = await queryRow<{ venues: number | null }>(client)`
    SELECT (SELECT reltuples FROM pg_class WHERE oid = to_regclass('directory.venue'))::float8 AS venues`;
  const setting = (name: string) => rows.find((row) => row.name === name)?.setting;
  const wrong = wrongSettings({ setting, venues: row?.venues ?? 0 });
  return wrong.length > 0
    ? wrong
    : [ok("Database settings", "fsync, autovacuum and the others are as they should be.")];
}

/** A pooler may silently drop what a connection asks for. */
async function lookAtOwnSettings(client: pg.Client): Promise<Finding> {
  const rows = await queryRows<{ name: string; value: string }>(client)`
    SELECT name, current_setting(name, true) AS value FROM unnest(${Object.keys(CONNECTION_SETTINGS)}::text[]) AS name`;
  const name = "Settings of connections";
  const lost = rows.filter((row) => row.value !== CONNECTION_SETTINGS[row.name]).map((row) => row.name);
  if (lost.length === 0) return ok(name, "Connections get the settings that they ask for.");
  const todo =
    "Let DIRECT_DATABASE_URL lead to the database itself, and DATABASE_URL to the pooler, which must not drop options.";
  return problem(name, `Connections do not get what they ask for: ${lost.join(", ")}.`, todo);
}

async function lookAtText(client: pg.Client): Promise<Finding> {
  const name = "Text in the database";
  const { encoding = "" } =
    (await queryRow<{ encoding: string }>(client)`SELECT current_setting('server_encoding') AS encoding`) ?? {};
  const todo = `Restore a backup into a database made with ${UTF8_DATABASE}.`;
  if (encoding !== "UTF8")
    return problem(name, `Its encoding is ${encoding}: names in other scripts are refused or spoilt.`, todo);
  const row = await queryRow<{ lowers: boolean }>(client)`SELECT lower('É') = 'é' AS lowers`;
  if (row?.lowers) return ok(name, "In UTF-8, with capitals of every script.");
  return warning(name, "Its locale knows no capitals but A to Z, so É and é count as different letters.", todo);
}

/** Most connections of a process with all ROLES (docs/operations.md). */
const PER_PROCESS = 45;

async function lookAtConnections(client: pg.Client): Promise<Finding> {
  const name = "Database connections";
  const row = await queryRow<{ most: number; used: number }>(client)`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
           (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`;
  const { most = 0, used = 0 } = row ?? {};
  const running = await execute(client)`
    SELECT FROM app.instance WHERE seen_at > now() - interval '30 seconds'`.catch(() => 0);
  const needed = PER_PROCESS * Math.max(1, running);
  const words = `${used} of ${most} in use; ${Math.max(1, running)} process${running > 1 ? "es" : ""} may open ${needed}.`;
  if (used > 0.9 * most) return problem(name, words, "Raise max_connections now, or stop what holds them.");
  if (needed > most)
    return warning(name, words, `Raise max_connections to ${needed + 20}, or use a pooler in session mode.`);
  return ok(name, words);
}

const FAR_BEHIND_SECONDS = 60;

/** PostgreSQL shows others no more than its name. */
const UNSEEN =
  "Connected. Its state and lag are shown to members of pg_monitor only (GRANT pg_monitor TO the user of this address).";

export async function lookAtReplicas(client: pg.Client): Promise<Finding[]> {
  const rows = await queryRows<{ name: string; state: string | null; seconds: number; at: string | null }>(client)`
    SELECT coalesce(application_name, '') AS name, state, extract(epoch FROM coalesce(replay_lag, '0'))::int AS seconds,
           client_addr::text AS at FROM pg_stat_replication`;
  const slots = await queryRows<{ name: string; held: string }>(client)`
    SELECT slot_name AS name, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS held
      FROM pg_replication_slots WHERE NOT active AND NOT pg_is_in_recovery()`;
  return [
    ...rows.map(({ name, state, seconds, at }) => {
      if (state === null) return ok(`Replica ${name || "connected"}`, UNSEEN);
      const words = `${state}, ${seconds} s behind.`;
      const isFar = seconds > FAR_BEHIND_SECONDS || state !== "streaming";
      const replica = `Replica ${name || at}`;
      return isFar
        ? warning(replica, words, "See the replica's log, its load and the network to it.")
        : ok(replica, words);
    }),
    ...slots.map(({ name, held }) =>
      problem(
        `Replication slot ${name}`,
        `Nobody reads it, and it keeps ${held} of WAL.`,
        "Start its replica, or drop the slot.",
      ),
    ),
  ];
}

/** A commit that waits for a replica that is away looks like a failure of whatever wrote. */
async function lookAtCommits(client: pg.Client): Promise<Finding[]> {
  const standbys = await lookAtStandbys(client);
  if (!standbys) return [];
  const { names, needed, there } = standbys;
  const words = `synchronous_standby_names = '${names}' asks for ${needed} of the replicas it lists; ${there} connected.`;
  const instead = `let commits wait for none, as a superuser on the primary: ${WAIT_FOR_NONE}`;
  if (there < needed)
    return [
      problem("Commits", `Every write waits for a replica and fails: ${words}`, `Start the replica, or ${instead}`),
    ];
  if (there === needed)
    return [warning("Commits", `Every write fails once a replica is away: ${words}`, `Add a replica, or ${instead}`)];
  return [ok("Commits", words)];
}
