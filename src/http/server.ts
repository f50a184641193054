import helmet, { type FastifyHelmetOptions } from "@fastify/helmet";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { t } from "../language/translate.ts";
import { badRequest, KnownError, notFound } from "../shared/errors.ts";
import { assetBase } from "./files/assets.ts";
import { contentSecurityPolicy } from "./headers.ts";
import { ALIVE, readiness } from "./health.ts";
import { type Busy, limitInFlight } from "./in-flight.ts";
import { createListener, type Tls } from "./listener.ts";
import type { Logger } from "./logger.ts";
import { measureRequests } from "./metrics.ts";
import { parseFields } from "./parameters.ts";
import { keepRequestId, requestId } from "./request-id.ts";
import { stopGracefully } from "./stopping.ts";
import { refuseTwoHosts, requireHttps, trustedProxies } from "./transport.ts";
import { refuseSlowBodies } from "./uploads.ts";

interface ServerOptions {
  log: Logger;
  url: string;
  tls?: Tls | undefined;
  trustProxy?: string[] | undefined;
  ready: () => Promise<string[]>;
  /** Aborted when the process is about to end. */
  stopping?: AbortSignal | undefined;
  /** Further information of /readyz. */
  about?: () => object | Promise<object>;
  /** Ids of the client and the person, for the log. */
  caller?: (request: FastifyRequest) => Caller;
  csp?: Parameters<typeof contentSecurityPolicy>[0];
  /** Allows other origins to read responses, and ignores case and a slash at the end of paths. */
  isApi?: boolean;
  /** HEAD then works for all routes with GET, but those with `exposeHeadRoute: false`. Without it a GET may have effects. */
  answerHead?: boolean;
  busy: (app: FastifyInstance) => Promise<Busy>;
  onError: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown;
}

interface Caller {
  /** Id of an account of the web app. */
  account?: string | undefined;
  /** Id of a user of the directory. */
  user?: string | undefined;
  client?: string | undefined;
}

const BODIES = { body: 15_000, idle: 15_000, bytesPerSecond: 8 * 1024, upload: 50 * 60_000 };

/** Makes a listener with what both programs need. Its close waits for requests but not for idle connections. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const isTrusted = trustedProxies(options.trustProxy);
  const ownHeaders = {
    "content-security-policy": contentSecurityPolicy(options.csp),
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "cross-origin-resource-policy": options.isApi ? "cross-origin" : "same-origin",
    ...(options.url.startsWith("https:") ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
  const bareHeaders = ({ id }: FastifyRequest) => ({
    ...ownHeaders,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "x-request-id": id,
  });
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request" }),
    genReqId: requestId(isTrusted),
    trustProxy: isTrusted,
    return503OnClosing: false, // stopping.ts answers in our form
    exposeHeadRoutes: options.answerHead ?? false,
    bodyLimit: 64 * 1024,
    serverFactory: createListener({
      tls: options.tls,
      log: options.log,
      isBehindProxy: (options.trustProxy ?? []).length > 0,
    }),
    routerOptions: { maxParamLength: 16_384, querystringParser: parseFields, ...(options.isApi && LENIENT) },
    frameworkErrors: (_error, request, reply) => {
      reply.headers(bareHeaders(request as FastifyRequest)); // no hook has run
      options.onError(unreadableAddress(), request as FastifyRequest, reply as FastifyReply);
    },
    clientErrorHandler: (error, socket) => {
      const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    },
  });

  const wasRefused = limitInFlight(app, { busy: options.busy, headers: bareHeaders });
  // Forms need an Origin header, which no-referrer would remove; the API host has no forms.
  await app.register(helmet, { ...HEADERS, referrerPolicy: { policy: options.isApi ? "no-referrer" : "same-origin" } });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...ownHeaders, "x-request-id": request.id });
  });
  stopGracefully(app, options.stopping);
  keepRequestId(app);
  refuseSlowBodies(app, BODIES);
  refuseTwoHosts(app);
  requireHttps(app, options.url, isTrusted);
  logRequests(app, wasRefused, options.caller);
  measureRequests(app, new URL(options.url).host);
  app.setErrorHandler(options.onError);
  refuseUnknownRoutes(app);
  addHealthChecks(app, options);
  return app;
}

const LENIENT = { caseSensitive: false, ignoreTrailingSlash: true };

const HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  strictTransportSecurity: false,
  xFrameOptions: { action: "deny" },
  // For browsers too old for our pages. Every file would carry them.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

const isAsset = (route: string) => route.includes(assetBase) || route.includes("/basemap/");

const unreadableAddress = () => badRequest(t("The address of this request cannot be read."));

/** Throws 404, or 405 if the path exists for other methods (RFC 9110 section 15.5.6). */
function refuseUnknownRoutes(app: FastifyInstance): void {
  const routes: { path: RegExp; methods: string[]; isNamed: boolean }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    const path = new RegExp(`^${url.replace(/[.+^$(){}|[\]\\]/g, "\\$&").replace(/:\w+|\*/g, "[^/]+")}$`, "i");
    routes.push({ path, methods: [method].flat(), isNamed: !/[:*]/.test(url) });
  });
  app.setNotFoundHandler((request) => {
    const [path = ""] = request.url.replace(/(?<=.)\/(?=\?|$)/, "").split("?", 1);
    const there = routes.filter((route) => route.path.test(path));
    const named = there.filter(({ isNamed }) => isNamed);
    const allowed = [...new Set((named.length > 0 ? named : there).flatMap(({ methods }) => methods))];
    if (allowed.length === 0 || allowed.includes(request.method)) throw notFound();
    const message = t("This address supports only {methods}.", { methods: allowed.join(", ") });
    throw new KnownError(405, "other", message, {
      title: t("Method not allowed"),
      headers: { allow: allowed.join(", ") },
    });
  });
}

/** Logs the route's pattern, because an address may contain a token. Refusals are logged at debug. */
function logRequests(
  app: FastifyInstance,
  wasRefused: (request: FastifyRequest) => boolean,
  caller: ServerOptions["caller"],
): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = `${request.method} ${request.routeOptions.url ?? "(no route)"}`;
    const line = { route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...caller?.(request) };
    request.log[isAsset(route) || wasRefused(request) ? "debug" : "info"](line, "request");
  });
}

/** Fastify's own 4xx errors keep their status but get our message, because theirs may quote the request. */
export function toKnownError(error: unknown): KnownError {
  if (error instanceof KnownError) return error;
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status === 403) return notFound(); // a path outside the folder of files (attacks W18)
  const message = fastifyErrors()[status];
  if (message) return new KnownError(status, "bad_request", message, { cause: error });
  return new KnownError(500, "server_error", t("Something went wrong on our side. Please try again."), {
    title: t("Something went wrong"),
    cause: error,
  });
}

const fastifyErrors = (): Record<number, string> => ({
  400: t("The body of this request cannot be read."),
  413: t("This request is larger than 64 KB. Shorten the text and send it again."),
  415: t("This content type is not supported. Send forms as application/x-www-form-urlencoded."),
});

/** Concurrent health checks share one query, because none is refused. */
function addHealthChecks(app: FastifyInstance, options: ServerOptions): void {
  const config = { cost: "nothing" } as const;
  let asking: ReturnType<typeof readiness> | undefined;
  app.get("/healthz", { config }, async () => ALIVE);
  app.get("/readyz", { config }, async (_request, reply) => {
    asking ??= readiness(options).finally(() => {
      asking = undefined;
    });
    const { status, body } = await asking;
    return reply.code(status).send(body);
  });
}
