import { setTimeout as after } from "node:timers/promises";
import { afterAll } from "vitest";
import { randomToken } from "../../src/shared/crypto.ts";
import { freePort } from "../support/free-port.ts";
import { startPrimary } from "../support/outages/standby.ts";
import { startPgBouncer } from "../support/pgbouncer.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../support/samespot.ts";
import { startHaproxy } from "./haproxy.ts";

const PARTS = ["directory", "app", "worker"] as const;
type Part = (typeof PARTS)[number];
const EACH = 2;

/** Starts everything as docs/operations.md describes several machines, with a replica that has each commit before its client. */
export async function startCluster() {
  const primary = await startPrimary();
  const standby = await primary.replicate();
  await waitForReplica(primary);
  const [databasePort, addresses] = [await freePort(), await freeAddresses()];
  const pooled = await startPgBouncer(at(primary.url, databasePort), { default_pool_size: 20, server_round_robin: 0 });
  const hosts = `${new URL(primary.url).host},${new URL(standby.url).host}`;
  const env = {
    ...addresses,
    DATABASE_URL: pooled.url,
    DIRECT_DATABASE_URL: `${primary.url.replace(/@[^/]+/, `@${hosts}`)}?target_session_attrs=read-write`,
    READ_DATABASE_URL: standby.url,
    SESSION_SECRETS: randomToken(),
    ENCRYPTION_KEYS: randomToken(),
    ...{ DRAIN_SECONDS: "3", RATE_LIMIT: "off", LOG_LEVEL: "warn" },
  };
  const programs: Program[] = [];
  for (const part of PARTS)
    for (let number = 1; number <= EACH; number++) programs.push(await createProgram(part, `${part} ${number}`, env));
  const portsOf = (part: Part, port: "APP_PORT" | "AUTH_PORT" | "API_PORT") =>
    programs.filter((program) => program.part === part).map(({ ports }) => ports[port]);
  const portOf = (url: string) => Number(new URL(url).port);
  await startHaproxy(
    { port: databasePort, to: [primary, standby].map(({ url }) => portOf(url)) },
    {
      app: { port: portOf(addresses.APP_URL), to: portsOf("app", "APP_PORT") },
      auth: { port: portOf(addresses.AUTH_URL), to: portsOf("directory", "AUTH_PORT") },
      api: { port: portOf(addresses.BASE_URL), to: portsOf("directory", "API_PORT") },
    },
  );
  for (const program of programs) await program.start(program === programs[0]);
  afterAll(() => Promise.all(programs.map((program) => program.stop("SIGKILL"))));
  const [first] = programs;
  return {
    ...{ programs, standby, webUrl: addresses.APP_URL, authUrl: addresses.AUTH_URL, apiUrl: addresses.BASE_URL },
    demo: first?.demo() ?? { handle: "", password: "" },
    output: () => programs.map(({ name, output }) => `${name}:\n${output()}`).join("\n"),
    /** Ends the primary at once and lets the replica take over. */
    async failOver(): Promise<void> {
      const admin = await standby.admin();
      primary.kill();
      await admin.query("SELECT pg_promote()");
      await admin.end();
    },
  };
}

const at = (url: string, port: number) => url.replace(/@[^/]+/, `@127.0.0.1:${port}`);

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

async function createProgram(part: Part, name: string, env: Record<string, string>) {
  const ports = { APP_PORT: await freePort(), AUTH_PORT: await freePort(), API_PORT: await freePort() };
  const metrics = `http://127.0.0.1:${await freePort()}`;
  const own = Object.entries({ ...ports, METRICS_PORT: new URL(metrics).port }).map(([key, port]) => [key, `${port}`]);
  const dataDir = dataFolder();
  let running: Awaited<ReturnType<typeof spawnSamespot>> | undefined;
  let [demo, before] = [{ handle: "", password: "" }, ""];
  return {
    ...{ part, name, ports, metrics },
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
