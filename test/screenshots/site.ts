import path from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { samespot } from "../../bench/support/programs.ts";
import type { Scratch } from "../../bench/support/scratch.ts";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { startDatabaseProxy as startProxy } from "../support/outages/database-proxy.ts";
import { freeAddresses, spawnSamespot } from "../support/samespot.ts";
import {
  ACCOUNTS,
  addContent,
  type Content,
  type Hosts,
  logInAll,
  type Role,
  SETTINGS,
  untilShown,
  type Visitor,
} from "./content.ts";
import { addLongNames } from "./long-names.ts";
import { addRuns, type Runs } from "./runs.ts";

type State = Exclude<BrowserContextOptions["storageState"], string | undefined>;

interface Outage {
  begin(): void;
  end(): void;
}

/** A Samespot with the sample, a reviewed file of the demo account, a draft, and files of others in other states. */
export interface Site extends Hosts, Content {
  states: Record<Role, State | undefined>;
  /** Of another member, with long and Arabic names; a venue that only they may see. */
  long: { file: string; venue: string };
  runs: Runs;
  /** Switch both hosts of the directory off for the web app, or the database for all. */
  directoryAway: Outage;
  databaseAway: Outage;
  database: Database;
}

export async function withSite(scratch: Scratch, work: (site: Site) => Promise<void>): Promise<void> {
  for (const { handle, password } of Object.values(ACCOUNTS))
    await samespot(scratch, ["user", "add", "--handle", handle, "--password-stdin"], password);
  const { addresses, env, directoryAway, databaseAway, close } = await startProxies(scratch);
  const settings = {
    ...SETTINGS,
    HOLD_NEW_VENUES: "unproven",
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
  };
  const running = await spawnSamespot({
    env: { ...env, ...settings },
    dataDir: path.join(scratch.folder, "data"),
  });
  const database = openDatabase(scratch.url, { patience: 20_000 });
  try {
    const { APP_URL: app, AUTH_URL: auth, BASE_URL: api } = addresses;
    const hosts = { app, auth, api };
    const visitors = await logInAll(hosts, running.demo);
    const content = await addContent(visitors.user);
    const example = await visitors.guest.app.get("/example");
    await untilShown(visitors.guest.app, new URL(example.location).pathname, /listing-table/);
    const duplicates = "/operator/duplicates";
    const operator = visitors.admin.auth;
    // A search that has begun by itself has no button.
    await untilShown(operator, duplicates, /duplicates\/search/);
    await operator.submit(await operator.get(duplicates), `${duplicates}/search`);
    await untilShown(operator, duplicates, /value="merge"/);
    const long = await addLongNames({ ...{ scratch, database, api }, handle: ACCOUNTS.other.handle });
    const runs = await addRuns(database, { api, handle: ACCOUNTS.admin.handle });
    await untilShown(visitors.other.app, "/checkins", /newest first/);
    const states = Object.fromEntries(Object.entries(visitors).map(([role, visitor]) => [role, stateOf(visitor)]));
    await work({
      ...{ ...hosts, ...content, states: states as Site["states"], long, runs },
      ...{ directoryAway, databaseAway, database },
    });
  } finally {
    await running.kill("SIGTERM");
    await database.close();
    close();
  }
}

/** Samespot reaches its directory and its database through proxies, which can refuse connections. */
async function startProxies({ url }: Scratch) {
  const { APP_URL, ...behind } = await freeAddresses();
  const [auth, api, database] = [
    await startProxy(behind.AUTH_URL),
    await startProxy(behind.BASE_URL),
    await startProxy(url),
  ];
  const front = (proxy: { url: string }) => `http://localhost:${new URL(proxy.url).port}`;
  const addresses = { APP_URL, AUTH_URL: front(auth), BASE_URL: front(api) };
  const ports = { AUTH_PORT: new URL(behind.AUTH_URL).port, API_PORT: new URL(behind.BASE_URL).port };
  const outage = (...proxies: (typeof auth)[]): Outage => ({
    begin: () => proxies.forEach((each) => void each.refuse()),
    end: () => proxies.forEach((each) => void each.thaw()),
  });
  return {
    ...{ addresses, env: { ...addresses, ...ports, DATABASE_URL: database.url } },
    ...{ directoryAway: outage(auth, api), databaseAway: outage(database) },
    close: () => [auth, api, database].forEach((each) => void each.close()),
  };
}

/** What a browser keeps of a visit. */
function stateOf({ app, auth }: Visitor): State {
  const attributes = { domain: "localhost", path: "/", expires: -1, httpOnly: true, secure: false } as const;
  const cookies = [...app.cookies, ...auth.cookies].map(([name, value]) => ({ name, value, ...attributes }));
  return { cookies: cookies.map((cookie) => ({ ...cookie, sameSite: "Lax" })), origins: [] };
}
