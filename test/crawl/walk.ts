import type { Browser, BrowserContext, Page } from "playwright-core";
import { PAGES, type Shown } from "../screenshots/pages.ts";
import type { Site } from "../screenshots/site.ts";
import { STATES } from "../screenshots/states.ts";
import { watchProblems } from "../support/browser.ts";
import { type Finding, findingsOf } from "./checks.ts";

/** A way of looking at a page. At 200 % zoom a window of 1280 pixels has 640 CSS pixels. */
export interface Way {
  name: string;
  width: number;
  colorScheme: "light" | "dark";
  locale: "en" | "es";
  javaScriptEnabled: boolean;
  /** The directory cannot be reached by the web app: its pages show what they have, or say so. */
  withoutDirectory?: true;
}

export const WAYS: readonly Way[] = [
  { name: "wide", width: 1280, colorScheme: "light", locale: "en", javaScriptEnabled: true },
  { name: "phone", width: 390, colorScheme: "dark", locale: "es", javaScriptEnabled: true },
  { name: "zoom", width: 640, colorScheme: "light", locale: "es", javaScriptEnabled: true },
  { name: "bare", width: 1280, colorScheme: "dark", locale: "en", javaScriptEnabled: false },
  { name: "away", width: 390, colorScheme: "light", locale: "es", javaScriptEnabled: true, withoutDirectory: true },
];

/** The pages and states that are looked at in a way. */
export const pagesOf = ({ withoutDirectory }: Way): Shown[] =>
  [...PAGES, ...STATES].filter(({ host, steps }) => !withoutDirectory || (host === "app" && !steps));

/** Opens a page in a new profile, goes to the state, and returns what is wrong. `also` sees it before it closes. */
export async function look(
  browser: Browser,
  site: Site,
  shown: Shown,
  way: Way,
  also: (page: Page) => Promise<unknown> = async () => {},
): Promise<Finding[]> {
  const { width, name: _, withoutDirectory, ...options } = way;
  const state = site.states[shown.role];
  const context = await browser.newContext({
    ...{ viewport: { width, height: 900 }, ...options },
    ...(state && { storageState: state }),
  });
  context.setDefaultTimeout(20_000);
  if (withoutDirectory) site.directoryAway.begin();
  await shown.before?.(site);
  try {
    return await lookInside(context, site, shown, way, also);
  } finally {
    await context.close();
    await shown.after?.(site);
    site.directoryAway.end();
  }
}

async function lookInside(
  context: BrowserContext,
  site: Site,
  shown: Shown,
  way: Way,
  also: (page: Page) => Promise<unknown>,
): Promise<Finding[]> {
  const { locale, javaScriptEnabled } = way;
  const problems = watchProblems(context);
  const page = await context.newPage();
  let status = 0;
  page.on("response", (response) => {
    const isPage = response.request().isNavigationRequest() && response.frame() === page.mainFrame();
    if (isPage && (response.status() < 300 || response.status() >= 400)) status = response.status();
  });
  await page.goto(shown.address(site), { waitUntil: javaScriptEnabled ? "networkidle" : "load" });
  if (shown.steps) {
    await shown.steps(page, site);
    await page.waitForLoadState(javaScriptEnabled ? "networkidle" : "load");
  }
  const findings = await findingsOf(page, problems, javaScriptEnabled);
  const { status: usual = 200 } = shown;
  const expected = way.withoutDirectory ? [usual, 503] : [usual];
  if (!expected.includes(status)) findings.push({ check: "status", words: `${status} in place of ${expected}` });
  const language = await page.locator("html").getAttribute("lang");
  if (language !== locale && !shown.name.startsWith("docs"))
    findings.push({ check: "status", words: `the page is in ${language} in place of ${locale}` });
  await also(page);
  return findings;
}
