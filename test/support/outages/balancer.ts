import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A load balancer: passes requests unchanged to the instances in turn, to the one chosen with `sendTo`, or to the one in the
 * request's `x-instance`.
 */
export async function startBalancer() {
  const ports: number[] = [];
  let chosen: number | undefined;
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const named = incoming.headers["x-instance"] ?? chosen;
    const port = ports[named === undefined ? turn++ % ports.length : Number(named)];
    const { method, url, rawHeaders: headers } = incoming;
    const passed = send({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    ports,
    /** Sends all requests to this instance; without an index to each in turn. */
    sendTo(index?: number) {
      chosen = index;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
