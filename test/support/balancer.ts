import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * One address in front of several instances, as a load balancer is: requests go to the next instance in turn, or all to
 * the one named with `sendTo`, or a request to the one that its own `x-instance` says. Host and everything else arrive as they were sent.
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
    /** Ports of the instances, in the order they were named. */
    ports,
    /** From here on to this instance only; without an index to each in turn. */
    sendTo(index?: number) {
      chosen = index;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
