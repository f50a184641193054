// npm run bench -- weight [--only WORDS] [--rounds 3] [--folder FOLDER]: requests, bytes and paints of each page, on a first visit
// with an empty cache, its layout shift, and how often its first paint takes the time of an empty page; then how long a press takes
// to be answered (interaction to next paint), and a decision of the review to show the next card. The browser is on a slow 4G line
// (1.6 Mbit/s, 150 ms), for visits only, with a processor four times slower. Of the rounds the quickest counts. `--folder` measures
// another checkout, such as the release before.
import path from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { launchBrowser, loggedInState } from "../test/support/browser.ts";
import { measure } from "./support/page-weight.ts";
import { measurePresses } from "./support/presses.ts";
import { environment, freeAddress, ready, samespot, start, stop } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";

const PASSWORD = "a password of some length";
const WIDTHS = { wide: 1280, phone: 390 };
const EMPTY = "an empty page";

export interface Hosts {
  app: string;
  auth: string;
  api: string;
}

interface Site extends Hosts {
  /** The address of the member's matched example. */
  file: string;
}

/** Of the web app, where a member is logged in; the others are for everyone. */
export const PAGES: Record<string, (site: Site) => string> = {
  [EMPTY]: ({ app }) => `${app}/healthz`,
  "home, guest": ({ app }) => `${app}/`,
  "directory's log-in": ({ auth }) => `${auth}/login`,
  "/docs": ({ api }) => `${api}/docs`,
  "home, member": ({ app }) => `${app}/`,
  search: ({ app }) => `${app}/venues`,
  "search with map": ({ app }) => `${app}/venues?query=coffee&ll=41.8236,-71.4222`,
  "add a venue": ({ app }) => `${app}/venues/new?ll=41.8236,-71.4222`,
  harmonizations: ({ app }) => `${app}/harmonizations`,
  "check-ins": ({ app }) => `${app}/checkins`,
  settings: ({ app }) => `${app}/settings`,
  results: ({ file }) => file,
  review: ({ file }) => `${file}/review`,
};
const GUEST = 4;

export const SMALLEST = ["--only", "home", "--rounds", "1"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { only: text(""), rounds: text("3"), folder: text(".") };
  const { only, rounds, folder } = parseArgs({ args, options }).values;
  return withScratch(async (scratch) => {
    const hosts = { app: await freeAddress(), auth: await freeAddress(), api: await freeAddress() };
    const checkout = path.resolve(folder);
    // By the same program, because each migrates the database to its own release.
    await samespot(scratch, ["user", "add", "--handle", "reader", "--password-stdin"], PASSWORD, checkout);
    const env = { APP_URL: hosts.app, AUTH_URL: hosts.auth, BASE_URL: hosts.api, SAMPLE_DATA: "on", LOG_LEVEL: "warn" };
    const program = path.join(checkout, "src/main.ts");
    const child = start([program], { ...environment(scratch), ...env, RATE_LIMIT: "off" });
    const browser = await launchBrowser();
    try {
      for (const host of Object.values(hosts)) await ready(child, `${host}/readyz`);
      const state = await loggedInState(browser, hosts.app, { handle: "reader", password: PASSWORD });
      const site = { ...hosts, file: await matchExample(browser, hosts.app, state) };
      return {
        ...(await measureVisits(browser, site, { state, only, rounds: Number(rounds) })),
        ...(await measurePresses(browser, site, { state, most: Number(rounds) * 4 })),
      };
    } finally {
      await browser.close();
      await stop(child);
    }
  });
}

type State = Awaited<ReturnType<typeof loggedInState>>;

async function matchExample(browser: Browser, app: string, state: State): Promise<string> {
  const context = await browser.newContext({ storageState: state });
  const page = await context.newPage();
  await page.goto(`${app}/harmonizations`);
  await page.locator("form:has([name=example]) button").click();
  await page.locator("[name=action][value=start]").click();
  await page.locator(".listing-table").waitFor({ timeout: 120_000 });
  const file = page.url();
  await context.close();
  return file;
}

interface Visits {
  state: State;
  only: string;
  rounds: number;
}

async function measureVisits(browser: Browser, site: Site, { state, only, rounds }: Visits): Promise<Tables> {
  const tables: Tables = {};
  for (const [name, width] of Object.entries(WIDTHS)) {
    const visit = async (page: string, isGuest: boolean) => {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ viewport, ...(isGuest ? {} : { storageState: state }) });
      const found = await measure(await context.newPage(), PAGES[page]?.(site) ?? "");
      await context.close();
      return found;
    };
    const best = new Map<string, Row>();
    for (let round = 1; round <= rounds; round++) {
      for (const [index, page] of Object.keys(PAGES).entries()) {
        if (page !== EMPTY && !page.includes(only)) continue;
        say(`${name}, round ${round}: ${page}`);
        const [found, before] = [await visit(page, index < GUEST), best.get(page)];
        if (!before || Number(found[PAINT]) < Number(before[PAINT])) best.set(page, found);
      }
    }
    const floor = Number(best.get(EMPTY)?.[PAINT]);
    tables[`First visit on slow 4G, ${width} pixels wide`] = [...best].map(([page, found]) => ({
      page,
      ...found,
      "× empty page": Number((Number(found[PAINT]) / floor).toFixed(2)),
    }));
  }
  return tables;
}

const PAINT = "first paint ms";
