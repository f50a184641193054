import { setTimeout as after } from "node:timers/promises";
import type { HttpClient } from "../../test/support/http-client.ts";
import type { Row } from "./report.ts";

/** Responses with their milliseconds. */
export type Polls = { status: number; ms: number }[];

const EVERY_MS = 200;

export async function tries(browser: HttpClient, path: string, count: number): Promise<Polls> {
  const polls: Polls = [];
  while (polls.length < count) polls.push(await ask(browser, path));
  return polls;
}

/** Requests a page repeatedly during the work. */
export async function pollWhile(browser: HttpClient, path: string, work: () => Promise<unknown>): Promise<Polls> {
  const polls: Polls = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    polls.push(await ask(browser, path));
    await after(EVERY_MS);
  }
  await working;
  return polls;
}

/** Starts two visitors who visit these pages in turn, until the returned function is called. */
export function walk(browser: HttpClient, paths: string[]): () => Promise<Polls> {
  const polls: Polls = [];
  let isOver = false;
  const visitors = [0, 1].map(async (visitor) => {
    for (let at = visitor * 5; !isOver; at++) {
      polls.push(await ask(browser, paths[at % paths.length] ?? ""));
      await after(EVERY_MS / 2);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(visitors);
    return polls;
  };
}

/** Makes a row of a table. `seconds` is the duration of the whole step. */
export function times(what: string, polls: Polls, seconds?: number): Row {
  const sorted = polls.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return {
    what,
    seconds: seconds === undefined ? "" : Number(seconds.toFixed(1)),
    asked: polls.length,
    "with 503": polls.filter(({ status }) => status === 503).length,
    "other errors": polls.filter(({ status }) => status >= 400 && status !== 503).length,
    ...{ "p50 ms": at(0.5), "p99 ms": at(0.99), "max ms": at(1) },
  };
}

async function ask(browser: HttpClient, path: string) {
  const begun = performance.now();
  const { status } = await browser.get(path).catch(() => ({ status: 599 }));
  return { status, ms: performance.now() - begun };
}
