import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { unavailable } from "../shared/errors.ts";
import { clientNetwork } from "./network.ts";
import { cameByProxy, isLoopbackAddress } from "./transport.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a request costs; "usual" where this is not given. */
    cost?: Cost;
  }
}

/**
 * What requests cost, and how many of a kind may be in flight on a listener. Each kind has places of its own, so that what is
 * expensive or slow does not keep out what is cheap.
 */
const PLACES = {
  /** Health checks: never refused. */
  nothing: Number.POSITIVE_INFINITY,
  /** Files, as they are. */
  file: 100,
  /** A page, or a call of the API: some milliseconds, most of them the database's. */
  usual: 40,
  /** Checks a password, which takes a processor a tenth of a second. */
  password: 10,
  /** Matches up to hundreds of listings. */
  batch: 40,
  /** Lasts as long as the client needs: uploads and downloads of any length. */
  transfer: 40,
  /** Stays open: progress as it happens. */
  stream: 400,
};
type Cost = keyof typeof PLACES;

/** What one network may have of the places of a kind. */
const SHARE = 0.5;
const RETRY_AFTER_SECONDS = 2;
const QUIET_MS = 60_000;

/** The refusal of a request, in the format of its listener. */
export type Busy = (request: FastifyRequest) => { headers: Record<string, string>; body: string };

interface Refusal {
  /** Makes the refusals, once the listener is ready. */
  busy: (app: FastifyInstance) => Promise<Busy>;
  /** Of an answer that no other hook has seen. */
  headers: (request: FastifyRequest) => Record<string, string>;
}

export const tooBusy = () =>
  unavailable("Too much is going on here just now. Please try again in a moment.", RETRY_AFTER_SECONDS);

/**
 * Answers no more requests at once than can be answered soon, and the others 503 at once (attacks F19). One network has half of
 * the places, so that it cannot keep out all others. This machine's own calls, such as the web app's to the directory beside
 * it, have places that nobody else can take, unless they come through a proxy.
 *
 * A request has its place from its head on until it is answered or its connection closed, but not while its body is on its
 * way: a client that sends slowly holds up nobody (attacks F20). A refusal costs as little as can be: without it being cheap
 * those who are refused would keep the processor from those who are answered. So register it before all other hooks.
 *
 * @returns whether a request was refused
 */
export function limitInFlight(app: FastifyInstance, refusal: Refusal): (request: FastifyRequest) => boolean {
  const refused = new WeakSet<FastifyRequest>();
  const kinds = new Map<Cost, Map<string, number>>();
  const releases = new WeakMap<FastifyRequest, () => void>();
  let busy: Busy = () => ({ headers: {}, body: "" });
  let quietUntil = 0;
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
    const { headers, body } = busy(request);
    const about = { "content-length": String(Buffer.byteLength(body)), "retry-after": String(RETRY_AFTER_SECONDS) };
    reply.hijack();
    // What is left of a body is not read, so nothing else can come on this connection.
    const end = hasBody(request) ? { connection: "close" } : {};
    reply.raw.writeHead(503, { ...refusal.headers(request), ...headers, ...about, ...end });
    reply.raw.end(request.method === "HEAD" ? undefined : body);
  }

  app.addHook("onRequest", (request, reply, done) => {
    if (!takePlace(request)) return refuse(request, reply);
    reply.raw.once("close", () => releases.get(request)?.());
    done();
  });
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    if (hasBody(request)) releases.get(request)?.();
    done();
  });
  // Not before: the parts of a form may be read in preValidation.
  app.addHook("preHandler", (request, reply, done) => {
    if (!hasBody(request) || reply.raw.closed || takePlace(request)) done();
    else refuse(request, reply);
  });
  return (request) => refused.has(request);
}

/** All routes of this scope that say nothing else cost this much. */
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

/** Whether a program of this machine sent it. A proxy here passes on what strangers ask, also where it names none of them. */
const isThisMachine = (request: FastifyRequest): boolean =>
  isLoopbackAddress(request.socket.remoteAddress ?? "") && !cameByProxy(request);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
