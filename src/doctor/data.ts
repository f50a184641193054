import type pg from "pg";
import { lastBackup } from "../backup/retention.ts";
import type { Config } from "../config/config.ts";
import { isFormer } from "../db/former.ts";
import { appliedMigrations, pendingInBackground, pendingMigrations, unknownMigrations } from "../db/migrate.ts";
import { queryRow } from "../db/sql.ts";
import { checked, type Finding, ok, problem, warning } from "../shared/finding.ts";
import { listKeys } from "../start/keys.ts";
import { listInstances } from "../web/base/instances.ts";

/** What the database holds, if it is Samespot's. */
export async function lookAtData(config: Config, pool: pg.Pool): Promise<Finding[]> {
  const applied = await appliedMigrations(pool).catch((error: Error) => error);
  if (applied instanceof Error) return [problem("Schema", applied.message, "Run samespot restore again.")];
  if (applied.length === 0)
    return [warning("Schema", "The database is empty.", "Start Samespot, or run samespot restore.")];
  return [
    ...(await checked("Schema", () => lookAtSchema(pool, applied))),
    ...(await checked("Encryption keys", () => lookAtKeys(config, pool))),
    ...(await checked("Processes", () => lookAtProcesses(config, pool))),
    ...(await checked("Queue", () => lookAtQueue(pool))),
    ...(await checked("Last backup", () => lookAtBackup(pool))),
  ];
}

async function lookAtSchema(pool: pg.Pool, applied: string[]): Promise<Finding> {
  const newest = applied.at(-1) ?? "";
  const unknown = await unknownMigrations(applied);
  if (unknown.some(isFormer))
    return warning(
      "Schema",
      `Made before the first release (${newest}).`,
      "Back it up with the version that made it, then start this one or run samespot migrate.",
    );
  if (unknown.length > 0)
    return problem(
      "Schema",
      `Newer than this program: ${unknown.join(", ")}.`,
      "Install the release that made it, or a newer one.",
    );
  const pending = await pendingMigrations(pool);
  const indexes = pending.length === 0 ? await pendingInBackground(pool) : [];
  if (indexes.length > 0)
    return warning(
      "Schema",
      `Up to date, but indexes are not built yet: ${indexes.join(", ")}.`,
      "A server builds them while it runs, and logs how far it is; samespot migrate waits for it.",
    );
  if (pending.length === 0) return ok("Schema", `Up to date (${newest}).`);
  return warning(
    "Schema",
    `Not applied yet: ${pending.join(", ")}.`,
    "Back up, then start this version or run samespot migrate.",
  );
}

async function lookAtKeys(config: Config, pool: pg.Pool): Promise<Finding> {
  const name = "Encryption keys";
  const all = await listKeys(config, pool);
  const lost = all.filter(({ position, registered, values }) => position === null && (registered || values > 0));
  if (lost.length === 0) return ok(name, "Every encrypted value can be decrypted.");
  const words = lost.map(({ id, schema, values }) => `${id} (${values} values in the ${schema})`).join(", ");
  return problem(
    name,
    `ENCRYPTION_KEYS lacks ${words}.`,
    "Append the lost key to ENCRYPTION_KEYS; see samespot keys list.",
  );
}

async function lookAtProcesses(config: Config, pool: pg.Pool): Promise<Finding[]> {
  if (!config.roles.has("app") && !config.roles.has("worker")) return []; // a directory alone does not report
  const running = (await listInstances(pool)).filter(({ isGone }) => !isGone);
  if (running.length === 0) return [warning("Processes", "None runs with a web app or worker.", "Start Samespot.")];
  const findings = running.map(({ host, version, roles, problems }) =>
    problems.length === 0
      ? ok(`Process ${host}`, `Version ${version}, ${roles.join(", ")}.`)
      : problem(
          `Process ${host}`,
          `It does not work: ${problems.map(({ code }) => code).join(", ")}.`,
          "Restart it; its log says why.",
        ),
  );
  const versions = new Set(running.map(({ version }) => version));
  if (versions.size > 1)
    findings.push(
      warning(
        "Versions",
        `Processes run ${[...versions].sort().join(" and ")}.`,
        "Restart those of the older version.",
      ),
    );
  if (!running.some(({ roles }) => roles.includes("worker")))
    findings.push(problem("Worker", "None runs: files are not matched.", "Start a process whose ROLES has worker."));
  return findings;
}

const WAITING_SECONDS = 300;

/** The schema of the queue is there once a worker has run. */
async function lookAtQueue(pool: pg.Pool): Promise<Finding> {
  const queue = await queryRow<{ isMade: boolean }>(pool)`SELECT to_regclass('pgboss.job') IS NOT NULL AS "isMade"`;
  if (!queue?.isMade) return ok("Queue", "Not used yet.");
  const row = await queryRow<{ waiting: number; seconds: number | null }>(pool)`
    SELECT count(*)::int AS waiting, extract(epoch FROM now() - min(greatest(created_on, start_after)))::int AS seconds
      FROM pgboss.job WHERE state < 'active' AND start_after <= now()`;
  const { waiting = 0, seconds } = row ?? {};
  if (waiting === 0) return ok("Queue", "No task waits.");
  const words = `${waiting} tasks wait, the oldest for ${seconds} s.`;
  return Number(seconds) > WAITING_SECONDS
    ? warning("Queue", words, "Start more workers (ROLES=worker), or see the log of those that run.")
    : ok("Queue", words);
}

const DAY_MS = 86_400_000;
const OLD_DAYS = 7;

async function lookAtBackup(pool: pg.Pool): Promise<Finding> {
  const name = "Last backup";
  const madeAt = await lastBackup(pool);
  const todo = "Run samespot backup every day (docs/operations.md), unless you back up otherwise.";
  if (!madeAt) return warning(name, "None by samespot backup.", todo);
  const days = (Date.now() - madeAt.getTime()) / DAY_MS;
  const words = `${madeAt.toISOString()}, ${days < 1 ? "less than a day" : `${Math.floor(days)} days`} ago.`;
  return days > OLD_DAYS ? warning(name, words, todo) : ok(name, words);
}
