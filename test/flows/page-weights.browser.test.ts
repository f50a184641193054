import { afterAll, expect, test } from "vitest";
import { countLoads } from "../../bench/support/page-weight.ts";
import { PAGES } from "../../bench/weight.ts";
import { launchBrowser, loggedInState } from "../support/browser.ts";
import { startSamespot } from "../support/samespot.ts";

const site = await startSamespot();
const hosts = { app: site.webUrl, auth: site.authUrl, api: site.apiUrl, file: "" };
const browser = await launchBrowser();
afterAll(() => browser.close());
const state = await loggedInState(browser, hosts.app, site.demo);

/**
 * On a first visit; `npm run bench -- weight` has the figures, and how long they take. Pages with a map may load one file more: the
 * grid, where streets are late.
 */
const MOST: [page: string, requests: number, kilobytes: number][] = [
  ["home, guest", 4, 16],
  ["/docs", 4, 16],
  ["search with map", 11, 86],
  ["add a venue", 10, 86],
  ["harmonizations", 6, 22],
];

test.each(MOST)("%s loads at most %i files and %i kB", async (name, requests, kilobytes) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, storageState: state });
  const page = await context.newPage();
  const loaded = await countLoads(await context.newCDPSession(page));
  const answer = await page.goto(PAGES[name]?.(hosts) ?? "", { waitUntil: "networkidle" });
  expect(answer?.status()).toBe(200);
  const found = loaded();
  await context.close();
  expect(found.requests).toBeLessThanOrEqual(requests);
  expect(found.bytes / 1000).toBeLessThanOrEqual(kilobytes);
  expect(found.bytes / 1000).toBeGreaterThan(5);
});
