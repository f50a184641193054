import { setTimeout as after } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import type { Row } from "./report.ts";

/** Slow 4G: 1.6 Mbit/s and 150 ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
export const SLOWER = 4;

/** Opens the address in a page of a new profile, on a slow line with a slow processor. Throws if the server fails. */
export async function measure(page: Page, address: string): Promise<Row> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Network.emulateNetworkConditions", LINE);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const loaded = await countLoads(devTools);
  await page.addInitScript(OBSERVE);
  const answer = await page.goto(address, { waitUntil: "networkidle" });
  if (answer && answer.status() >= 500) throw new Error(`${address} answers with ${answer.status()}.`);
  await after(500);
  const { paint, largest, shift } = await page.evaluate<{ paint: number; largest: number; shift: number }>(
    "measured()",
  );
  const { requests, bytes, ended } = loaded();
  return {
    requests,
    kB: Number((bytes / 1000).toFixed(1)),
    "first paint ms": Math.round(paint),
    "largest paint ms": Math.round(largest),
    "all loaded ms": Math.round(ended),
    "layout shift": Number(shift.toFixed(3)),
  };
}

/** Bytes are those on the line, with headers. */
export async function countLoads(devTools: CDPSession) {
  await devTools.send("Network.enable");
  let [requests, bytes, begun, ended] = [0, 0, Number.NaN, 0];
  const own = new Set<string>();
  devTools.on("Network.requestWillBeSent", ({ requestId, request, timestamp }) => {
    if (!request.url.startsWith("http")) return;
    begun = Number.isNaN(begun) ? timestamp : begun;
    own.add(requestId);
    requests += 1;
  });
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    if (!own.has(requestId)) return;
    bytes += encodedDataLength;
    ended = timestamp;
  });
  return () => ({ requests, bytes, ended: (ended - begun) * 1000 });
}

const OBSERVE = `{
  let [largest, shift] = [0, 0];
  new PerformanceObserver((list) => { for (const each of list.getEntries()) largest = each.startTime; })
    .observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) shift += each.value; })
    .observe({ type: "layout-shift", buffered: true });
  const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN;
  window.measured = () => ({ paint: paint(), largest, shift });
}`;
