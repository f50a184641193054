import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openDatabase } from "../../src/db/database.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { startDatabaseProxy } from "../support/outages/database-proxy.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";
import { createPrograms, PROGRAMS, type Program } from "./programs.ts";
import { endServer, freezeServer, killServer, type ServerEnd } from "./server.ts";
import { startEvents, startTeam } from "./team.ts";
import { logIn } from "./visitor.ts";

export type Part = Program | "database";

/** Seconds without a heartbeat after which another worker takes a task. pg-boss itself allows at least ten. */
const LEASE = 4;
/** Seconds that a worker is silent, long enough for another to take over. */
const WORKER = { "worker 1": 8, "worker 2": 8, "worker 3": 8 };
/** Seconds that a part is frozen; the directory longer than the workers wait. */
const FROZEN = { ...WORKER, directory: 5, app: 3, database: 4 };
/** Seconds without the database. What was sent meanwhile arrives late. */
const CUT_OFF = { ...WORKER, directory: 4, app: 3 };

/**
 * Starts Samespot as in production: app, directory and three workers as processes that reach PostgreSQL through proxies of their
 * own, with a logged-in user. Processes that end, and PostgreSQL, are restarted.
 */
export async function startSite() {
  const folder = dataFolder();
  mkdirSync(folder);
  const embedded = await startEmbedded({ dir: folder, settings: { fsync: "off" } });
  const ways: Ways = new Map();
  for (const program of PROGRAMS) ways.set(program, await startDatabaseProxy(embedded.url));
  const addresses = await freeAddresses();
  const env = { ...settings(), ...addresses, DATA_DIR: path.join(folder, "data") };
  const programs = createPrograms((program) => ({ ...env, DATABASE_URL: ways.get(program)?.url }));
  const { start, struck, ended } = programs;
  const database = openDatabase(embedded.url);
  const down = new Set<Part>();
  const strikes = strikesOn({ folder, ways, programs });
  const isBack = (part: Part) => {
    if (part === "database") return until(() => database.pool.query("SELECT 1"));
    if (part === "app") return until(() => isReady(addresses.APP_URL));
    if (part === "directory") return until(() => isReady(addresses.BASE_URL));
    return until(async () => programs.isWorking(part));
  };
  start("directory");
  await isBack("directory");
  for (const program of PROGRAMS) if (program !== "directory") start(program);
  await isBack("app");
  const [, password = ""] = /Demo account: demo \/ (\S+)/.exec(programs.output()) ?? [];
  const visitor = await logIn(addresses, { handle: "demo", password });
  const [people, receiver] = [await startTeam(database.pool, addresses.APP_URL), await startEvents()];
  return {
    ...{ database, visitor, people, receiver, struck, ended, arm: programs.arm },
    /** The last part of their output. */
    output: programs.output,
    /** Limits all waits to LEASE, so that a round takes seconds instead of minutes. */
    hurry: () => database.pool.query(HURRY),
    isUp: (part: Part) => !down.has(part) && (!part.startsWith("worker") || programs.isWorking(part as Program)),
    /** Resolves when the part is up again. */
    async strike(part: Part, how: How): Promise<void> {
      down.add(part);
      struck.push({ part, how, at: performance.now() });
      await strikes[how](part);
      await isBack(part);
      down.delete(part);
    },
    /** Ends PostgreSQL or its connections. Resolves when it works again. */
    async endDatabase(how: ServerEnd): Promise<void> {
      struck.push({ part: "database", how, at: performance.now() });
      const freeze = () => {
        const goOn = PROGRAMS.map(programs.freeze);
        return () => goOn.forEach((each) => void each());
      };
      await endServer(folder, how, database.pool, freeze);
      await isBack("database");
    },
    async close(): Promise<void> {
      await programs.close();
      await database.close();
      for (const way of ways.values()) way.close();
      await embedded.stop();
    },
  };
}

const settings = () => ({
  ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, LOG_LEVEL: "warn" },
  ...{ SAMPLE_DATA: "on", RATE_LIMIT: "off", PRIVATE_WEBHOOKS: "on" },
  ...PRODUCTION,
});

/** Changes the rows themselves, because every process caches the queue's settings. */
export const HURRY = `
  CREATE OR REPLACE FUNCTION public.shorten_lease() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.heartbeat_seconds := ${LEASE}; RETURN NEW; END';
  CREATE OR REPLACE TRIGGER shorten_lease BEFORE INSERT ON pgboss.job FOR EACH ROW EXECUTE FUNCTION public.shorten_lease();
  CREATE OR REPLACE FUNCTION public.shorten_wait() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.retry_at := least(NEW.retry_at, now() + interval ''${LEASE} s''); RETURN NEW; END';
  CREATE OR REPLACE TRIGGER shorten_wait BEFORE UPDATE ON app.harmonization FOR EACH ROW WHEN (NEW.retry_at IS NOT NULL)
    EXECUTE FUNCTION public.shorten_wait();
  CREATE OR REPLACE FUNCTION public.shorten_delivery() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.next_at := least(NEW.next_at, now() + interval ''${LEASE} s''); RETURN NEW; END';
  CREATE OR REPLACE TRIGGER shorten_delivery BEFORE UPDATE ON app.webhook_delivery FOR EACH ROW WHEN (NEW.next_at IS NOT NULL)
    EXECUTE FUNCTION public.shorten_delivery();
  CREATE OR REPLACE FUNCTION public.shorten_call() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.created_at := now() - interval ''40 s''; RETURN NEW; END';
  CREATE OR REPLACE TRIGGER shorten_call BEFORE INSERT ON app.api_call FOR EACH ROW EXECUTE FUNCTION public.shorten_call();`;

export type Site = Awaited<ReturnType<typeof startSite>>;

type Ways = Map<Part, Awaited<ReturnType<typeof startDatabaseProxy>>>;
export type How = "killed" | "frozen" | "cut off";

interface Parts {
  folder: string;
  ways: Ways;
  programs: ReturnType<typeof createPrograms>;
}

/** Each resolves when the fault is over and the part may return. */
const strikesOn = ({ folder, ways, programs }: Parts): Record<How, (part: Part) => Promise<void>> => ({
  async killed(part) {
    if (part === "database") await killServer(folder);
    else await programs.kill(part);
  },
  async frozen(part) {
    const goOn = part === "database" ? freezeServer(folder) : programs.freeze(part);
    await after(FROZEN[part] * 1000);
    goOn();
  },
  async "cut off"(part) {
    if (part === "database") for (const way of ways.values()) way.cut();
    else {
      ways.get(part)?.freeze();
      await after(CUT_OFF[part] * 1000);
      ways.get(part)?.thaw();
    }
  },
});

const isReady = async (url: string) => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) })).ok;

async function until(isThere: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    if (await isThere().catch(() => false)) return;
    await after(100);
  }
  throw new Error("A part did not come back within a minute.");
}
