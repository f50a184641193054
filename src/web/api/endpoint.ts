import { randomUUID } from "node:crypto";
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ListRole } from "../../db/generated/enums.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { noteUse } from "../../harmonize/run/expiry.ts";
import { findHarmonization, type Harmonization, mayOnList } from "../../harmonize/run/harmonizations.ts";
import { parseParameters } from "../../http/parameters.ts";
import type { Route } from "../../http/routes.ts";
import { acceptFileBodies, expectUpload } from "../../http/uploads.ts";
import { SOURCE_LANGUAGE } from "../../language/languages.ts";
import { inLanguage } from "../../language/translate.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { markBroken, openToken } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { admit } from "./admit.ts";
import { callOnce } from "./once.ts";
import { type Granted, type Scope, seenWith } from "./tokens.ts";

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
  <const D extends Declared>(declared: D, handle: (call: Given<D> & { h: Harmonization }) => Answer): Endpoint =>
    endpoint(declared, who, ofFile(who, handle as (call: FileCall) => Answer));

/** An endpoint about the file `:id` for everybody who may see it. */
export const fileEndpoint = endpointOfFile("viewer");
/** The same for those who may decide about its rows. */
export const reviewerEndpoint = endpointOfFile("reviewer");
/** The same for the owners of its list. */
export const ownerEndpoint = endpointOfFile("owner");

export type AnyCall = Call<unknown, unknown>;
type FileCall = AnyCall & { h: Harmonization };

/** The same file for which a page would be shown; for anybody else it does not exist (attacks W100). */
const ofFile = (who: ListRole, handle: (call: FileCall) => Answer) => async (call: AnyCall) => {
  const { web, request, member, token } = call;
  const h = await findSeenWith(call, (request.params as { id: string }).id);
  if (!h || !mayOnList(who, h, member)) throw noSuchFile();
  const answer = await handle({ ...call, h });
  if (request.method !== "GET" || request.routeOptions.config.cost === "transfer")
    await noteUse(web.harmonizer, h.id).catch((err: unknown) =>
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

/** @throws KnownError 400 that names each faulty field */
function parseBody<B extends z.ZodObject>(schema: B, body: unknown): z.output<B> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const said = parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw badRequest(`${[...new Set(said)].join("; ")}.`);
}

/** @throws KnownError 400 for a key that cannot be kept */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw badRequest("Idempotency-Key must be 1 to 200 visible ASCII characters.");
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

export const isOfApi = ({ url }: Pick<FastifyRequest, "url">): boolean => url.startsWith(`${API}/`);

/** Of an answer in pages: opaque to the caller. */
export const cursorOf = (at: unknown): string => Buffer.from(JSON.stringify(at)).toString("base64url");

/** @throws KnownError 400 for a cursor that none of our answers had */
export function readCursor<S extends z.ZodType>(schema: S, cursor: string | undefined): z.output<S> | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    throw badRequest("cursor must be next_cursor of an answer before.");
  }
}
