// `npm run screenshots [-- --only WORDS]`: keeps pictures of every page in `screenshots/`, wide and on a phone, light and dark, and
// prints requests, bytes, paints and layout shift of each. `-- --readme` makes the pictures of README.md instead, and `-- --counts`
// prints only how much stands in the main part of each page: links, buttons, fields, words, height, where its list begins, and how
// large its HTML is.
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { measure } from "../../bench/support/page-weight.ts";
import { printReport, type Row, say, type Tables } from "../../bench/support/report.ts";
import { withScratch } from "../../bench/support/scratch.ts";
import { launchBrowser } from "../support/browser.ts";
import { PAGES, type Shown } from "./pages.ts";
import { type Site, withSite } from "./site.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDER = path.join(ROOT, "screenshots");
const WIDTHS = [1280, 390];
const README = { results: "results", review: "review", "check-ins": "checkins" };

const options = {
  only: { type: "string", default: "" },
  readme: { type: "boolean", default: false },
  counts: { type: "boolean", default: false },
} as const;
const { only, readme, counts } = parseArgs({ options }).values;
const [before = 0] = os.loadavg();
const tables: Tables = {};
const browser = await launchBrowser();
try {
  await withScratch((scratch) =>
    withSite(scratch, (site) => (readme ? picturesOfReadme(browser, site) : (counts ? countAll : walk)(browser, site))),
  );
} finally {
  await browser.close();
}
if (!readme) {
  const machine = {
    cpus: os.cpus().length,
    load: { before, after: os.loadavg()[0] ?? 0 },
    node: process.versions.node,
  };
  printReport({ name: "screenshots", machine, tables }, false);
}

async function countAll(browser: Browser, site: Site): Promise<void> {
  const rows: Row[] = [];
  for (const shown of PAGES.filter(({ name }) => name.includes(only))) {
    say(`${shown.role} ${shown.name}`);
    const [wide, phone] = [await contentOf(browser, site, shown, 1280), await contentOf(browser, site, shown, 390)];
    rows.push({
      page: `${shown.role}: ${shown.name}`,
      ...wide,
      "height, phone": phone.height,
      "first row, phone": phone["first row"],
    });
  }
  tables["In the main part of each page, 1280 pixels wide"] = rows;
}

async function contentOf(browser: Browser, site: Site, { role, address, steps }: Shown, width: number) {
  const state = site.states[role];
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...(state && { storageState: state }) });
  try {
    const page = await context.newPage();
    let kB = 0;
    page.on("response", async (answer) => {
      const isPage = answer.request().isNavigationRequest() && answer.ok();
      if (isPage) kB = Math.round((await answer.body()).length / 100) / 10;
    });
    // Some pages lead on by themselves.
    await page.goto(address(site), { waitUntil: "networkidle" });
    await steps?.(page, site);
    const content = await page.evaluate(() => {
      const main = document.querySelector("main") ?? document.body;
      const count = (selector: string) =>
        [...main.querySelectorAll(selector)].filter((each) => each.checkVisibility()).length;
      return {
        links: count("a[href]"),
        buttons: count("button, summary"),
        fields: count("input:not([type=hidden]), select, textarea"),
        words: main.innerText.split(/\s+/).filter(Boolean).length,
        height: Math.round(document.documentElement.scrollHeight),
        "first row": Math.round(
          main.querySelector(".listing-table tbody tr, .venue-list > li")?.getBoundingClientRect().top ?? 0,
        ),
      };
    });
    return { ...content, kB };
  } finally {
    await context.close();
  }
}

async function walk(browser: Browser, site: Site): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const width of WIDTHS) {
    const rows: Row[] = [];
    for (const shown of PAGES.filter(({ name }) => name.includes(only))) {
      say(`${width}: ${shown.role} ${shown.name}`);
      const take = () => pictures(browser, site, shown, width);
      // On a busy machine the database may once be late.
      rows.push(await take().catch(take));
    }
    tables[`First visit on slow 4G, ${width} pixels wide`] = rows;
  }
}

async function pictures(browser: Browser, site: Site, { role, name, address }: Shown, width: number): Promise<Row> {
  const state = site.states[role];
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...(state && { storageState: state }) });
  try {
    const page = await context.newPage();
    const row = { page: `${role}: ${name}`, ...(await measure(page, address(site))) };
    for (const colorScheme of ["light", "dark"] as const) {
      const file = path.join(FOLDER, `${role}-${name}-${width}-${colorScheme}.png`);
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: file, fullPage: true });
    }
    return row;
  } finally {
    await context.close();
  }
}

async function picturesOfReadme(browser: Browser, site: Site): Promise<void> {
  const folder = path.join(ROOT, "docs/pictures");
  mkdirSync(folder, { recursive: true });
  for (const [file, name] of Object.entries(README)) {
    const shown = PAGES.find((page) => page.role === "user" && page.name === name);
    if (!shown || !site.states.user) throw new RangeError(`There is no page ${name}.`);
    const context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      storageState: site.states.user,
    });
    const page = await context.newPage();
    await page.goto(shown.address(site), { waitUntil: "networkidle" });
    await page.waitForTimeout(1000);
    writeFileSync(path.join(folder, `${file}.webp`), await webp(page));
    await context.close();
  }
}

/** Of a size that a README can carry. Playwright itself has no WebP. */
async function webp(page: Page): Promise<Buffer> {
  const devTools = await page.context().newCDPSession(page);
  const { data } = await devTools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  return Buffer.from(data, "base64");
}
