import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { version } from "../../contract/parameters.ts";
import { KnownError } from "../../errors.ts";
import { parseParameters } from "../../http/parameters.ts";
import type { DirectoryDeps, TokenPair } from "../tokens.ts";
import { authenticate, type Caller, commonParameters, requireUser } from "./credentials.ts";
import { sendEnvelope } from "./envelope.ts";

/** One endpoint of the API host: what it takes, who may call it, and the `response` it answers with. */
interface Endpoint<S extends z.ZodObject, C extends Caller> {
  /** POST stands beside GET where the call has an effect. */
  methods: readonly Method[];
  path: `/v2/${string}`;
  parameters: S;
  answer: (call: Call<z.output<S>, C>) => Promise<Record<string, unknown>>;
}

export interface Call<P, C extends Caller = Caller> {
  caller: C;
  parameters: P;
  /** The id in the path, where the path has one. */
  id: string;
  idempotencyKey: string | undefined;
}

type Method = "GET" | "POST";

/** An endpoint open to userless calls and to users' tokens alike. */
export function openEndpoint<S extends z.ZodObject>(
  app: FastifyInstance,
  deps: DirectoryDeps,
  endpoint: Endpoint<S, Caller>,
): void {
  register(app, deps, endpoint, (caller) => caller);
}

/** An endpoint that acts for a user and needs their token. */
export function userEndpoint<S extends z.ZodObject>(
  app: FastifyInstance,
  deps: DirectoryDeps,
  endpoint: Endpoint<S, TokenPair>,
): void {
  const writes = endpoint.methods.includes("POST");
  register(app, deps, endpoint, (caller) => requireUser(caller, writes));
}

function register<S extends z.ZodObject, C extends Caller>(
  app: FastifyInstance,
  deps: DirectoryDeps,
  { methods, path, parameters, answer }: Endpoint<S, C>,
  admit: (caller: Caller) => C,
): void {
  app.route({
    method: [...methods],
    url: path,
    handler: async (request, reply) => {
      const raw = parametersOf(request);
      const common = parseParameters(commonParameters, raw);
      request.caller = await authenticate(deps, common);
      const caller = admit(request.caller);
      requireVersion(common.v);
      const { id = "" } = request.params as { id?: string };
      const call = {
        caller,
        parameters: parseParameters(parameters, raw),
        id,
        idempotencyKey: idempotencyKey(request),
      };
      return sendEnvelope(request, reply, await answer(call));
    },
  });
}

/** Clients of a POST put parameters in the query, in the body, or in both. A name in both is one given twice. */
function parametersOf(request: FastifyRequest): Record<string, unknown> {
  const merged: Record<string, unknown> = Object.assign(Object.create(null), request.query);
  for (const [name, value] of Object.entries((request.body as Record<string, unknown> | undefined) ?? {}))
    merged[name] = merged[name] === undefined ? value : [merged[name], value].flat();
  return merged;
}

function requireVersion(v: string | undefined): void {
  if (v === undefined) throw new KnownError(410, "param_error", "v is required: an API version date, YYYYMMDD.");
  const parsed = version.safeParse(v);
  if (!parsed.success) throw new KnownError(400, "param_error", `${parsed.error.issues[0]?.message}.`);
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined || (typeof key === "string" && /^[\x21-\x7e]{1,255}$/.test(key))) return key;
  throw new KnownError(400, "param_error", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}
