import type { ChildProcess } from "node:child_process";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import type { Harmonizer } from "../../src/harmonize/run/deps.ts";
import { createLogger } from "../../src/http/logger.ts";
import { createWeb } from "../../src/web/create-web.ts";
import { postmaster } from "./processes.ts";
import { environment, freeAddress, ready, start, stop } from "./programs.ts";
import type { Scratch } from "./scratch.ts";
import type { Watched } from "./watch.ts";

export interface HarmonizeSite {
  appUrl: string;
  authUrl: string;
  baseUrl: string;
  /** Parameters of every call to the directory. */
  credentials: Record<string, string>;
  deps: Harmonizer;
  processes: Watched[];
}

/** Runs `work` with the directory, the web app and two workers, each in its own process. */
export async function withHarmonizeSite<R>(scratch: Scratch, work: (site: HarmonizeSite) => Promise<R>): Promise<R> {
  const [APP_URL, AUTH_URL, BASE_URL] = [await freeAddress(), await freeAddress(), await freeAddress()];
  const env = { ...environment(scratch), APP_URL, AUTH_URL, BASE_URL, RATE_LIMIT: "off", LOG_LEVEL: "warn" };
  const children: ChildProcess[] = [];
  const processes: Watched[] = [];
  const launch = (ROLES: string, name = ROLES) => {
    const child = start(["src/main.ts"], { ...env, ROLES, SAMPLE_DATA: "off" });
    children.push(child);
    processes.push({ name, pid: child.pid ?? Number.NaN });
    return child;
  };
  await ready(launch("directory"), `${BASE_URL}/readyz`);
  await ready(launch("app"), `${APP_URL}/readyz`);
  for (const name of ["worker 1", "worker 2"]) launch("worker", name);
  const database = openDatabase(scratch.url, { patience: 60_000 }); // while the processors are busy with what is measured
  const config = readConfig({ ...env, ROLES: "app" });
  const log = createLogger({ level: "warn" });
  const web = createWeb({ config, database, address: scratch.url, log });
  try {
    const { clientId, clientSecret } = await web.credentials();
    return await work({
      ...{ appUrl: APP_URL, authUrl: AUTH_URL, baseUrl: BASE_URL, deps: web.harmonizer },
      credentials: { client_id: clientId, client_secret: clientSecret, v: config.apiVersion },
      processes: [...processes, { name: "PostgreSQL", pid: await postmaster(database.pool), isMany: true }],
    });
  } finally {
    await web.close();
    await database.close();
    for (const child of children.reverse()) await stop(child);
  }
}
