import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { idempotencyKey } from "../../contract/common-parameters.ts";
import { version } from "../../contract/parameters.ts";
import { compressed } from "../../http/files/static-file.ts";
import { parseParameters } from "../../http/parameters.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { type Access, requireAccess } from "../access.ts";
import { noteWrite } from "../last-write.ts";
import type { TokenPair } from "../tokens.ts";
import { authenticate, type Caller, credentialsIn, requireUser } from "./credentials.ts";
import { type ApiDeps, type Endpoint, type RegisteredEndpoint, refuseHeadOfNamed } from "./declaration.ts";
import { sendConstant, sendEnvelope, sendHead } from "./envelope.ts";
import { countedCall, limitCall } from "./limits.ts";
import { Lines, sendLines } from "./lines.ts";

export function openEndpoint<S extends z.ZodObject>(
  app: FastifyInstance,
  deps: ApiDeps,
  endpoint: Endpoint<S, Caller>,
): void {
  register(app, deps, endpoint, clients);
}

export function userEndpoint<S extends z.ZodObject>(
  app: FastifyInstance,
  deps: ApiDeps,
  endpoint: Endpoint<S, Caller & TokenPair>,
): void {
  register(app, deps, endpoint, users);
}

const clients = (caller: Caller) => caller;

const users = (caller: Caller) => requireUser(caller);

function register<S extends z.ZodObject, C extends Caller>(
  app: FastifyInstance,
  deps: ApiDeps,
  endpoint: Endpoint<S, C>,
  who: (caller: Caller) => C,
): void {
  const { methods, path, parameters, cost = () => 1, needs = "reading", bodyLimit, lines, isConstant } = endpoint;
  const admit = (caller: Caller, raw: Record<string, unknown>, schema: z.ZodObject) => {
    requireAccessTo(deps, caller, "reading");
    const admitted = who(caller);
    const v = requireVersion(raw.v);
    const parsed = parseParameters(schema, raw) as z.output<S>;
    requireAccessTo(deps, caller, typeof needs === "function" ? needs(parsed) : needs);
    return { caller: admitted, parameters: parsed, v, reads: deps.replicas.reader(caller.position) };
  };
  const writes = methods.includes("POST") && (who as unknown) === users;
  const registered: RegisteredEndpoint = {
    ...endpoint,
    needsUser: (who as unknown) === users,
    answer: async (caller, raw, { id, idempotencyKey }) =>
      endpoint.answer({ ...admit(caller, raw, parameters), id, idempotencyKey }),
  };
  const answer: typeof registered.answer = async (caller, raw, more) => {
    const answered = registered.answer(caller, raw, more);
    return writes && deps.replicas.isConfigured
      ? answered.finally(() => noteWrite(deps.pool, requireUser(caller)))
      : answered;
  };
  deps.endpoints.push(registered);

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const raw = parametersOf(request);
    const sent = request.body instanceof Lines ? request.body.sent : undefined;
    const { id = "" } = request.params as { id?: string };
    const isHead = request.method === "HEAD";
    if (isHead) refuseHeadOfNamed(deps, path, id);
    const call = countedCall(endpoint, isHead ? 0 : Math.max(1, sent?.length ?? cost(raw)));
    request.caller = await authenticate(deps, credentialsIn(request, raw), call);
    await limitCall(deps, request.caller, call, reply);
    const more = { id, idempotencyKey: keyOf(request) };
    if (lines && (sent || request.routeOptions.url?.endsWith(LINES))) {
      const call = { ...admit(request.caller, raw, lines.parameters), ...more };
      if (!sent) throw notLines();
      return sendLines(reply, lines.answer(call, sent));
    }
    // Free of charge, so without the work.
    if (isHead && !isConstant) return sendHead(reply, admit(request.caller, raw, parameters));
    const response = await answer(request.caller, raw, more);
    return isConstant ? sendConstant(request, reply, response) : sendEnvelope(request, reply, response);
  };
  const route = {
    exposeHeadRoute: false,
    ...(isConstant && { onSend: compressed }),
    ...(bodyLimit && { bodyLimit, errorHandler: sayWhatFits(bodyLimit) }),
    config: { who, ...(bodyLimit && { cost: "batch" as const }), ...(lines && { lines: lines.most }) },
    handler,
  };
  app.route({ ...route, method: methods.includes("GET") && !writes ? [...methods, "HEAD"] : [...methods], url: path });
  if (lines) app.route({ ...route, method: "POST", url: path + LINES });
}

/** A path of its own for NDJSON, which the endpoint's takes too: OpenAPI has one kind of answer for each path. */
const LINES = "/lines";

const notLines = () => badRequest("Send lines of JSON as application/x-ndjson here.");

/** @throws KnownError 403 not_authorized unless the application is enabled for it */
export function requireAccessTo({ config, operator }: ApiDeps, { access, clientId }: Caller, needed: Access): void {
  requireAccess(access, needed, { operator, askAt: `${config.auth.url}/applications/${clientId}` });
}

/** Names the endpoint's own limit in the 413. The host's error handler answers and counts all errors. */
const sayWhatFits = (bodyLimit: number) => (error: unknown) => {
  const isTooLarge = error instanceof Error && "statusCode" in error && error.statusCode === 413;
  const message = `A call to this endpoint may have at most ${bodyLimit / 1024} KB. Send less at once.`;
  throw isTooLarge ? new KnownError(413, "other", message, { cause: error }) : error;
};

/** Merges query and body of a POST. A name in both counts as given twice. */
export function parametersOf(request: FastifyRequest): Record<string, unknown> {
  const merged: Record<string, unknown> = Object.assign(Object.create(null), request.query);
  const body = request.body instanceof Lines ? {} : request.body;
  for (const [name, value] of Object.entries((body as Record<string, unknown> | undefined) ?? {}))
    merged[name] = merged[name] === undefined ? value : [merged[name], value].flat();
  return merged;
}

/** `v` has already been checked to be given at most once. */
function requireVersion(v: unknown): string {
  if (v === undefined || v === "")
    throw new KnownError(410, "param_error", "v is required: an API version date, YYYYMMDD.");
  const parsed = version.safeParse(v);
  if (!parsed.success) throw badRequest(`${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = idempotencyKey.optional().safeParse(request.headers["idempotency-key"]);
  if (key.success) return key.data;
  throw badRequest("Idempotency-Key must be 1 to 255 visible ASCII characters.");
}
