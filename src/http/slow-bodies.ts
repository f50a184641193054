import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

interface Limits {
  /** Milliseconds until a body must have arrived, except an upload's. */
  body: number;
  /** Milliseconds that an upload may pause. */
  idle: number;
  /** Average of an upload, checked once it has lasted twice as long as `idle`. */
  bytesPerSecond: number;
  upload: number;
}

/** Checks of an upload per `idle`. */
const LOOKS = 15;

const uploads = new WeakMap<IncomingMessage, () => void>();

/** Cuts slow senders (attacks F20). Node's `requestTimeout` is too short for a large file or too long for a form. */
export function refuseSlowBodies(app: FastifyInstance, limits: Limits): void {
  // Before the request handlers, which may call expectUpload() at once.
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request;
    if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
    const late = setTimeout(() => cut(request, response), limits.body);
    uploads.set(request, () => {
      clearTimeout(late);
      const timer = setInterval(watchUpload(request, response, limits), limits.idle / LOOKS);
      request.once("close", () => clearInterval(timer));
    });
    request.once("close", () => clearTimeout(late));
  });
}

export function expectUpload(request: IncomingMessage): void {
  uploads.get(request)?.();
}

/** Does not count time in which bytes wait for us to read them. */
function watchUpload(request: IncomingMessage, response: ServerResponse, limits: Limits): () => void {
  const { socket } = request;
  const begun = performance.now();
  const before = socket.bytesRead;
  const look = limits.idle / LOOKS;
  let [waited, quiet, seen] = [0, 0, before];
  return () => {
    if (request.complete || request.readableLength > 0) return;
    waited += look;
    quiet = socket.bytesRead > seen ? 0 : quiet + look;
    seen = socket.bytesRead;
    const isTooSlow = waited > limits.idle * 2 && (seen - before) / (waited / 1000) < limits.bytesPerSecond;
    if (quiet >= limits.idle || isTooSlow || performance.now() - begun > limits.upload) cut(request, response);
  };
}

function cut(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (request.complete) return;
  if (socket.writable && !response.headersSent)
    socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  socket.destroySoon();
}
