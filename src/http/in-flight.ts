import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { t } from "../language/translate.ts";
import { unavailable } from "../shared/errors.ts";
import { countRefusal } from "./metrics.ts";
import { clientNetwork } from "./network.ts";
import { cameByProxy, isLoopbackAddress } from "./transport.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    cost?: Cost;
  }
}

/** How many requests of a kind may be in flight on a listener. A slow or expensive kind does not block the others. */
const PLACES = {
  nothing: Number.POSITIVE_INFINITY,
  file: 100,
  /** A page or API call: some milliseconds, mostly of the database. */
  usual: 40,
  /** Checks a password: 0.1 s of a processor. */
  password: 10,
  batch: 40,
  transfer: 40,
  stream: 400,
};
type Cost = keyof typeof PLACES;

/** Fraction of the places of a kind that one network may take. */
const SHARE = 0.5;
const RETRY_AFTER_SECONDS = 2;
const QUIET_MS = 60_000;

export type Busy = (request: FastifyRequest) => { headers: Record<string, string>; body: string };

interface Refusal {
  busy: (app: FastifyInstance) => Promise<Busy>;
  headers: (request: FastifyRequest) => Record<string, string>;
}

export const tooBusy = () =>
  unavailable(t("The server is busy at the moment. Please try again shortly."), RETRY_AFTER_SECONDS);

/**
 * Refuses with 503 the requests beyond PLACES (attacks F19). Calls from this machine, such as the web app's to its directory,
 * have their own places, unless they come through a proxy. A request gives up its place while its body arrives, so slow senders
 * block nobody (attacks F20). Refusals must be cheap, so register this before all other hooks.
 *
 * @returns whether a request was refused
 */
export function limitInFlight(app: FastifyInstance, refusal: Refusal): (request: FastifyRequest) => boolean {
  const refused = new WeakSet<FastifyRequest>();
  const kinds = new Map<Cost, Map<string, number>>();
  const releases = new WeakMap<FastifyRequest, () => void>();
  let busy: Busy = () => ({ headers: {}, body: "" });
  let quietUntil = 0;
  const inTurn = oneARound();
  app.addHook("onReady", async () => {
    busy = await refusal.busy(app);
  });

  function takePlace(request: FastifyRequest): boolean {
    const cost = request.routeOptions.config?.cost ?? "usual";
    const network = isThisMachine(request) ? THIS_MACHINE : clientNetwork(request);
    const taken = kinds.get(cost) ?? new Map<string, number>();
    kinds.set(cost, taken);
    if (!hasPlace(taken, network, PLACES[cost])) return false;
    taken.set(network, (taken.get(network) ?? 0) + 1);
    releases.set(request, () => {
      releases.delete(request);
      const left = (taken.get(network) ?? 1) - 1;
      if (left > 0) taken.set(network, left);
      else taken.delete(network);
    });
    return true;
  }

  function refuse(request: FastifyRequest, reply: FastifyReply): void {
    if (performance.now() > quietUntil) {
      quietUntil = performance.now() + QUIET_MS;
      request.log.warn({ route: request.routeOptions.url }, "requests are refused: too many are in flight");
    }
    refused.add(request);
    countRefusal("in_flight");
    const { headers, body } = busy(request);
    const about = { "content-length": String(Buffer.byteLength(body)), "retry-after": String(RETRY_AFTER_SECONDS) };
    reply.hijack();
    // The rest of the body is not read, so the connection cannot be used again.
    const end = hasBody(request) ? { connection: "close" } : {};
    reply.raw.writeHead(503, { ...refusal.headers(request), ...headers, ...about, ...end });
    reply.raw.end(request.method === "HEAD" ? undefined : body);
  }

  app.addHook("onRequest", (request, reply, done) => {
    if (!takePlace(request)) return refuse(request, reply);
    reply.raw.once("close", () => releases.get(request)?.());
    inTurn(request, reply, done);
  });
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    if (hasBody(request)) releases.get(request)?.();
    done();
  });
  // Not earlier: preValidation may read the parts of a form.
  app.addHook("preHandler", (request, reply, done) => {
    if (!hasBody(request) || reply.raw.closed) done();
    else if (takePlace(request)) inTurn(request, reply, done);
    else refuse(request, reply);
  });
  return (request) => refused.has(request);
}

/**
 * Begins one request per round of the event loop. Otherwise those that arrived together would be answered one by one before the next
 * is counted, so that none whose work is in one piece is ever refused, and Node accepts one connection per round: each round must be
 * short, so that a health check gets its turn. Those whose client has gone are not begun.
 */
function oneARound() {
  const waiting: { reply: FastifyReply; begin: () => void }[] = [];
  const next = () => {
    let first = waiting.shift();
    while (first?.reply.raw.closed) first = waiting.shift();
    if (waiting.length > 0) setImmediate(next);
    first?.begin();
  };
  return ({ routeOptions }: FastifyRequest, reply: FastifyReply, begin: () => void): void => {
    if (routeOptions.config?.cost === "nothing") begin();
    else if (waiting.push({ reply, begin }) === 1) setImmediate(next);
  };
}

export function setCost(scope: FastifyInstance, cost: Cost): void {
  scope.addHook("onRoute", (route) => {
    route.config = { cost, ...route.config };
  });
}

function hasPlace(taken: Map<string, number>, network: string, places: number): boolean {
  const own = taken.get(network) ?? 0;
  if (network === THIS_MACHINE) return own < places;
  let all = 0;
  for (const [other, count] of taken) if (other !== THIS_MACHINE) all += count;
  return own < places * SHARE && all < places;
}

const THIS_MACHINE = "this machine";

/** Whether a program on this machine sent the request itself. A local proxy forwards requests of strangers. */
const isThisMachine = (request: FastifyRequest): boolean =>
  isLoopbackAddress(request.socket.remoteAddress ?? "") && !cameByProxy(request);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
