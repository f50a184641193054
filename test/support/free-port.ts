import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Finds a free port below those for outgoing connections, which might take it meanwhile. fetch blocks 10080 ("bad port"). */
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
