// `npm run crawl [-- --only WORDS] [-- --way NAME] [-- --pictures]`: checks every page and state as each role, in each way, and
// prints a table of findings, page × check. `--pictures` keeps a picture of each in `screenshots/crawl`.
import { mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { printReport, type Row, say, type Tables } from "../../bench/support/report.ts";
import { withScratch } from "../../bench/support/scratch.ts";
import { type Site, withSite } from "../screenshots/site.ts";
import { launchBrowser } from "../support/browser.ts";
import { CHECKS, type Finding } from "./checks.ts";
import { look, pagesOf, WAYS, type Way } from "./walk.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../screenshots/crawl");
const options = {
  only: { type: "string", default: "" },
  way: { type: "string", default: "" },
  pictures: { type: "boolean", default: false },
} as const;
const { only, way: wanted, pictures } = parseArgs({ options }).values;

const [before = 0] = os.loadavg();
const tables: Tables = {};
const browser = await launchBrowser();
try {
  await withScratch((scratch) => withSite(scratch, walk));
} finally {
  await browser.close();
}
const load = { before, after: os.loadavg()[0] ?? 0 };
printReport({ name: "crawl", machine: { cpus: os.cpus().length, load, node: process.versions.node }, tables }, false);

async function walk(site: Site): Promise<void> {
  if (pictures) mkdirSync(FOLDER, { recursive: true });
  for (const way of WAYS.filter(({ name }) => name.includes(wanted))) {
    const rows: Row[] = [];
    for (const shown of pagesOf(way).filter(({ name }) => name.includes(only))) {
      const title = `${shown.role} ${shown.name}`;
      const keep = (page: Page) => pictures && page.screenshot({ path: fileOf(title, way), fullPage: true });
      const take = () => look(browser, site, shown, way, async (page) => keep(page));
      // A page that shows progress may load again meanwhile.
      const findings = await take().catch(take).catch(notReached);
      for (const { check, words } of findings) say(`${way.name}: ${title}: ${check}: ${words}`);
      rows.push({ page: title, ...countsOf(findings) });
    }
    tables[inWords(way)] = rows;
    if (rows.some(({ page: _, ...counts }) => Object.values(counts).some((count) => count !== 0))) process.exitCode = 1;
  }
}

function inWords({ name, width, locale, javaScriptEnabled, withoutDirectory }: Way): string {
  const without = [!javaScriptEnabled && "script", withoutDirectory && "the directory"].filter(Boolean);
  return `${name}: ${width} pixels, ${locale}${without.map((what) => `, without ${what}`).join("")}`;
}

function fileOf(title: string, way: Way): string {
  return path.join(FOLDER, `${title.replace(" ", "-")}-${way.name}.png`);
}

function notReached(error: unknown): Finding[] {
  return [{ check: "status", words: `not reached: ${String(error).slice(0, 300)}` }];
}

function countsOf(findings: Finding[]): Row {
  return Object.fromEntries(CHECKS.map((check) => [check, findings.filter((each) => each.check === check).length]));
}
