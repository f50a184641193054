import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { samespot } from "../../bench/support/programs.ts";
import type { Scratch } from "../../bench/support/scratch.ts";
import { loggedInState } from "../support/browser.ts";
import { freeAddresses, spawnSamespot } from "../support/samespot.ts";

const ADMIN = { handle: "admin", password: "a password of some length" };

/** Has no data, and is a member with another account than the user. */
const OTHER = { handle: "other", password: "another password of some length" };
/** Is logged in at the directory only. */
const STRANGER = { handle: "stranger", password: "one more password of some length" };

export type Role = "guest" | "user" | "other" | "stranger" | "admin";
type State = Awaited<ReturnType<typeof loggedInState>>;

/** A Samespot with the sample, a reviewed file of the demo account, and a draft. */
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
}

export async function withSite(scratch: Scratch, browser: Browser, work: (site: Site) => Promise<void>): Promise<void> {
  for (const { handle, password } of [ADMIN, OTHER, STRANGER])
    await samespot(scratch, ["user", "add", "--handle", handle, "--password-stdin"], password);
  const addresses = await freeAddresses();
  const settings = {
    ADMINS: ADMIN.handle,
    OPERATORS: ADMIN.handle,
    SIGN_UP: "on",
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
  };
  const env = { ...addresses, ...settings, DATABASE_URL: scratch.url, SAMPLE_DATA: "on" };
  const running = await spawnSamespot({ env, dataDir: path.join(scratch.folder, "data") });
  try {
    const { APP_URL: app, AUTH_URL: auth, BASE_URL: api } = addresses;
    const states = {
      guest: undefined,
      user: await loggedInState(browser, app, running.demo),
      other: await loggedInState(browser, app, OTHER),
      stranger: await stateAtDirectory(browser, auth),
      admin: await loggedInState(browser, app, ADMIN),
    };
    const context = await browser.newContext({ storageState: states.user });
    const page = await context.newPage();
    const draft = await uploadExample(page, app);
    const file = await reviewExample(page, app);
    const venue = await findVenue(page, app);
    await page.goto(`${app}/checkins`);
    await page.getByText("newest first").waitFor(); // copied
    const checkin = (await page.locator(".timeline-change a").first().getAttribute("href")) ?? "";
    await context.close();
    await work({ ...{ app, auth, api, states, file, draft, venue, checkin } });
  } finally {
    await running.kill("SIGTERM");
  }
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
  await page.getByRole("button", { name: "Try it with our example" }).click();
  await page.getByRole("button", { name: "Start" }).waitFor();
  return new URL(page.url()).pathname;
}

async function reviewExample(page: Page, app: string): Promise<string> {
  const file = await uploadExample(page, app);
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("link", { name: /^Review \d+ listings/ }).click();
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
