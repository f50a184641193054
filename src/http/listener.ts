import { readFileSync } from "node:fs";
import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecure } from "node:https";
import type { Socket } from "node:net";
import type { Server as SecureServer } from "node:tls";
import type { Logger } from "./logger.ts";
import { countRefusal } from "./metrics.ts";
import { networkOf } from "./network.ts";

interface ListenerOptions {
  tls?: Tls | undefined;
  log: Pick<Logger, "info" | "warn">;
  /** Proxies keep their connections open for the next client. */
  isBehindProxy: boolean;
  /** Milliseconds between looks for a renewed certificate. */
  renewEveryMs?: number;
  /** Milliseconds without progress after which a response is cut. */
  stallMs?: number;
}

const STALL_MS = 7000;
/** The same for downloads: longer than a train's tunnel. */
const DOWNLOAD_STALL_MS = 60_000;
/** Milliseconds until an idle connection is closed. Proxies close theirs after at most 60 s. */
const KEEP_ALIVE_MS = { proxy: 72_000, client: 8000 };
/** Milliseconds before a connection's next request after a 503. Hundreds that retry at once would use up the processor. */
const PAUSE_MS = 200;
const MOST_WAITING = 100;
/** Connections per network. Each takes about 50 KB with TLS. */
const MOST_CONNECTIONS = 500;

/** Bounds the memory per connection: it holds one response, and is cut if its client does not read (attacks C29, C30). */
export function createListener(given: ListenerOptions) {
  const { tls, log, isBehindProxy, renewEveryMs: everyMs = 60_000, stallMs = STALL_MS } = given;
  return (answer: RequestListener): Server => {
    const options = {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 500,
      requestTimeout: 0, // bodies have times of their own: refuseSlowBodies
      keepAliveTimeout: isBehindProxy ? KEEP_ALIVE_MS.proxy : KEEP_ALIVE_MS.client,
    };
    const queues: Queues = new WeakMap();
    const inTurn = oneAfterAnother(answer, queues);
    const secure = tls && createSecure({ ...tls, ...options, handshakeTimeout: 10_000 }, inTurn);
    if (secure) renewTls(secure, tls, { log, everyMs });
    const server = secure ?? createPlain(options, inTurn);
    if (!isBehindProxy) limitConnections(server);
    // Node counts time without progress in either direction. It is not the client's while we make the response.
    return server.setTimeout(stallMs, (socket: Socket) => {
      if (socket.writableLength > 0 || !queues.has(socket)) socket.destroy();
    });
  };
}

/** Closes connections beyond a network's share before the handshake. */
function limitConnections(server: Server): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    const count = open.get(network) ?? 0;
    if (count >= MOST_CONNECTIONS) {
      countRefusal("connections");
      return socket.destroy();
    }
    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** Gives the client of this request more time to read, until the response ends. */
export function expectDownload({ socket }: IncomingMessage): void {
  socket.setTimeout(DOWNLOAD_STALL_MS);
}

type Queues = WeakMap<Socket, [IncomingMessage, ServerResponse][]>;

/**
 * Passes on the requests of a connection one at a time; Node would buffer all their responses. Closes a connection with more
 * than MOST_WAITING waiting: its client may repeat requests without a response (RFC 9112 section 9.3.2).
 */
function oneAfterAnother(answer: RequestListener, queues: Queues): RequestListener {
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const goOn = () => {
      const next = queues.get(socket)?.shift();
      if (!next) queues.delete(socket);
      else if (!socket.destroyed) begin(...next);
    };
    response.once("close", () => {
      if (response.statusCode === 503) setTimeout(goOn, PAUSE_MS);
      else goOn();
    });
    answer(request, response as Parameters<RequestListener>[1]);
  };
  return (request, response) => {
    const queue = queues.get(request.socket);
    if (!queue) {
      queues.set(request.socket, []);
      begin(request, response);
    } else if (queue.push([request, response]) > MOST_WAITING) request.socket.destroy();
  };
}

export interface Tls {
  cert: Buffer;
  key: Buffer;
  /** Where both come from, and their successors. */
  files: { cert: string; key: string };
}

/**
 * Uses a renewed certificate for new connections. Compares the content, because a link may lead to an older file, and a certificate may
 * come a moment before its key: a pair that cannot be used leaves the former in use.
 */
function renewTls(
  server: Pick<SecureServer, "setSecureContext" | "once">,
  { files, ...first }: Tls,
  { log, everyMs }: { log: Pick<Logger, "info" | "warn">; everyMs: number },
): void {
  let last = first;
  let said = "";
  const look = () => {
    try {
      const pair = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
      if (pair.cert.equals(last.cert) && pair.key.equals(last.key)) return;
      last = pair;
      server.setSecureContext(pair);
      said = "";
      log.info("TLS_CERT and TLS_KEY have changed; new connections use them");
    } catch (error) {
      const { message } = error as Error;
      if (message !== said)
        log.warn(`TLS_CERT and TLS_KEY have changed but cannot be used, so the former stay: ${message}`);
      said = message;
    }
  };
  const timer = setInterval(look, everyMs).unref();
  server.once("close", () => clearInterval(timer));
}
