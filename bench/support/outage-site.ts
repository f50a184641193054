import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assetBase } from "../../src/http/files/assets.ts";
import { freezeServer, killServer } from "../../test/faults/server.ts";
import { startDatabaseProxy } from "../../test/support/outages/database-proxy.ts";
import { lasting } from "./lasting.ts";
import { logIn } from "./member.ts";
import { addApplication, environment, freeAddress, ready, samespot, start, stop } from "./programs.ts";
import type { Scratch } from "./scratch.ts";

export interface OutageSite {
  /** Starts Samespot with all its parts in one process, always at the same addresses. */
  launch(): Promise<ChildProcess>;
  /** The requests that are sent all the time. Those for pages and searches need the database. */
  callers: Caller[];
  /** Each of these functions makes the database unavailable, and resolves when it is available again. */
  outages: Record<string, () => Promise<unknown>>;
  /** Counts the members who are no longer logged in. */
  loggedOut(): Promise<number>;
}

export interface Caller {
  kind: "page" | "search" | "health" | "file";
  url: string;
  headers: Record<string, string>;
}

const PASSWORD = "a password of some length";
const MEMBERS = 5;
const AWAY_MS = 5000;

export async function withOutageSite<R>(
  scratch: Scratch,
  settings: Record<string, string>,
  work: (site: OutageSite) => Promise<R>,
): Promise<R> {
  const [APP_URL, AUTH_URL, BASE_URL] = [await freeAddress(), await freeAddress(), await freeAddress()];
  const proxy = await startDatabaseProxy(scratch.url);
  const addresses = { APP_URL, AUTH_URL, BASE_URL, DATABASE_URL: proxy.url };
  const env = {
    ...environment(scratch),
    ...addresses,
    ...settings,
    SAMPLE_DATA: "off",
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
  };
  const launch = async () => {
    const child = start(["src/main.ts"], env);
    await ready(child, `${APP_URL}/readyz`).catch(async (error: unknown) => {
      await stop(child);
      throw error;
    });
    return child;
  };
  const child = await launch();
  try {
    const members = await logInMembers(scratch, { appUrl: APP_URL, authUrl: AUTH_URL });
    const credentials = new URLSearchParams(await addApplication(scratch, "bench"));
    const search = `${BASE_URL}/v2/venues/search?query=coffee&ll=41.824,-71.412&${credentials}`;
    await stop(child);
    const of = (kind: Caller["kind"], url: string, headers = {}): Caller => ({ kind, url, headers });
    const callers = [
      ...members.map((cookie) => of("page", `${APP_URL}/settings`, { cookie })),
      ...[of("search", search), of("health", `${APP_URL}/healthz`), of("file", `${APP_URL}${assetBase}/app.js`)],
    ];
    return await work({ launch, callers, outages: outagesOf(scratch, proxy), loggedOut: () => countGuests(callers) });
  } finally {
    await stop(child);
    proxy.close();
  }
}

/** Returns the cookies of log-ins of their own. */
async function logInMembers(scratch: Scratch, hosts: Parameters<typeof logIn>[0]): Promise<string[]> {
  await samespot(scratch, ["user", "add", "--handle", "bench", "--password-stdin"], PASSWORD);
  const cookies: string[] = [];
  for (let count = 0; count < MEMBERS; count++) {
    const { browser } = await logIn(hosts, "bench", PASSWORD);
    cookies.push([...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
  }
  return cookies;
}

function outagesOf({ folder }: Scratch, proxy: Awaited<ReturnType<typeof startDatabaseProxy>>): OutageSite["outages"] {
  const server = path.join(folder, "database");
  return {
    "is out of reach": () => forAWhile(proxy.freeze, proxy.thaw),
    "refuses connections": () => forAWhile(proxy.refuse, proxy.thaw),
    "is frozen": async () => {
      const goOn = freezeServer(server);
      await sleep(lasting(AWAY_MS));
      goOn();
    },
    "is killed": () => killServer(server),
    "is shut down": () => killServer(server, "SIGQUIT"),
  };
}

async function forAWhile(begin: () => void, end: () => void): Promise<void> {
  begin();
  await sleep(lasting(AWAY_MS));
  end();
}

async function countGuests(callers: readonly Caller[]): Promise<number> {
  const pages = callers.filter(({ kind }) => kind === "page");
  const replies = await Promise.all(pages.map(({ url, headers }) => fetch(url, { headers, redirect: "manual" })));
  return replies.filter(({ status }) => status !== 200).length;
}
