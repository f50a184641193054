import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** Longer than a test leaves a connection idle, because a request that meets its close fails. */
const KEEP_ALIVE_MS = 300_000;

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
    const { method, url } = incoming;
    const isBodiless = !incoming.headers["content-length"] && !incoming.headers["transfer-encoding"];
    // Node would announce a body of unknown length.
    const headers = [
      ...passedOn(incoming.rawHeaders),
      ...(isBodiless && method !== "GET" ? ["content-length", "0"] : []),
    ];
    const passed = send({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.rawHeaders));
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
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

/** Without what an instance says of its own connection (RFC 9110 section 7.6.1): how long the client may keep ours is not its to say. */
const passedOn = (headers: string[]): string[] =>
  headers.filter((_, at) => !/^(connection|keep-alive)$/i.test(headers[at - (at % 2)] ?? ""));
