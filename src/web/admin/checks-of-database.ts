import { lookAtNodes } from "../../db/citus/nodes.ts";
import { pendingInBackground, pendingMigrations } from "../../db/migrate.ts";
import { execute, queryRow } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { type Finding, milliseconds } from "./finding.ts";

export async function lookAtDatabase({ pool }: Web): Promise<Finding> {
  const begun = performance.now();
  await execute(pool)`SELECT 1`;
  const ms = performance.now() - begun;
  const { version = "", size = "" } =
    (await queryRow<{ version: string; size: string }>(pool)`
    SELECT current_setting('server_version') AS version, pg_size_pretty(pg_database_size(current_database())) AS size`) ??
    {};
  const time = milliseconds(ms);
  const words = t("PostgreSQL {version} answers in {time}; the data takes {size}.", { version, time, size });
  return { state: ms < 100 ? "good" : "warning", words };
}

export async function lookAtDatabaseNodes({ pool }: Web): Promise<Finding> {
  const nodes = await lookAtNodes(pool);
  const silent = nodes.filter(({ answers }) => !answers).map(({ name }) => name);
  if (silent.length === 0)
    return {
      state: "good",
      words: t("{nodes, plural, one {# node} other {# nodes}} of Citus hold the venues; all answer.", {
        nodes: nodes.length,
      }),
    };
  const words = t(
    "No answer from {names}. Its venues cannot be found or added until it is back; searches by words or without a position fail too.",
    { names: silent.join(", ") },
  );
  return { state: "bad", words };
}

export async function lookAtMigrations({ pool }: Web): Promise<Finding> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) return { state: "bad", words: t("Not applied yet: {names}.", { names: pending.join(", ") }) };
  const row = await queryRow<{ number: number }>(pool)`
    SELECT count(*)::int AS number FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const indexes = await pendingInBackground(pool);
  if (indexes.length > 0)
    return { state: "warning", words: t("Indexes are being built: {names}.", { names: indexes.join(", ") }) };
  return {
    state: "good",
    words: t("{number, plural, one {# migration} other {# migrations}} applied, none missing.", {
      number: row?.number ?? 0,
    }),
  };
}

interface Roles {
  role: string;
  login: string;
  crosses: boolean;
  app: string;
  directory: string;
}

export async function lookAtRoles({ pool }: Web): Promise<Finding> {
  const row = await queryRow<Roles>(pool)`
    SELECT current_user AS role, quote_ident(session_user) AS login, has_schema_privilege('directory', 'USAGE') AS crosses,
           quote_ident(current_database() || '_app') AS app, quote_ident(current_database() || '_directory') AS directory`;
  const { role = "", login, crosses, app, directory } = row ?? {};
  if (!crosses)
    return {
      state: "good",
      words: t("The web app connects as {role}, which has no rights on the directory’s tables.", { role }),
    };
  const remedy = `CREATE ROLE ${app}; CREATE ROLE ${directory}; GRANT ${app}, ${directory} TO ${login};`;
  const words = t(
    "The web app and the directory share the role {role}, so the database does not keep them from each other’s tables. A database administrator can run: {remedy} Then restart Samespot. If this warning remains, the log says why.",
    { role, remedy },
  );
  return { state: "warning", words };
}
