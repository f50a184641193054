import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports for outgoing connections, which might take one meanwhile. */
const [FIRST, LAST] = [10_100, 30_000];

/** More than there are workers of one test run. Each has ports of its own, as a port is taken some time after it was found free. */
const WORKERS = 16;
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS;
const given = new Set<number>();

/** Finds a free port. fetch blocks 10080 ("bad port"). */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(Math.ceil(FIRST / WORKERS), LAST / WORKERS) * WORKERS + worker;
    if (given.has(port)) continue;
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (isFree) await once(server.close(), "close");
    given.add(port);
    if (isFree) return port;
  }
}
