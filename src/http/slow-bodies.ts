import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** Milliseconds, and bytes a second. */
interface Limits {
  /** In which the body of any request but an upload must have arrived. */
  body: number;
  /** For which an upload may bring nothing. */
  idle: number;
  /** What an upload must bring on average, once it has lasted twice as long as `idle`. */
  bytesPerSecond: number;
  /** In which an upload must have arrived. */
  upload: number;
}

/** How often an upload is looked at, in so many parts of `idle`. */
const LOOKS = 15;

/** What gives a request the time of an upload. */
const uploads = new WeakMap<IncomingMessage, () => void>();

/**
 * Keeps out clients that send a body slowly to hold a connection (attacks F20): Node's own `requestTimeout` is one time for
 * all requests, too short for a large file and too long for a form. Headers have Node's `headersTimeout`.
 */
export function refuseSlowBodies(app: FastifyInstance, limits: Limits): void {
  // In front of what answers requests: that may say at once that one is an upload.
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

/** From here on this request has the time of an upload: it must go on bringing bytes. */
export function expectUpload(request: IncomingMessage): void {
  uploads.get(request)?.();
}

/** Time in which bytes wait for us does not count: then it is we who are slow. */
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
