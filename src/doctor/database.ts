import type pg from "pg";
import { checked, type Finding, ok, problem, warning } from "./finding.ts";

/** The server and its settings, from any database on it. */
export async function lookAtServer(client: pg.Client): Promise<Finding[]> {
  return [
    ...(await checked("PostgreSQL", () => lookAtVersion(client))),
    ...(await checked("Clock of the database", () => lookAtClock(client))),
    ...(await checked("pg_trgm", () => lookAtTrigrams(client))),
    ...(await checked("Database settings", () => lookAtSettings(client))),
    ...(await checked("Database connections", () => lookAtConnections(client))),
    ...(await checked("Replicas", () => lookAtReplicas(client))),
  ];
}

async function lookAtVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query("SELECT current_setting('server_version') AS version");
  const { version } = rows[0];
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
  const { rows } = await client.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms");
  return compareClocks("Clock of the database", Number(rows[0].ms) - Date.now());
}

async function lookAtTrigrams(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query("SELECT installed_version FROM pg_available_extensions WHERE name = 'pg_trgm'");
  const [found] = rows;
  if (found?.installed_version) return ok("pg_trgm", found.installed_version);
  if (found)
    return warning(
      "pg_trgm",
      "Not installed in this database.",
      "Run samespot migrate, or CREATE EXTENSION pg_trgm as a superuser.",
    );
  return problem("pg_trgm", "Not available.", "Install PostgreSQL's contrib modules on the database server.");
}

const DURABLE = ["fsync", "full_page_writes"];

async function lookAtSettings(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; setting: string; venues: string | null }>(
    `SELECT name, setting, (SELECT reltuples FROM pg_class WHERE oid = to_regclass('directory.venue')) AS venues FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'shared_buffers')`,
  );
  const set = (name: string) => rows.find((row) => row.name === name)?.setting;
  const findings: Finding[] = [];
  for (const name of DURABLE)
    if (set(name) === "off")
      findings.push(
        problem(name, "Off: a crash of the machine can destroy the database.", `Set ${name} = on in postgresql.conf.`),
      );
  if (set("synchronous_commit") === "off")
    findings.push(
      problem(
        "synchronous_commit",
        "Off: a crash loses what was acknowledged last.",
        "Set synchronous_commit = on in postgresql.conf.",
      ),
    );
  if (set("autovacuum") === "off")
    findings.push(
      problem("autovacuum", "Off: tables grow and searches slow down.", "Set autovacuum = on in postgresql.conf."),
    );
  const megabytes = Number(set("shared_buffers")) / 128;
  if (megabytes <= 128 && Number(rows[0]?.venues) > 200_000)
    findings.push(
      warning(
        "shared_buffers",
        `${megabytes} MB is little for this many venues.`,
        "Set shared_buffers to a quarter of the server's memory.",
      ),
    );
  return findings.length > 0
    ? findings
    : [ok("Database settings", "fsync, autovacuum and the others are as they should be.")];
}

/** Most connections of a process with all ROLES (docs/operations.md). */
const PER_PROCESS = 45;

async function lookAtConnections(client: pg.Client): Promise<Finding> {
  const name = "Database connections";
  const { rows: settings } = await client.query<{ most: number; used: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
            (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  const { most = 0, used = 0 } = settings[0] ?? {};
  const running = await client
    .query("SELECT count(*)::int AS running FROM app.instance WHERE seen_at > now() - interval '30 seconds'")
    .then(
      ({ rows }) => rows[0].running,
      () => 0,
    );
  const needed = PER_PROCESS * Math.max(1, running);
  const words = `${used} of ${most} in use; ${Math.max(1, running)} process${running > 1 ? "es" : ""} may open ${needed}.`;
  if (used > 0.9 * most) return problem(name, words, "Raise max_connections now, or stop what holds them.");
  if (needed > most)
    return warning(name, words, `Raise max_connections to ${needed + 20}, or use a pooler in session mode.`);
  return ok(name, words);
}

const FAR_BEHIND_SECONDS = 60;

async function lookAtReplicas(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; state: string; seconds: number; at: string | null }>(
    `SELECT coalesce(application_name, '') AS name, state, extract(epoch FROM coalesce(replay_lag, '0'))::int AS seconds,
            client_addr::text AS at FROM pg_stat_replication`,
  );
  const { rows: slots } = await client.query<{ name: string; held: string }>(
    `SELECT slot_name AS name, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS held
       FROM pg_replication_slots WHERE NOT active AND NOT pg_is_in_recovery()`,
  );
  return [
    ...rows.map(({ name, state, seconds, at }) => {
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
