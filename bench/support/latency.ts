import { Agent, get } from "node:http";

export interface Latency {
  /** Milliseconds. */
  p50: number;
  p99: number;
  perSecond: number;
}

/**
 * Asks every address once, `connections` at a time over kept connections, after a tenth of them as a warm-up. `check`
 * gets each answer with the number of its address.
 *
 * @throws Error at the first answer that is not 200
 */
export async function measureLatency(
  urls: string[],
  { connections, check = () => {} }: { connections: number; check?: (body: string, index: number) => void },
): Promise<Latency> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < urls.length; index = next++) {
      const begun = performance.now();
      const body = await ask(urls[index] ?? "", agent);
      times.push(performance.now() - begun);
      check(body, index);
    }
  };
  const workers = () => Promise.all(Array.from({ length: connections }, worker));
  try {
    for (const url of urls.slice(0, Math.ceil(urls.length / 10))) await ask(url, agent);
    const begun = performance.now();
    await workers();
    const seconds = (performance.now() - begun) / 1000;
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), perSecond: urls.length / seconds };
  } finally {
    agent.destroy();
  }
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** A small part of what fetch costs, so that less of the client is measured. */
function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`A search was answered ${response.statusCode}: ${body.slice(0, 200)}`));
      });
    });
    request.on("error", reject);
  });
}
