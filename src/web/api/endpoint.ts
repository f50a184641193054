import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ListRole } from "../../db/generated/enums.ts";
import { queryRow } from "../../db/sql.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { noteUse } from "../../harmonize/run/expiry.ts";
import { findHarmonization, type Harmonization, mayOnList } from "../../harmonize/run/harmonizations.ts";
import { parseParameters } from "../../http/parameters.ts";
import type { Route } from "../../http/routes.ts";
import { toKnownError } from "../../http/server.ts";
import { acceptFileBodies, expectUpload } from "../../http/uploads.ts";
import { SOURCE_LANGUAGE } from "../../language/languages.ts";
import { inLanguage } from "../../language/translate.ts";
import { KnownError, notFound, unavailable } from "../../shared/errors.ts";
import { markBroken, openToken } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import { findMember, isRefused, type Member } from "../base/members.ts";
import { callOnce } from "./once.ts";
import { type Granted, type Scope, seenWith, useToken } from "./tokens.ts";

export const API = "/api/v1";

/** Who may call an endpoint: the person of the token; with `:id`, those who may see the file, or only its owner. */
/** What a person must be to the file; `person` if the call is about none. */
type Who = "person" | ListRole;

export interface Call<Q, B> {
  web: Web;
  request: FastifyRequest;
  reply: FastifyReply;
  member: Member;
  token: Granted;
  query: Q;
  body: B;
  /** The id of what the call makes. An earlier attempt at it, which died, has used the same. */
  makes: string;
}

interface Declared {
  /** Its operationId, for generated clients. */
  name: string;
  method: "GET" | "POST" | "DELETE";
  path: `/api/v1/${string}`;
  scope: Scope;
  summary: string;
  /** Markdown. */
  description?: string;
  query?: z.ZodObject;
  /** Of JSON. */
  body?: z.ZodObject;
  /** Whether the body is a file, as it is or in a form. */
  takesFile?: true;
  /** Of JSON; `file`: a download. */
  answer: z.ZodType | "file";
  status?: 200 | 201 | 202;
  cost?: FastifyContextConfig["cost"];
  /** In bytes; default 64 KB. */
  bodyLimit?: number;
}

export interface Endpoint extends Declared {
  who: Who;
  row: Route<Web>;
}

type Output<S extends z.ZodObject | undefined> = S extends z.ZodObject ? z.output<S> : undefined;
type Given<D extends Declared> = Call<Output<D["query"]>, Output<D["body"]>>;

/** What is sent; undefined if the handler has sent it itself, because an awaited reply of Fastify is nothing. */
type Answer = Promise<object | undefined>;

/** An endpoint about no file, or about several. */
export const personEndpoint = <const D extends Declared>(declared: D, handle: (call: Given<D>) => Answer): Endpoint =>
  endpoint(declared, "person", (call) => handle(call as Given<D>));

const endpointOfFile =
  (who: ListRole) =>
  <const D extends Declared>(declared: D, handle: (call: Given<D> & { found: Harmonization }) => Answer): Endpoint =>
    endpoint(declared, who, ofFile(who, handle as (call: FileCall) => Answer));

/** An endpoint about the file `:id` for everybody who may see it. */
export const fileEndpoint = endpointOfFile("viewer");
/** The same for those who may decide about its rows. */
export const reviewerEndpoint = endpointOfFile("reviewer");
/** The same for the owners of its list. */
export const ownerEndpoint = endpointOfFile("owner");

type AnyCall = Call<unknown, unknown>;
type FileCall = AnyCall & { found: Harmonization };

/** The same file for which a page would be shown; for anybody else it does not exist (attacks W100). */
const ofFile = (who: ListRole, handle: (call: FileCall) => Answer) => async (call: AnyCall) => {
  const { web, request, member, token } = call;
  const found = await findSeenWith(call, (request.params as { id: string }).id);
  if (!found || !mayOnList(who, found, member)) throw noSuchFile();
  const answer = await handle({ ...call, found });
  if (request.method !== "GET" || request.routeOptions.config.cost === "transfer")
    await noteUse(web.harmonizer, found.id).catch((err: unknown) =>
      request.log.warn({ err, token: token.id }, "the use of a file was not noted"),
    );
  return answer;
};

/** Returns the file if both the person and the token may see it. */
export async function findSeenWith(
  { web, member, token }: Pick<AnyCall, "web" | "member" | "token">,
  id: string,
): Promise<Harmonization | undefined> {
  const found = await findHarmonization(web.harmonizer, member, id);
  return found && (await seenWith(web, token, [found.id])).has(found.id) ? found : undefined;
}

/** Like findSeenWith(). Throws KnownError 404 if there is none, or no longer. */
export async function requireSeenWith(
  call: Pick<AnyCall, "web" | "member" | "token">,
  id: string,
): Promise<Harmonization> {
  const found = await findSeenWith(call, id);
  if (!found) throw noSuchFile();
  return found;
}

const noSuchFile = () => notFound("There is no such file.");

function endpoint(declared: Declared, who: Who, handle: (call: AnyCall) => Answer): Endpoint {
  const { method, path, scope, takesFile, cost, bodyLimit } = declared;
  const guard = GUARDS[scope];
  const answerWith = (web: Web) => (request: FastifyRequest, reply: FastifyReply) =>
    inLanguage(SOURCE_LANGUAGE, () => answer(web, declared, handle, request, reply));
  const options: Route<Web>["options"] = {
    cost: cost ?? (takesFile ? "transfer" : "usual"),
    answersHead: false,
    ...(bodyLimit && { bodyLimit }),
    ...(takesFile && { prepare: acceptFileBodies }),
  };
  const row = { method, path, who: guard, options, answerWith: answerWith as Route<Web>["answerWith"] };
  const made: Omit<Endpoint, "row"> = { ...declared, who };
  return Object.assign(made, { row: { ...row, handler: made } });
}

/** As the tables of routes name them. */
const GUARDS: Record<Scope, { readonly name: string }> = {
  read: { name: "programsThatRead" },
  decide: { name: "programsThatDecide" },
  write: { name: "programsThatWrite" },
};

async function answer(
  web: Web,
  { scope, query, body, status = 200, takesFile, method }: Declared,
  handle: (call: AnyCall) => Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The rest of a refused file is not read, so the connection cannot be used again.
  if (takesFile) reply.header("connection", "close");
  const { member, token } = await admit(web, request, scope);
  const call: Omit<AnyCall, "makes"> = {
    web,
    request,
    reply,
    member,
    token,
    query: query && parseParameters(query, request.query),
    body: body && parseBody(body, request.body),
  };
  if (takesFile) expectUpload(request.raw);
  const made = async (makes: string) => {
    const body = await handle({ ...call, makes }).catch((error) => rethrow(web, member, error));
    return body && { status, body };
  };
  const key = method === "GET" ? undefined : keyOf(request);
  const sent =
    key === undefined ? await made(randomUUID()) : await callOnce(web, { accountId: member.id, key, request }, made);
  return sent ? reply.code(sent.status).send(sent.body) : reply;
}

/** Marks a connection that the directory has refused, as the pages do. */
async function rethrow(web: Web, { connection }: Member, error: unknown): Promise<never> {
  if (error instanceof DirectoryError && error.kind === "refused_token" && connection)
    await markBroken(web, connection);
  throw error;
}

/** Calls of a person's programs in a minute. */
export const MOST_CALLS = 600;

/**
 * Returns the person of the bearer token. Cookies count for nothing.
 *
 * @throws KnownError 401 without a token that is live and whose person may use Samespot, 403 if it lacks the scope, 429 beyond MOST_CALLS
 */
async function admit(web: Web, request: FastifyRequest, scope: Scope): Promise<{ member: Member; token: Granted }> {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (bearer === undefined) throw unauthorized('Bearer realm="samespot"', NO_TOKEN);
  const token = await useToken(web, bearer);
  const member = token ? await findMember(web, token.accountId) : "unknown";
  if (!token || typeof member === "string")
    throw unauthorized(INVALID, "The token is unknown, or has ended or expired.");
  if (await isRefused(web, member)) throw unauthorized(INVALID, NOT_CONNECTED);
  await countCall(web, member);
  if (!token.scopes.includes(scope))
    throw new KnownError(403, "insufficient_scope", `This call needs a token with the scope ${scope}.`, {
      headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
    });
  return { member: { ...member, isProgram: true }, token };
}

const NO_TOKEN = "Send a token as Authorization: Bearer. People make them in their settings, at Tokens for programs.";
const NOT_CONNECTED =
  "The directory no longer accepts the access of the token's person. It works again once they have logged in to Samespot.";
/** RFC 6750 section 3. */
const INVALID = 'Bearer realm="samespot", error="invalid_token"';

const unauthorized = (challenge: string, message: string) =>
  new KnownError(401, "invalid_token", message, { headers: { "www-authenticate": challenge } });

async function countCall({ pool }: Web, { id }: Member): Promise<void> {
  const use = await queryRow<{ calls: number; secondsLeft: number }>(pool)`
    INSERT INTO app.api_use AS u (account_id, window_start, calls) VALUES (${id}, now(), 1)
    ON CONFLICT (account_id) DO UPDATE
      SET calls = CASE WHEN u.window_start > now() - interval '1 minute' THEN u.calls + 1 ELSE 1 END,
          window_start = CASE WHEN u.window_start > now() - interval '1 minute' THEN u.window_start ELSE now() END
    RETURNING calls, greatest(1, ceil(extract(epoch FROM window_start + interval '1 minute' - now())))::int AS "secondsLeft"`;
  if (use && use.calls > MOST_CALLS)
    throw new KnownError(429, "rate_limit_exceeded", `At most ${MOST_CALLS} calls a minute. Wait, then go on.`, {
      headers: { "retry-after": String(use.secondsLeft) },
    });
}

/** @throws KnownError 400 that names each faulty field */
function parseBody<B extends z.ZodObject>(schema: B, body: unknown): z.output<B> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const said = parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new KnownError(400, "param_error", `${[...new Set(said)].join("; ")}.`);
}

/** @throws KnownError 400 for a key that cannot be kept */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new KnownError(400, "param_error", "Idempotency-Key must be 1 to 200 visible ASCII characters.");
}

/** Where the file's name belongs. */
export const fileName = z.string().min(1, "name must not be empty").max(300, "name may have at most 300 characters");

/** @throws KnownError 409 if the person has no connection to the directory that works */
export function authOf({ web, member }: Pick<AnyCall, "web" | "member">): { token: string } {
  const token = openToken(web.vault, member.connection);
  if (token !== undefined) return { token };
  throw new KnownError(
    409,
    "not_connected",
    "The token's person is not connected to the directory. They connect in their settings.",
  );
}

const LOOK_EVERY_MS = 500;

/** Looks until `isThere`, for so many seconds at most; ends early if the caller or this server goes. */
export async function lookUntil<T>(
  { request, reply }: Pick<AnyCall, "request" | "reply">,
  seconds: number,
  look: () => Promise<T>,
  isThere: (found: T) => boolean,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, request.server.apiClosing]);
  for (;;) {
    const found = await look();
    if (isThere(found) || performance.now() >= end || signal.aborted) return found;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

declare module "fastify" {
  interface FastifyInstance {
    /** Aborted when the server closes. */
    apiClosing: AbortSignal;
  }
}

export const isOfApi = ({ url }: Pick<FastifyRequest, "url">): boolean => url.startsWith(`${API}/`);

/** Answers an error as RFC 9457 says. */
export function answerProblem(web: Pick<Web, "config">, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = isUnavailable(error)
    ? unavailable("The database is not available at the moment.", 2, error)
    : knownTo(error);
  if (known.status >= 500) request.log.error({ err: error }, "a call of the API failed");
  return reply
    .code(known.status)
    .headers(known.headers)
    .type("application/problem+json")
    .send(JSON.stringify(problemOf(web, known, request.id)));
}

/** Those of Fastify speak of forms. */
function knownTo(error: unknown): KnownError {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 0;
  const message = error instanceof KnownError ? undefined : OF_FASTIFY[status];
  return message ? new KnownError(status, "bad_request", message, { cause: error }) : toKnownError(error);
}

const OF_FASTIFY: Record<number, string> = {
  400: "The body of this request is not JSON.",
  413: "The body of this request is too large.",
  415: "Send the body as application/json.",
};

export function problemOf(
  { config }: Pick<Web, "config">,
  { status, code, title, message, response }: KnownError,
  requestId: string,
) {
  return {
    type: `${config.web.url}${API}#error-${code}`,
    title: title || TITLES[status] || "The call failed",
    status,
    detail: message,
    code,
    ...(response.earlier_attempt === true && { earlier_attempt: true }),
    request_id: requestId,
  };
}

const TITLES: Record<number, string> = {
  400: "Something in the call is wrong",
  401: "No valid token",
  403: "Not allowed with this token",
  404: "Not found",
  405: "Method not allowed",
  409: "Not possible now",
  422: "Idempotency-Key was used for another call",
  429: "Too many calls",
};

/** Of an answer in pages: opaque to the caller. */
export const cursorOf = (at: unknown): string => Buffer.from(JSON.stringify(at)).toString("base64url");

/** @throws KnownError 400 for a cursor that none of our answers had */
export function readCursor<S extends z.ZodType>(schema: S, cursor: string | undefined): z.output<S> | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    throw new KnownError(400, "param_error", "cursor must be next_cursor of an answer before.");
  }
}
