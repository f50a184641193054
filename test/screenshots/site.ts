import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { samespot } from "../../bench/support/programs.ts";
import type { Scratch } from "../../bench/support/scratch.ts";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { loggedInState } from "../support/browser.ts";
import { startDatabaseProxy as startProxy } from "../support/outages/database-proxy.ts";
import { freeAddresses, spawnSamespot } from "../support/samespot.ts";
import { addLongNames } from "./long-names.ts";
import { addRuns, type Runs } from "./runs.ts";

const ADMIN = { handle: "admin", password: "a password of some length" };

/** Has long and Arabic names everywhere, and is a member with another account than the user. */
const OTHER = { handle: "other", password: "another password of some length" };
/** Is a member without any data. */
const NEWCOMER = { handle: "newcomer", password: "yet another password of some length" };
/** Is logged in at the directory only. */
const STRANGER = { handle: "stranger", password: "one more password of some length" };

export type Role = "guest" | "user" | "other" | "newcomer" | "stranger" | "admin";
type State = Awaited<ReturnType<typeof loggedInState>>;

interface Outage {
  begin(): void;
  end(): void;
}

/** A Samespot with the sample, a reviewed file of the demo account, a draft, and files of others in other states. */
export interface Site {
  app: string;
  auth: string;
  api: string;
  states: Record<Role, State | undefined>;
  /** Paths in the web app. */
  file: string;
  draft: string;
  venue: string;
  checkin: string;
  /** Of another member, with long and Arabic names; a venue that only they may see. */
  long: { file: string; venue: string };
  runs: Runs;
  /** Switch both hosts of the directory off for the web app, or the database for all. */
  directoryAway: Outage;
  databaseAway: Outage;
  database: Database;
}

export async function withSite(scratch: Scratch, browser: Browser, work: (site: Site) => Promise<void>): Promise<void> {
  for (const { handle, password } of [ADMIN, OTHER, NEWCOMER, STRANGER])
    await samespot(scratch, ["user", "add", "--handle", handle, "--password-stdin"], password);
  const { addresses, env, directoryAway, databaseAway, close } = await startProxies(scratch);
  const settings = {
    ADMINS: ADMIN.handle,
    OPERATORS: ADMIN.handle,
    HOLD_NEW_VENUES: "unproven",
    SIGN_UP: "on",
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
  };
  const running = await spawnSamespot({
    env: { ...env, ...settings, SAMPLE_DATA: "on" },
    dataDir: path.join(scratch.folder, "data"),
  });
  const database = openDatabase(scratch.url, { patience: 20_000 });
  try {
    const { APP_URL: app, AUTH_URL: auth, BASE_URL: api } = addresses;
    const states = {
      guest: undefined,
      user: await loggedInState(browser, app, running.demo),
      other: await loggedInState(browser, app, OTHER),
      newcomer: await loggedInState(browser, app, NEWCOMER),
      stranger: await stateAtDirectory(browser, auth),
      admin: await loggedInState(browser, app, ADMIN),
    };
    const own = await prepare(browser, app, states);
    const long = await addLongNames({ ...{ scratch, database, api }, handle: OTHER.handle });
    const runs = await addRuns(database, { api, handle: ADMIN.handle });
    await visitCheckins(browser, app, states.other);
    await work({ ...{ app, auth, api, states, long, runs, directoryAway, databaseAway, database }, ...own });
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

async function prepare(browser: Browser, app: string, states: Pick<Site["states"], "user">) {
  const context = await browser.newContext(states.user && { storageState: states.user });
  context.setDefaultTimeout(120_000); // on a busy machine
  const page = await context.newPage();
  const draft = await uploadExample(page, app);
  const file = await reviewExample(page, app);
  const venue = await findVenue(page, app);
  await context.close();
  return { draft, file, venue, checkin: await visitCheckins(browser, app, states.user) };
}

/** Waits until they have been copied. Returns the path of one that can be changed. */
async function visitCheckins(browser: Browser, app: string, state: State | undefined): Promise<string> {
  const context = await browser.newContext(state && { storageState: state });
  const page = await context.newPage();
  await page.goto(`${app}/checkins`);
  await page.getByText("newest first").waitFor();
  const checkin = await page.locator(".timeline-change a").first().getAttribute("href");
  await context.close();
  return checkin ?? "";
}

async function stateAtDirectory(browser: Browser, auth: string): Promise<State> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${auth}/login`);
  await page.locator("[name=handle]").fill(STRANGER.handle);
  await page.locator("[name=password]").fill(STRANGER.password);
  await page.locator("main form button").last().click();
  await page.getByRole("button", { name: "Log out", exact: true }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function uploadExample(page: Page, app: string): Promise<string> {
  await page.goto(`${app}/harmonizations`);
  await page.getByRole("button", { name: "Try our example" }).click();
  await page.getByRole("button", { name: "Start" }).waitFor();
  return new URL(page.url()).pathname;
}

async function reviewExample(page: Page, app: string): Promise<string> {
  const file = await uploadExample(page, app);
  await page.getByRole("button", { name: "Start" }).click();
  // The page of its progress has such a link too, and reloads.
  const results = page.locator(":root:not(:has([data-events]))");
  await results.getByRole("link", { name: /^Review \d+ listings/ }).click();
  await page.locator("[data-review]").waitFor();
  await page.waitForLoadState(); // with its script
  for (const key of ["Enter", "Enter", "n"]) {
    const loaded = page.waitForEvent("load");
    await page.keyboard.press(key);
    await loaded;
  }
  return file;
}

async function findVenue(page: Page, app: string): Promise<string> {
  await page.goto(`${app}/venues?query=coffee&ll=41.8236,-71.4222`);
  const href = await page.locator("section[aria-label=Results] a").first().getAttribute("href");
  return href?.split("?")[0] ?? "";
}
