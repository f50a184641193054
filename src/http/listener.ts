import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecure } from "node:https";
import type { Socket } from "node:net";
import { networkOf } from "./network.ts";

interface ListenerOptions {
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Whether clients come through proxies, which keep their connections for the next client. */
  isBehindProxy: boolean;
}

/** Milliseconds in which a client must have taken something of an answer that waits for it. */
const STALL_MS = 7000;
/** The same for downloads: a train may go through a tunnel. */
const DOWNLOAD_STALL_MS = 60_000;
/** Milliseconds without a request after which a connection is closed: proxies give up theirs after 60 s at most. */
const KEEP_ALIVE_MS = { proxy: 72_000, client: 8000 };
/**
 * Milliseconds in which a connection is not heard that was told to come back later. Hundreds that ask again at once would
 * keep the processor from those who are answered.
 */
const PAUSE_MS = 200;
/** Requests of one connection that may wait for their turn. */
const MOST_WAITING = 100;
/** Connections of one network: each costs some 50 KB with TLS, whatever it asks for. */
const MOST_CONNECTIONS = 500;

/**
 * Makes Node's server for a Fastify. A connection costs no more than one answer, and one whose client does not read is cut
 * (attacks C29, C30): what the system has not taken of an answer stays in this process's memory.
 */
export function createListener({ tls, isBehindProxy }: ListenerOptions) {
  return (answer: RequestListener): Server => {
    const options = {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 500,
      requestTimeout: 0, // bodies have times of their own: refuseSlowBodies
      keepAliveTimeout: isBehindProxy ? KEEP_ALIVE_MS.proxy : KEEP_ALIVE_MS.client,
    };
    const queues: Queues = new WeakMap();
    const inTurn = oneAfterAnother(answer, queues);
    const server = tls
      ? createSecure({ ...tls, ...options, handshakeTimeout: 10_000 }, inTurn)
      : createPlain(options, inTurn);
    if (!isBehindProxy) limitConnections(server);
    // Node counts time without progress in either direction. While an answer is made, and none of it waits, the time is ours.
    return server.setTimeout(STALL_MS, (socket: Socket) => {
      if (socket.writableLength > 0 || !queues.has(socket)) socket.destroy();
    });
  };
}

/** Closes what one network opens beyond its share, before the handshake. A proxy has the connections of all its clients. */
function limitConnections(server: Server): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    const count = open.get(network) ?? 0;
    if (count >= MOST_CONNECTIONS) return socket.destroy();
    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** From here on the client of this request may take its time for what it reads, until the answer has ended. */
export function expectDownload({ socket }: IncomingMessage): void {
  socket.setTimeout(DOWNLOAD_STALL_MS);
}

/** What waits on each connection for the end of the answer before; none on one that is idle. */
type Queues = WeakMap<Socket, [IncomingMessage, ServerResponse][]>;

/**
 * Hands on the requests of a connection one after another. Node hands on all that a client has sent at once, answers them side
 * by side, and keeps the answers until the first of them has been read. A client that sends more than MOST_WAITING ahead is
 * cut off: it may send those again that were not answered (RFC 9112 section 9.3.2).
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
