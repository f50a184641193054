import pg from "pg";
import { findDistributed } from "./citus/distributed.ts";
import { connect, withOptions } from "./connections.ts";
import { LOCKS } from "./locks.ts";
import { execute, queryRow, queryRows } from "./sql.ts";
import { isUnavailable } from "./unavailable.ts";

/** Contain the password: never log them. */
export interface DatabaseUrls {
  /** For the user of DATABASE_URL, who owns everything: migrations, set-up and commands. */
  owner: string;
  app: string;
  directory: string;
  /** The names of the programs' roles. */
  roles?: Record<"app" | "directory", string>;
  /** Whether Citus distributes the venues. */
  isDistributed: boolean;
}

interface ProgramRole {
  name: string;
  schema: "app" | "directory";
  other: "app" | "directory";
}

/**
 * Gives each program its own role, named after the database (`samespot_app`, `samespot_directory`), and any missing rights.
 * Call it after every migration. The returned addresses select the role in the startup packet, so it survives RESET ROLE. If
 * the roles cannot be made or used, all three addresses are the owner's and `log` gets the reason.
 */
export async function separatePrograms(url: string, log: (message: string) => void = () => {}): Promise<DatabaseUrls> {
  const waiting = { query_timeout: 10 * 60_000 }; // for other processes that start
  const client = await connect({ connectionString: url, application_name: "samespot roles", ...waiting });
  try {
    await execute(client)`SELECT pg_advisory_lock(${LOCKS.roles})`;
    const row = await queryRow<{ database: string }>(client)`SELECT current_database() AS database`;
    const database = row?.database;
    const app: ProgramRole = { name: `${database}_app`, schema: "app", other: "directory" };
    const directory: ProgramRole = { name: `${database}_directory`, schema: "directory", other: "app" };
    const urls = {
      owner: url,
      app: withOptions(url, { role: app.name }),
      directory: withOptions(url, { role: directory.name }),
      roles: { app: app.name, directory: directory.name },
      isDistributed: await findDistributed(client),
    };
    const obstacle =
      (await refused(() => prepareRoles(client, [app, directory]))) ??
      (await refused(() => letIntoNodes(client, [app, directory]))) ??
      (await refused(() => tryRole(urls.app, app))) ??
      (await refused(() => tryRole(urls.directory, directory))) ??
      (await refused(() => handOverQueue(client, app.name)));
    if (obstacle === undefined) return urls;
    log(
      `The web app and the directory share one database role (${obstacle}). See "Another PostgreSQL" in docs/operations.md.`,
    );
    return { owner: url, app: url, directory: url, isDistributed: urls.isDistributed };
  } finally {
    await client.end(); // and with it the lock
  }
}

async function refused(step: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await step();
  } catch (error) {
    const isRefusal = error instanceof pg.DatabaseError && (error.code === PROTOCOL_VIOLATION || !isUnavailable(error));
    if (!isRefusal) throw error;
    return error.message;
  }
}

/** PgBouncer's code for an unsupported startup parameter. */
const PROTOCOL_VIOLATION = "08P01";

async function prepareRoles(client: pg.Client, roles: ProgramRole[]): Promise<string | undefined> {
  await client.query("BEGIN");
  try {
    for (const role of roles) await prepareRole(client, role);
    const obstacle = await findCrossing(client, roles);
    await client.query(obstacle ? "ROLLBACK" : "COMMIT");
    return obstacle;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone, and the transaction with it
    throw error;
  }
}

async function prepareRole(client: pg.Client, { name, schema }: ProgramRole): Promise<void> {
  const role = client.escapeIdentifier(name);
  const known = await execute(client)`SELECT FROM pg_roles WHERE rolname = ${name}`;
  if (known === 0) await client.query(`CREATE ROLE ${role} NOLOGIN`);
  if (!(await mayBecome(client, name))) await client.query(`GRANT ${role} TO CURRENT_USER`);
  if (await hasAllRights(client, name, schema)) return;
  const { rows: databases } = await client.query("SELECT quote_ident(current_database()) AS name");
  await client.query(`
    GRANT CONNECT, TEMPORARY ON DATABASE ${databases[0].name} TO ${role};
    GRANT USAGE ON SCHEMA public, ${schema} TO ${role};
    GRANT SELECT ON public._prisma_migrations TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`);
}

async function mayBecome(client: pg.Client, role: string): Promise<boolean> {
  const row = await queryRow<{ may: boolean }>(client)`
    SELECT pg_has_role(${role}::name,
      CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END) AS may`;
  return row?.may === true;
}

/** Citus connects to its other nodes as the program's role, which may log in there, but not on the coordinator. */
async function letIntoNodes(client: pg.Client, roles: ProgramRole[]): Promise<string | undefined> {
  const { rows: has } = await client.query(
    "SELECT to_regproc('pg_catalog.run_command_on_workers') IS NOT NULL AS citus",
  );
  if (!has[0].citus) return undefined;
  for (const { name } of roles) {
    const role = client.escapeLiteral(client.escapeIdentifier(name));
    const login = `DO $$ BEGIN SET LOCAL citus.enable_alter_role_propagation = off; EXECUTE 'ALTER ROLE ' || ${role} || ' LOGIN'; END $$`;
    const failed = await queryRow<{ node: string; result: string }>(client)`
      SELECT nodename || ':' || nodeport AS node, result FROM run_command_on_workers(${login}) WHERE NOT success`;
    if (failed) return `the Citus node ${failed.node} does not let ${name} log in: ${failed.result}`;
  }
  return undefined;
}

/** Checked because grants write the catalog at every start even if they change nothing. */
async function hasAllRights(client: pg.Client, role: string, schema: string): Promise<boolean> {
  const row = await queryRow<{ hasAll: boolean }>(client)`
    SELECT has_schema_privilege(${role}::name, ${schema}::text, 'USAGE') AND NOT EXISTS (
      SELECT FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed
       WHERE c.relnamespace = ${schema}::text::regnamespace
         AND CASE WHEN c.relkind IN ('r', 'p', 'v', 'm') THEN NOT has_table_privilege(${role}::name, c.oid, needed)
                  WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(${role}::name, c.oid, 'USAGE') ELSE false END) AS "hasAll"`;
  return row?.hasAll === true;
}

/** An older role of this name may belong to somebody, or have rights through another role. */
async function findCrossing(client: pg.Client, roles: ProgramRole[]): Promise<string | undefined> {
  for (const { name, other } of roles) {
    const role = await queryRow<{ crosses: boolean; logsIn: boolean }>(client)`
      SELECT has_schema_privilege(oid, ${other}, 'USAGE') AS crosses, rolcanlogin AS "logsIn" FROM pg_roles WHERE rolname = ${name}`;
    if (role?.crosses) return `the role ${name} has rights on the schema ${other}`;
    if (role?.logsIn) return `the role ${name} may log in, so somebody else uses it`;
  }
  return undefined;
}

/** A pooler may silently drop the startup parameter. */
async function tryRole(url: string, { name }: ProgramRole): Promise<string | undefined> {
  const client = await connect({ connectionString: url, application_name: "samespot roles" });
  try {
    const { rows } = await client.query<{ name: string }>("SELECT current_user AS name");
    return rows[0]?.name === name ? undefined : `connections do not get the requested role ${name}`;
  } finally {
    await client.end();
  }
}

/** Makes the web app's role the owner of the queue's schema, because pg-boss creates and alters its tables itself. */
async function handOverQueue(client: pg.Client, role: string): Promise<undefined> {
  const rows = await queryRows<{ statement: string }>(client)`
    WITH other AS (SELECT oid FROM pg_roles WHERE rolname <> ${role}::name), queue AS (SELECT 'pgboss'::regnamespace AS oid)
    SELECT format('ALTER %s OWNER TO %I', thing, ${role}::name) AS statement FROM (
      SELECT 1, 'SCHEMA pgboss' FROM pg_namespace
       WHERE oid = (TABLE queue) AND nspowner IN (TABLE other)
      UNION ALL SELECT 2, 'TABLE ' || oid::regclass FROM pg_class
       WHERE relnamespace = (TABLE queue) AND relkind IN ('r', 'p', 'v') AND relowner IN (TABLE other)
      UNION ALL SELECT 3, 'ROUTINE ' || oid::regprocedure FROM pg_proc
       WHERE pronamespace = (TABLE queue) AND proowner IN (TABLE other)
      UNION ALL SELECT 4, 'TYPE ' || oid::regtype FROM pg_type
       WHERE typnamespace = (TABLE queue) AND typtype = 'e' AND typowner IN (TABLE other)
    ) AS things (step, thing) ORDER BY step`;
  if (rows.length > 0) await client.query(rows.map(({ statement }) => statement).join(";"));
  return undefined;
}
