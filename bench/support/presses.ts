import { setTimeout as after } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { SLOWER } from "./page-weight.ts";
import { type Row, say, type Tables } from "./report.ts";

interface Site {
  app: string;
  file: string;
}

/** A person looks at a card before deciding, while the next one is fetched. */
const LOOKS_MS = 1500;
const BETWEEN_MS = 150;

/** What a person does on a page; the first is the floor, by the browser itself. */
const DEEDS: [what: string, address: (site: Site) => string, act: (page: Page, most: number) => Promise<void>][] = [
  ["typing in an empty page", () => "data:text/html,<textarea autofocus></textarea>", (page) => type(page, "textarea")],
  ["typing in the search", ({ app }) => `${app}/venues`, (page) => type(page, "main [type=search]")],
  [
    "opening menus of the results",
    ({ file }) => file,
    (page, most) => click(page, "main details.menu > summary", most),
  ],
  [
    "ticking rows of the results",
    ({ file }) => file,
    (page, most) => click(page, ".listing-table [type=checkbox]", most),
  ],
  ["deciding in the review", ({ file }) => `${file}/review`, decide],
];

/** Returns how long presses take to be painted, with a processor as slow as in measure(), and decisions to show the next card. */
export async function measurePresses(
  browser: Browser,
  site: Site,
  { state, most }: { state: NonNullable<BrowserContextOptions["storageState"]>; most: number },
): Promise<Tables> {
  const presses: Row[] = [];
  const decisions: Row[] = [];
  for (const [what, address, act] of DEEDS) {
    say(what);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, storageState: state });
    const page = await context.newPage();
    await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.addInitScript(OBSERVE);
    await page.goto(address(site), { waitUntil: "networkidle" });
    await act(page, most);
    await after(LOOKS_MS);
    // A decision without a card fetched ahead goes to the next page.
    await page.waitForLoadState("networkidle");
    const { pressed, shown } = await page.evaluate<{ pressed: number[]; shown: number[] }>("observed()");
    presses.push({ what, presses: pressed.length, ...spread(pressed) });
    if (shown.length > 0) decisions.push({ what: "key to next card", decisions: shown.length, ...spread(shown) });
    await context.close();
  }
  return {
    "Press to next paint, processor four times slower": presses,
    "Review, processor four times slower": decisions,
  };
}

async function type(page: Page, field: string): Promise<void> {
  await page.locator(field).first().click();
  await page.keyboard.type("coffee exchange", { delay: BETWEEN_MS });
}

async function click(page: Page, selector: string, most: number): Promise<void> {
  for (const each of (await page.locator(selector).all()).slice(0, most)) {
    await each.click();
    await after(BETWEEN_MS);
  }
}

async function decide(page: Page, most: number): Promise<void> {
  for (let nth = 0; nth < most; nth++) {
    await after(LOOKS_MS);
    await page.keyboard.press("Enter");
  }
}

function spread(all: number[]): Row {
  const sorted = all.toSorted((a, b) => a - b);
  return {
    "p50 ms": Math.round(sorted[sorted.length >> 1] ?? Number.NaN),
    "max ms": Math.round(sorted.at(-1) ?? Number.NaN),
  };
}

/** In a page: the longest event of each interaction, and the time from a key to another heading that is painted, also in the next page. */
const OBSERVE = `{
  const kept = (name) => JSON.parse(sessionStorage.getItem(name) ?? "[]");
  const keep = (name, value) => sessionStorage.setItem(name, JSON.stringify([...kept(name), value]));
  const now = () => performance.timeOrigin + performance.now();
  const pressed = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) pressed.set(interactionId, Math.max(pressed.get(interactionId) ?? 0, duration));
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  if (location.protocol === "http:") {
    const heading = () => document.querySelector("h1")?.textContent;
    let before;
    const see = () => {
      if (heading() === undefined || heading() === before) return;
      before = heading();
      requestAnimationFrame(() => setTimeout(() => {
        const [from] = kept("bench-key");
        sessionStorage.removeItem("bench-key");
        if (from) keep("bench-shown", now() - from);
      }));
    };
    addEventListener("keydown", ({ key }) => key === "Enter" && (sessionStorage.removeItem("bench-key"), keep("bench-key", now())), { capture: true });
    addEventListener("DOMContentLoaded", () => {
      see();
      new MutationObserver(see).observe(document.querySelector("main") ?? document.body, { childList: true });
    });
    addEventListener("pagehide", () => pressed.forEach((duration) => keep("bench-pressed", duration)));
  }
  const isKept = location.protocol === "http:";
  window.observed = () => ({ pressed: [...(isKept ? kept("bench-pressed") : []), ...pressed.values()], shown: isKept ? kept("bench-shown") : [] });
}`;
