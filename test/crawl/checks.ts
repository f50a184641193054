import type { Page } from "playwright-core";
import { accessibilityFindings, loadAxe } from "../support/browser.ts";
import { STOPS } from "./stops.ts";

/**
 * What is checked of a page in a state. `status`, `console` and `outside` are seen while it loads; the last four while Tab is pressed
 * until the focus has come round.
 */
export const CHECKS = ["status", "axe", "console", "outside", "overflow", "name", "covered", "focus", "tab"] as const;
export type Check = (typeof CHECKS)[number];

export interface Finding {
  check: Check;
  words: string;
}

/** Elements that reach beyond the window, the innermost only. Wide tables scroll in boxes of their own. */
const OVERFLOW = `(() => {
  const root = document.documentElement;
  if (root.scrollWidth <= innerWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((each) => each.getBoundingClientRect().right > innerWidth + 1);
  const inner = wide.filter((each) => !wide.some((other) => other !== each && each.contains(other)));
  return [root.scrollWidth + " of " + innerWidth + " pixels: " + inner.slice(0, 3).map((each) => each.outerHTML.slice(0, 120)).join(" ")];
})()`;

/**
 * @param problems of watchProblems(), since the page was opened
 * @param hasScript without it the rules of axe are left out
 */
export async function findingsOf(page: Page, problems: readonly string[], hasScript = true): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (check: Check, all: string[]) => findings.push(...all.map((words) => ({ check, words })));
  findings.push(...(await overflowOf(page)));
  if (hasScript) add("axe", await inWholeHeight(page, () => accessibilityFindings(page, ["best-practice"])));
  else await loadAxe(page);
  findings.push(...(await pressTab(page)));
  for (const words of problems) add(words.startsWith("request to another machine") ? "outside" : "console", [words]);
  return findings;
}

/** What a bar at the edge of the window covers can be scrolled out; Tab shows whether it covers what has the focus. */
async function inWholeHeight<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const window = page.viewportSize();
  if (!window) return work();
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.setViewportSize({ ...window, height: Math.max(window.height, height) });
  const result = await work();
  await page.setViewportSize(window);
  return result;
}

/** Only this depends on every width: the other checks see the same at the widest and the narrowest. */
export async function overflowOf(page: Page): Promise<Finding[]> {
  const wide = await page.evaluate<string[]>(OVERFLOW);
  return wide.map((words) => ({ check: "overflow", words }));
}

const MOST_PRESSES = 1000;

/** Presses Tab until the focus comes round. */
async function pressTab(page: Page): Promise<Finding[]> {
  await page.evaluate(STOPS);
  const findings: Finding[] = [];
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate<{ isOver: boolean; findings: Finding[] }>("stops.next()");
    findings.push(...stop.findings);
    if (stop.isOver) break;
  }
  return [...findings, ...(await page.evaluate<Finding[]>("stops.end()"))];
}
