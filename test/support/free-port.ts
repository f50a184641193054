import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A port of this machine where nobody listens. Below those that the system gives to outgoing connections: of them one may be
 * taken again before it is listened on. fetch refuses 10080 (Fetch standard, "bad port").
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_100, 30_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (isFree) await once(server.close(), "close");
    if (isFree) return port;
  }
}
