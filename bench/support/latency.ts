import { Agent, get } from "node:http";
import { lasting } from "./lasting.ts";

export interface Latency {
  /** In milliseconds. */
  p50: number;
  p99: number;
  perSecond: number;
}

const WARM_UP_MS = 2000;

interface Options {
  /** Concurrent requests. */
  connections: number;
  /** Gets each response body. */
  check?: (body: string, index: number) => void;
}

/** Requests every address once, over kept-alive connections after a warm-up. Throws at the first status other than 200. */
export async function measureLatency(urls: string[], { connections, check = () => {} }: Options): Promise<Latency> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const call = async (index: number) => {
    const body = await ask(urls[index] ?? "", agent);
    return () => check(body, index);
  };
  return measureCalls(urls.length, call, connections).finally(() => agent.destroy());
}

/**
 * Calls `call` once for every index below `count`, and again from the first until `leastMs` are over, after two seconds of
 * warm-up, which doubles the speed of a new server. What a call returns runs with the clock stopped, and not during the warm-up.
 */
export async function measureCalls(
  count: number,
  call: (index: number) => Promise<() => void>,
  connections: number,
  leastMs = 0,
): Promise<Latency> {
  const atOnce = (work: () => Promise<void>) => Promise.all(Array.from({ length: connections }, work));
  const warm = performance.now() + lasting(WARM_UP_MS);
  let warmedUp = 0;
  await atOnce(async () => {
    while (performance.now() < warm) await call(warmedUp++ % count);
  });
  const times: number[] = [];
  let next = 0;
  const begun = performance.now();
  await atOnce(async () => {
    for (let index = next++; index < count || performance.now() < begun + leastMs; index = next++) {
      const sent = performance.now();
      const afterwards = await call(index % count);
      times.push(performance.now() - sent);
      afterwards();
    }
  });
  const seconds = (performance.now() - begun) / 1000;
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), perSecond: times.length / seconds };
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Costs a small part of what fetch does, so that the client affects the result less. */
export function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`A search returned ${response.statusCode}: ${body.slice(0, 200)}`));
      });
    });
    request.on("error", reject);
  });
}
