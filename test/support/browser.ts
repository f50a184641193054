import { execFile } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

const require = createRequire(import.meta.url);
const PROJECT = path.resolve(import.meta.dirname, "../..");

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Resolves no other host, not even for a redirect or a prefetch.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
];

let shared: Promise<Browser> | undefined;

/**
 * Launches the Chromium from npm (x64 Linux only), or that of CHROME_BIN. Close it after the tests. The test files of a worker
 * share one, for which `close` ends only the profiles.
 */
export async function launchBrowser(): Promise<Browser> {
  if (!process.env.VITEST_WORKER_ID) return launch();
  if (!(await shared?.catch(() => undefined))?.isConnected()) shared = launch().then(closingProfiles);
  return shared as Promise<Browser>;
}

function closingProfiles(browser: Browser): Browser {
  const close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())));
  return Object.assign(browser, { close });
}

async function launch(): Promise<Browser> {
  const given = process.env.CHROME_BIN;
  if (given) return chromium.launch({ executablePath: given, args: FLAGS });
  const dir = await unpackedChromium();
  const libraries = [path.join(dir, "al2023/lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  const start = () =>
    chromium.launch({
      executablePath: path.join(dir, "chromium"),
      args: FLAGS,
      env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: path.join(dir, "fonts") },
    });
  // Under load this Chromium crashes at its start about once in a hundred times.
  return start().catch(start).catch(start);
}

/** Unpacks the browser once per user of the machine. Of concurrent callers the first to finish keeps its folder. */
async function unpackedChromium(): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("Set CHROME_BIN to the path of a Chrome or Chromium: npm carries one for x64 Linux only.");
  const manifest = path.resolve(path.dirname(require.resolve("@sparticuz/chromium")), "../../package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const uid = os.userInfo().uid;
  const dir = path.join(os.tmpdir(), `samespot-chromium-${version}-${uid}`);
  if (!existsSync(path.join(dir, "chromium"))) {
    const draft = mkdtempSync(path.join(os.tmpdir(), "samespot-chromium-"));
    await unpackInto(draft);
    try {
      renameSync(draft, dir);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(path.join(dir, "chromium"))) throw error;
    }
  }
  const { uid: owner, mode } = lstatSync(dir);
  if (owner !== uid || mode & 0o022) throw new Error(`${dir} can be written by another user: remove it.`);
  return dir;
}

/** Uses a child process, because the package reads target (TMPDIR) and platform (AWS_EXECUTION_ENV) from the environment. */
async function unpackInto(dir: string): Promise<void> {
  const script = 'const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath();';
  const env = { ...process.env, TMPDIR: dir, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" };
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { cwd: PROJECT, env });
  writeFileSync(path.join(dir, "fonts/fonts.conf"), FONTS);
}

// The package's own file names another folder; without a font Chromium crashes at the first form field.
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/** A page that records its problems. */
export type WatchedPage = Page & { readonly problems: string[] };

/** Only ends what hangs: a shared machine may be several times slower than a developer's. */
const PATIENCE_MS = 60_000;

interface PageOptions {
  /** In CSS pixels. */
  width?: number;
  colorScheme?: "light" | "dark";
  javaScript?: boolean;
  /** Such as America/New_York. */
  timeZone?: string;
}

/**
 * Opens a page in a new profile. Call it inside a test: it closes after the test, which fails if `page.problems` has an error of
 * a script or the console, a violation of the Content-Security-Policy, a failed resource, or a request to another machine. The
 * test itself checks the page's status.
 */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 900 },
    colorScheme: options.colorScheme ?? "light",
    javaScriptEnabled: options.javaScript ?? true,
    ...(options.timeZone ? { timezoneId: options.timeZone } : {}),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const problems = watchProblems(context);
  onTestFinished(async () => {
    await context.close();
    expect(problems, "problems on the page").toEqual([]);
  });
  return Object.assign(await context.newPage(), { problems });
}

/** Returns the list to which the problems of its pages will be added. */
export function watchProblems(context: BrowserContext): string[] {
  const problems: string[] = [];
  // "resource" below reports failed resources, except pages themselves.
  context.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => problems.push(`page error: ${error.error().message}`));
  context.on("request", (request) => {
    if (leavesTheMachine(request.url())) problems.push(`request to another machine: ${new URL(request.url()).origin}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400 && !response.request().isNavigationRequest())
      problems.push(`resource: ${response.status()} for ${new URL(response.url()).pathname}`);
  });
  return problems;
}

/** Logs in through the web app in a new profile; returns its cookies for other profiles. */
export async function loggedInState(
  browser: Browser,
  app: string,
  { handle, password }: { handle: string; password: string },
) {
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${app}/login`);
  await page.locator("[name=handle]").fill(handle);
  await page.locator("[name=password]").fill(password);
  await page.locator("main form button").last().click();
  await page.locator("button[name=decision][value=allow]").click();
  await page.waitForURL(`${app}/**`);
  const state = await context.storageState();
  await context.close();
  return state;
}

function leavesTheMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return /^(https?|wss?):$/.test(protocol) && !/^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; html: string; failureSummary?: string }[];
}

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Resolves when no color is changing any more. */
const SETTLED = settled("document.getAnimations().filter((each) => each instanceof CSSTransition)");

/** A page that is not being painted may never finish what it has begun. */
function settled(animations: string): string {
  const late = "new Promise((resolve) => setTimeout(resolve, 3000))";
  return `Promise.race([Promise.allSettled(${animations}.map(({ finished }) => finished)), ${late}]).then(() => undefined)`;
}

/** Checks the page against WCAG 2.2 A and AA with axe, which needs script. Throws with rule, element and remedy of each finding. */
export async function expectAccessible(page: Page): Promise<void> {
  const findings = await accessibilityFindings(page);
  if (findings.length > 0)
    throw new Error(`${new URL(page.url()).pathname} is not accessible:\n${findings.join("\n")}`);
}

/** Loads axe once per page. Without script in the page its functions work, but its promises never settle. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${AXE}; undefined`);
}

/** Returns rule, element and remedy of each finding of axe, which stays loaded. `more`: further tags of rules. */
export async function accessibilityFindings(page: Page, more: readonly string[] = []): Promise<string[]> {
  await loadAxe(page);
  await page.evaluate(SETTLED);
  const rules = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", ...more];
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ["violations"] })`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n  ${node.html}\n  ${node.failureSummary?.replaceAll("\n", "\n  ") ?? ""}`),
  );
}

/** Saves the whole page as `<name>.png` in the folder SCREENSHOTS, if set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true, caret: "initial" });
}

/** Opens the menu of the account, in which are the settings and the log-out. */
export async function openAccount(page: Page): Promise<void> {
  if ((await page.locator("details.site-user[open]").count()) === 0) await page.locator(".site-user > summary").click();
}

/** Expects the page to be accessible and no wider than the window: wide in light colours, narrow in dark ones. */
export async function expectPresentable(
  page: Page,
  name: string,
  also: (width: number) => Promise<void> = async () => {},
): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await also(width);
    await expectPresentableNow(page, `${name}-${width}-${colorScheme}`);
  }
}

/** The same for the page as it is. */
export async function expectPresentableNow(page: Page, name: string): Promise<void> {
  // The contrast is undefined while colours change.
  await page.evaluate(settled("document.getAnimations()"));
  await expectAccessible(page);
  await expectFits(page, name);
}

/** What can be checked of a page without script. */
export async function expectFits(page: Page, name: string): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${name} fits`).toBe(true);
  await screenshot(page, name);
}

/** Returns the look at a step of a walk, which is walked once with script and once without. */
export const lookAt = (page: Page, walk: string, javaScript: boolean) => (step: string) =>
  javaScript ? expectPresentable(page, `${walk}-${step}`) : expectFits(page, `${walk}-${step}-plain`);
