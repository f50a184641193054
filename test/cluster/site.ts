import { setTimeout as after } from "node:timers/promises";
import { afterAll } from "vitest";
import { connectBare } from "../../src/db/connections.ts";
import { startPgBouncer } from "../support/database/pgbouncer.ts";
import { freePort } from "../support/free-port.ts";
import { type Server, startPrimary } from "../support/outages/standby.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../support/samespot.ts";
import { startHaproxy } from "./haproxy.ts";

const PARTS = ["directory", "app", "worker"] as const;
type Part = (typeof PARTS)[number];
type Servers = Record<"primary" | "standby", Pick<Server, "url">>;
const EACH = 2;

/** Starts what docs/scaling.md describes under Failover, on one machine. Commits wait for the one replica, so that no row may be lost. */
export async function startCluster() {
  const primary = await startPrimary();
  const standby = await primary.replicate();
  await waitForReplica(primary);
  const addresses = await freeAddresses();
  const pooler = await startPgBouncer(primary.url, {
    default_pool_size: 20,
    server_round_robin: 0,
    server_login_retry: 0.1,
  });
  const env = settingsOf(addresses, pooler.url, { primary, standby });
  const programs: Program[] = [];
  for (const part of PARTS)
    for (let number = 1; number <= EACH; number++) programs.push(await createProgram(part, number, env));
  await startHaproxy(routesTo(programs, addresses));
  for (const program of programs) await program.start(program === programs[0]);
  afterAll(() => Promise.all(programs.map((program) => program.stop("SIGKILL"))));
  const [first] = programs;
  return {
    ...{ programs, standby, webUrl: addresses.APP_URL, authUrl: addresses.AUTH_URL, apiUrl: addresses.BASE_URL },
    demo: first?.demo() ?? { handle: "", password: "" },
    output: () => programs.map(({ part, number, output }) => `${part} ${number}:\n${output()}`).join("\n"),
    /** Kills the primary, and lets the replica take its place. Ends once that takes writes. */
    async failOver(): Promise<void> {
      primary.kill();
      await pooler.command("PAUSE");
      const admin = await standby.admin();
      await admin.query("SELECT pg_promote()");
      await admin.end();
      await pooler.leadTo(standby.url);
      await pooler.command("RESUME");
      while (!(await takesWrites(pooler.url))) await after(10);
    },
  };
}

async function takesWrites(url: string): Promise<boolean> {
  const limits = { connectionTimeoutMillis: 1000, query_timeout: 1000 };
  const client = await connectBare({ connectionString: url, ...limits }).catch(() => undefined);
  const found = await client?.query("SELECT NOT pg_is_in_recovery() AS it").catch(() => undefined);
  await client?.end();
  return found?.rows[0]?.it === true;
}

function settingsOf(addresses: Record<string, string>, pooler: string, { primary, standby }: Servers) {
  const hosts = `${new URL(primary.url).host},${new URL(standby.url).host}`;
  return {
    ...addresses,
    DATABASE_URL: pooler,
    DIRECT_DATABASE_URL: `${primary.url.replace(/@[^/]+/, `@${hosts}`)}?target_session_attrs=read-write`,
    READ_DATABASE_URL: standby.url,
    ...{ DRAIN_SECONDS: "3", RATE_LIMIT: "off", LOG_LEVEL: "warn" },
  };
}

type Addresses = Awaited<ReturnType<typeof freeAddresses>>;

function routesTo(programs: Program[], { APP_URL, AUTH_URL, BASE_URL }: Addresses) {
  const route = (url: string, part: Part, name: "APP_PORT" | "AUTH_PORT" | "API_PORT") => ({
    port: Number(new URL(url).port),
    to: programs.filter((program) => program.part === part).map(({ ports }) => ports[name]),
  });
  return {
    app: route(APP_URL, "app", "APP_PORT"),
    auth: route(AUTH_URL, "directory", "AUTH_PORT"),
    api: route(BASE_URL, "directory", "API_PORT"),
  };
}

/** From here on, a commit is acknowledged once the replica has it on its disk too. */
async function waitForReplica({ admin }: Awaited<ReturnType<typeof startPrimary>>): Promise<void> {
  const client = await admin();
  await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await client.query("SELECT pg_reload_conf()");
  const text = "SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
  while ((await client.query(text)).rowCount === 0) await after(50);
  await client.end();
}

type Program = Awaited<ReturnType<typeof createProgram>>;

async function createProgram(part: Part, number: number, env: Record<string, string>) {
  const ports = { APP_PORT: await freePort(), AUTH_PORT: await freePort(), API_PORT: await freePort() };
  const metrics = `http://127.0.0.1:${await freePort()}`;
  const own = Object.entries({ ...ports, METRICS_PORT: new URL(metrics).port }).map(([key, port]) => [key, `${port}`]);
  const dataDir = dataFolder();
  let running: Awaited<ReturnType<typeof spawnSamespot>> | undefined;
  let [demo, before] = [{ handle: "", password: "" }, ""];
  return {
    ...{ part, number, ports, metrics },
    demo: () => demo,
    output: () => before + (running?.output() ?? ""),
    /** `hasSample`: with the sample data and the demo account. */
    async start(hasSample = false): Promise<void> {
      running = await spawnSamespot({
        env: { ...env, ...Object.fromEntries(own), ROLES: part, SAMPLE_DATA: hasSample ? "on" : "off" },
        dataDir,
      });
      if (hasSample) demo = running.demo;
      const isReady = () =>
        fetch(`${metrics}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isReady())) await after(50);
    },
    /** Returns the exit code. */
    async stop(signal: NodeJS.Signals): Promise<string | number | null> {
      const ended = await running?.kill(signal);
      before += running?.output() ?? "";
      running = undefined;
      return ended?.code ?? null;
    },
  };
}
