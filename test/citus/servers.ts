import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { CITUS_URL } from "../support/database/citus.ts";

/** A folder with the data of the cluster's nodes on this machine (servers.sh), for tests that stop nodes and move shards. */
export const FOLDER = CITUS_URL === undefined ? undefined : process.env.TEST_CITUS_NODES;

export interface Server {
  stop(): void;
  /** Unless it runs. */
  start(): void;
}

/** Returns the server of the node with this port. Throws if the folder does not have it. */
export async function serverAt(port: number): Promise<Server> {
  const folder = FOLDER ?? "";
  const data = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .find((each) => portOf(each) === port);
  if (!data) throw new Error(`TEST_CITUS_NODES: ${folder} has no data of the node with port ${port}.`);
  const { uid, gid } = statSync(data);
  const program = path.join(await programs(), "pg_ctl");
  const env = { PATH: process.env.PATH }; // with the HOME of root, a server of postgres would read certificates there
  const pgCtl = (...args: string[]): number | null =>
    spawnSync(program, ["-D", data, "-l", `${data}.log`, "-w", ...args], { uid, gid, env, cwd: "/", stdio: "ignore" })
      .status;
  const run = (...args: string[]) => {
    const status = pgCtl(...args);
    if (status !== 0) throw new Error(`pg_ctl ${args.at(-1)} ended with code ${status}. See ${data}.log.`);
  };
  return {
    stop: () => run("-m", "immediate", "stop"),
    start() {
      if (pgCtl("status") !== 0) run("start");
    },
  };
}

function portOf(data: string): number | undefined {
  try {
    const settings = readFileSync(path.join(data, "postgresql.conf"), "utf8");
    return Number(/^port\s*=\s*(\d+)/m.exec(settings)?.[1] ?? 5432);
  } catch {
    return undefined; // a log
  }
}

async function programs(): Promise<string> {
  const client = new pg.Client(CITUS_URL);
  await client.connect();
  const { rows } = await client
    .query<{ setting: string }>("SELECT setting FROM pg_config WHERE name = 'BINDIR'")
    .finally(() => client.end());
  return rows[0]?.setting ?? "";
}
