import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { randomId } from "../shared/crypto.ts";
import { withRequestId } from "../shared/request-id.ts";
import { cameByProxy, isLoopbackAddress } from "./transport.ts";

/** Everything that proxies make, and nothing that could break a log line or a page. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;

/** Takes X-Request-Id from proxies in TRUST_PROXY and from programs on this machine, such as our web app; else makes an id. */
export const requestId = (isTrusted: (address: string) => boolean) => (request: IncomingMessage) => {
  const given = request.headers["x-request-id"];
  const peer = request.socket.remoteAddress ?? "";
  const isNear = isTrusted(peer) || (isLoopbackAddress(peer) && !cameByProxy(request));
  return isNear && typeof given === "string" && WELL_FORMED.test(given) ? given : randomId();
};

/** Calls to the directory during a request carry its id. */
export function keepRequestId(app: FastifyInstance): void {
  app.addHook("onRequest", ({ id }, _reply, done) => withRequestId(id, done));
  // Reading a body loses the context.
  app.addHook("preHandler", ({ id }, _reply, done) => withRequestId(id, done));
}
