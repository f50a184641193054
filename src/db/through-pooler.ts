import pg from "pg";
import { type Address, connect, connectBare, naming } from "./connections.ts";
import type { Pooled } from "./pooler.ts";
import type { DatabaseUrls } from "./roles.ts";

/** Where each program's pools connect. */
export type ProgramAddresses = Record<"app" | "directory", Address>;

/**
 * Returns the programs' addresses at the pooler `url`. Throws an Error if it leads to another database. If its user may
 * not take the programs' roles, the programs share that user and `log` gets the reason.
 */
export async function throughPooler(
  url: string,
  { owner, app, directory, roles }: DatabaseUrls,
  log: (message: string) => void,
  patienceMs = 10_000,
): Promise<ProgramAddresses> {
  const limits = { application_name: "samespot", connectionTimeoutMillis: patienceMs, query_timeout: patienceMs };
  const client = await naming("DATABASE_URL", () => connectBare({ connectionString: url, ...limits }));
  try {
    const direct = await connect({ connectionString: owner, ...limits });
    await requireSame(client, direct).finally(() => direct.end());
    const keepsNames = await findKeepsNames(client);
    const role = (name: string | undefined) => takeRole(client, name, log);
    const pooled = async (session: string, name: string | undefined): Promise<Pooled> => ({
      url,
      session,
      keepsNames,
      role: await role(name),
    });
    return { app: await pooled(app, roles?.app), directory: await pooled(directory, roles?.directory) };
  } finally {
    await client.end();
  }
}

const IDENTITY = "SELECT current_database() || extract(epoch FROM pg_postmaster_start_time()) AS it";

async function requireSame(client: pg.Client, direct: pg.Client): Promise<void> {
  const [one, two] = await Promise.all([client.query(IDENTITY), direct.query(IDENTITY)]);
  if (one.rows[0].it === two.rows[0].it) return;
  throw new Error("DATABASE_URL and DIRECT_DATABASE_URL lead to different databases. Both must name the same one.");
}

/** A pooler that keeps statements gives them names of its own; another one passes the client's name to the server. */
async function findKeepsNames(client: pg.Client): Promise<boolean> {
  await client.query("BEGIN");
  await client.query({ name: "samespot-probe", text: "SELECT 1 AS probe" });
  const { rows } = await client.query("SELECT name FROM pg_prepared_statements WHERE statement = 'SELECT 1 AS probe'");
  const isPassedOn = rows.some(({ name }) => name === "samespot-probe");
  if (isPassedOn) await client.query('DEALLOCATE "samespot-probe"');
  await client.query("COMMIT");
  return !isPassedOn && rows.length > 0;
}

async function takeRole(
  client: pg.Client,
  role: string | undefined,
  log: (message: string) => void,
): Promise<string | undefined> {
  if (role === undefined) return undefined;
  try {
    await client.query(`BEGIN; SET LOCAL role = ${client.escapeLiteral(role)}`);
    return role;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    log(`The user in DATABASE_URL cannot take the role ${role} (${error.message}): GRANT it to this user.`);
    return undefined;
  } finally {
    await client.query("ROLLBACK");
  }
}
