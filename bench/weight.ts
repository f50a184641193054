// npm run bench -- weight [--only WORDS] [--folder FOLDER]: requests, bytes and paints of each page, on a first visit with an
// empty cache, and its layout shift. The browser is on a slow 4G line (1.6 Mbit/s, 150 ms) with a processor four times slower.
// `--folder` measures another checkout, such as the release before.
import path from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { launchBrowser, loggedInState } from "../test/support/browser.ts";
import { measure } from "./support/page-weight.ts";
import { environment, freeAddress, ready, samespot, start, stop } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";

const PASSWORD = "a password of some length";
const WIDTHS = { wide: 1280, phone: 390 };

export interface Hosts {
  app: string;
  auth: string;
  api: string;
}

/** Of the web app, where a member is logged in; the others are for everyone. */
export const PAGES: Record<string, (hosts: Hosts) => string> = {
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
};
const GUEST = 3;

export const SMALLEST = ["--only", "home"];

export async function run(args: string[]): Promise<Tables> {
  const options = { only: { type: "string", default: "" }, folder: { type: "string", default: "." } } as const;
  const { only, folder } = parseArgs({ args, options }).values;
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
      return await measureAll(browser, hosts, only);
    } finally {
      await browser.close();
      await stop(child);
    }
  });
}

async function measureAll(browser: Browser, hosts: Hosts, only: string): Promise<Tables> {
  const state = await loggedInState(browser, hosts.app, { handle: "reader", password: PASSWORD });
  const tables: Tables = {};
  for (const [name, width] of Object.entries(WIDTHS)) {
    const rows: Row[] = [];
    for (const [index, [page, address]] of Object.entries(PAGES).entries()) {
      if (!page.includes(only)) continue;
      say(`${name}: ${page}`);
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        ...(index < GUEST ? {} : { storageState: state }),
      });
      rows.push({ page, ...(await measure(await context.newPage(), address(hosts))) });
      await context.close();
    }
    tables[`First visit on slow 4G, ${width} pixels wide`] = rows;
  }
  return tables;
}
