import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  type AskedFor,
  type ExtendQuery,
  extendQuery,
  LARGEST_BATCH,
  query02,
  query10,
} from "../../contract/reconcile.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { type Access, includes } from "../access.ts";
import { HOUR, networkKey, spend } from "../counters.ts";
import { authenticate, type Caller, credentialsIn } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { requireAccessTo } from "../endpoint/endpoint.ts";
import { tooMany, whatIsLeft } from "../endpoint/limits.ts";

/** Bytes. */
export const LARGEST_BODY = 1024 * 1024;

/** The error never repeats the text. Throws KnownError 400. */
export function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new KnownError(400, "param_error", `${name} is not JSON: check its quotes, commas and brackets.`, { cause });
  }
}

/** Throws KnownError 400, or 413 for too many queries ("Service Manifest", batchSize). */
export function readBatch<T extends object>(name: string, given: unknown, shape: z.ZodType<T>, example: string): T {
  const parsed = shape.safeParse(given);
  if (!parsed.success) throw badRequest(`${name} must be ${example}.`);
  if (Object.keys(parsed.data).length > LARGEST_BATCH)
    throw new KnownError(
      413,
      "param_error",
      `A call may have at most ${LARGEST_BATCH} queries. Send the rest in another call.`,
    );
  return parsed.data;
}

export type Read = AskedFor | { error: string };

/** Returns errors, because OpenRefine would lose the whole batch if one query failed it. */
export function readQuery02(raw: unknown): Read {
  const { data, error } = query02.safeParse(raw);
  return data ?? { error: `${error?.issues[0]?.message ?? "the query is malformed"}.` };
}

/**
 * Reads the queries of a batch (Reconciliation API 1.0, "Error Handling and Rate-limiting"): one bad query fails all of them.
 * Throws KnownError 400 that says where the first error is.
 */
export function readQueries10(batch: unknown[]): Read[] {
  const { data, error } = z.array(query10).safeParse(batch);
  if (data) return data;
  const [{ path = [], message = "is malformed" } = {}] = error.issues;
  const where = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  throw badRequest(`queries${where} ${message}.`);
}

export function readExtension(given: unknown): ExtendQuery {
  const parsed = extendQuery.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = issue?.path.length
    ? issue.message
    : 'send an object such as {"ids": ["…"], "properties": [{"id": "ll"}]}';
  throw badRequest(`${message}.`);
}

/** Default queries an hour of a network, an application or a user's token. */
const USUAL = 5000;

/**
 * Counts queries of the application or the user's token or, without credentials of the interface, of the network.
 * Without credentials a call may do what a new application may (NEW_APPLICATIONS). `raw` holds the parameters as sent.
 * Throws KnownError 401 invalid_auth for invalid credentials, or missing ones if required, 403 not_authorized for an
 * application without access, 429 rate_limit_exceeded with Retry-After.
 */
export async function admit(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { raw, cost = 1, needs = "reading" }: { raw: unknown; cost?: number; needs?: Access },
): Promise<void> {
  request.caller = await callerOf(deps, request, raw);
  if (request.caller) requireAccessTo(deps, request.caller, needs);
  else if (!isOpen(deps, needs)) throw new KnownError(401, "invalid_auth", notOpen(deps));
  const limit = limitFor(deps, request.caller);
  if (limit === undefined) return;
  const subject = `queries of ${subjectOf(deps, request)}`;
  const spent = await spend(deps.pool, { subject, windowSeconds: HOUR }, Math.max(1, cost), limit);
  reply.headers(whatIsLeft(limit, spent));
  if (!spent.fits) throw tooMany(spent, { cost, limit, what: "queries an hour", status: 429 });
}

async function callerOf(deps: ApiDeps, request: FastifyRequest, raw: unknown): Promise<Caller | null> {
  try {
    const given = credentialsIn(request, raw);
    const { oauth_token, client_id, client_secret, access_token } = given;
    if (![oauth_token, client_id, client_secret, access_token].some((each) => each !== undefined)) return null;
    return await authenticate(deps, given);
  } catch (error) {
    // The protocol has one status for all of these ("Authentication").
    if (error instanceof KnownError && error.code === "invalid_auth")
      throw new KnownError(401, error.code, `${error.message}${isOpen(deps, "enabled") ? OPEN : ""}`);
    throw error;
  }
}

const OPEN = " Or send no credentials: this service is open.";

const isOpen = ({ operator }: ApiDeps, needs: Access): boolean =>
  includes(operator?.newApplications ?? "enabled", needs);

const notOpen = ({ config }: ApiDeps): string =>
  `Send the client_id and client_secret of an application that is enabled. See ${config.auth.url}/applications.`;

function limitFor({ config }: ApiDeps, caller: Caller | null): number | undefined {
  if (typeof caller?.rateLimit === "number") return caller.rateLimit || undefined;
  return config.rateLimit === "off" ? undefined : (config.rateLimit ?? USUAL);
}

/** Stores networks as keyed fingerprints. */
function subjectOf({ vault }: ApiDeps, request: FastifyRequest): string {
  const { caller } = request;
  if (caller) return `${caller.userId ?? "application"} ${caller.clientId}`;
  return `network ${networkKey(vault, request, "queries")}`;
}
