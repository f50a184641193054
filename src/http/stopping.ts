import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Server as SecureServer } from "node:tls";
import type { FastifyInstance } from "fastify";
import { unavailable } from "../shared/errors.ts";
import { countRefusal } from "./metrics.ts";

/** Milliseconds for requests in flight on close. */
const IN_FLIGHT_MS = 4000;
/** Milliseconds, on close, for the first request of a connection. Browsers open spare ones, on which often none comes. */
const FIRST_REQUEST_MS = 500;

/** Without `stopping`, clients learn only from the close that they must go elsewhere. */
export function stopGracefully(app: FastifyInstance, stopping: AbortSignal | undefined): void {
  if (stopping) endConnections(app, stopping);
  refuseLateRequests(app);
  dropConnectionsOnClose(app);
}

/** Once `stopping` is aborted, every answer says `Connection: close`, so that clients and proxies connect anew, elsewhere. */
function endConnections(app: FastifyInstance, stopping: AbortSignal): void {
  const open = new Set<ServerResponse>();
  app.server.prependListener("request", (_request: IncomingMessage, response: ServerResponse) => {
    if (stopping.aborted) return response.setHeader("connection", "close");
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  stopping.addEventListener("abort", () => {
    for (const response of open) if (!response.headersSent) response.setHeader("connection", "close");
  });
}

/** Answers 503 to requests that arrive after the close has begun, on connections that are still open. */
function refuseLateRequests(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onRequest", async ({ routeOptions }) => {
    if (!isClosing || routeOptions.config.cost === "nothing") return;
    countRefusal("stopping");
    throw unavailable("This server is being restarted. Please try again in a moment.", 2);
  });
}

/** `close()` alone would wait 72 s for busy keep-alive connections, and forever for a slow upload. */
function dropConnectionsOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on(app.server instanceof SecureServer ? "secureConnection" : "connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  // To Node, a connection without any request is not idle.
  const dropUnused = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  app.addHook("preClose", async () => {
    if (!app.server.listening) return; // its port was taken: there will be no "close" event
    const sweep = setInterval(() => setImmediate(() => app.server.closeIdleConnections()), 50);
    const unused = setTimeout(dropUnused, FIRST_REQUEST_MS);
    const cut = setTimeout(() => app.server.closeAllConnections(), IN_FLIGHT_MS);
    app.server.once("close", () => {
      clearInterval(sweep);
      for (const timer of [unused, cut]) clearTimeout(timer);
    });
    // A whole turn of the event loop, to read the requests that arrived while the process was busy: unread, the close would reset them.
    await nextTurn();
    await nextTurn();
  });
}
