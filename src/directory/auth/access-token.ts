import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isUnavailable } from "../../db/unavailable.ts";
import { KnownError, notFound, unavailable } from "../../errors.ts";
import { parseFields } from "../../http/parameters.ts";
import { toKnownError } from "../../http/server.ts";
import { verifyClient } from "../secrets.ts";
import { type DirectoryDeps, revokeToken } from "../tokens.ts";
import { type Brake, createBrake } from "./brake.ts";
import { findCode, type IssuedCode, spendCode } from "./codes.ts";

type Deps = Pick<DirectoryDeps, "pool" | "vault" | "log">;
type Sent = Record<string, string | string[]>[];
type Fields = Partial<Record<(typeof PARAMETERS)[number], string>>;
const PARAMETERS = ["grant_type", "redirect_uri", "code", "code_verifier"] as const;

/** Where the scope of `registerAccessToken` is mounted. */
export const ACCESS_TOKEN_PATH = "/oauth2/access_token";

/**
 * GET and POST {auth_url}/oauth2/access_token: exchanges a code for the access token (interface; RFC 6749 section 4.1.3).
 * Parameters stand in the query, in a urlencoded body, and the client's credentials also in HTTP Basic.
 */
export async function registerAccessToken(app: FastifyInstance, deps: Deps): Promise<void> {
  const brake = createBrake({ limit: 30, windowSeconds: 60 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, parseFields(String(body))),
  );
  app.setErrorHandler(async (error, request, reply) => {
    const { status, code, message, headers } = asTokenError(error);
    if (status >= 500) request.log.error({ err: error }, "access_token failed");
    if (code === "invalid_client" && usesBasic(request)) {
      reply.code(401).header("www-authenticate", 'Basic realm="access_token", charset="UTF-8"');
    } else reply.code(status);
    return reply.headers({ ...headers, pragma: "no-cache" }).send({ error: code, error_description: message });
  });
  app.addHook("onRequest", async ({ method }) => {
    if (method === "GET" || method === "POST") return;
    throw new KnownError(405, "invalid_request", "Use GET or POST.", { headers: { allow: "GET, POST" } });
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });

  app.route({
    method: ["GET", "POST"],
    url: "/",
    prefixTrailingSlash: "no-slash",
    handler: async (request, reply) => {
      const access_token = await exchange(deps, brake, request);
      reply.header("pragma", "no-cache");
      const isPlain = request.method === "GET" && !usesBasic(request);
      return isPlain ? { access_token } : { access_token, token_type: "bearer" };
    },
  });
}

/** Every check in its order, then one statement that spends the code. A failed check leaves the code as it was. */
async function exchange(deps: Deps, brake: Brake, request: FastifyRequest): Promise<string> {
  const sent = [request.query, request.body].map((fields) => (fields ?? {}) as Sent[number]);
  const fields = once(sent);
  if (!fields.grant_type) throw tokenError("invalid_request", "grant_type is required");
  if (fields.grant_type !== "authorization_code")
    throw tokenError("unsupported_grant_type", "grant_type must be authorization_code");
  if (!fields.code) throw tokenError("invalid_request", "code is required");
  if (!fields.redirect_uri) throw tokenError("invalid_request", "redirect_uri is required");

  const clientId = await authenticateClient(deps, brake, request, sent);
  const code = await findCode(deps, fields.code);
  if (!code || code.clientId !== clientId)
    throw tokenError("invalid_grant", "the code is unknown, or was given to another application");
  if (code.redirectUri !== fields.redirect_uri)
    throw tokenError("invalid_grant", "redirect_uri is not the one the code was asked for with");
  checkVerifier(code, fields.code_verifier);

  const token = code.isUsed || code.isExpired ? undefined : await spendCode(deps, fields.code, code);
  if (token) return token;
  const now = await findCode(deps, fields.code);
  if (!now?.isUsed) throw tokenError("invalid_grant", "the code has expired, log in again");
  // Used before: one of the two who had it is a thief, and nobody knows which (RFC 6749 section 4.1.2)
  await revokeToken(deps, code);
  throw tokenError("invalid_grant", "the code was used already: its access token is revoked, log in again");
}

function once(sent: Sent): Fields {
  const fields: Fields = {};
  for (const name of PARAMETERS) {
    const values = sent.flatMap((source) => source[name] ?? []).filter((value) => value !== "");
    if (values.length > 1) throw tokenError("invalid_request", `${name} was given more than once`);
    if (values[0] !== undefined) fields[name] = values[0];
  }
  return fields;
}

/** The id of the client whose credentials these are. Whatever is wrong with them, the answer is the same (attacks B17). */
async function authenticateClient(deps: Deps, brake: Brake, request: FastifyRequest, sent: Sent): Promise<string> {
  const basic = basicCredentials(request);
  const id = theOne("client_id", [basic?.id, ...sent.map((source) => source.client_id)]);
  const secret = theOne("client_secret", [basic?.secret, ...sent.map((source) => source.client_secret)]);
  const refusal = brake.check(id, request.ip);
  if (refusal) throw refusal;
  const application = await verifyClient(deps, id, secret);
  if (application) return application.clientId;
  brake.count(id, request.ip);
  throw tokenError("invalid_client", "the client id or the client secret is wrong");
}

/** The value of a credential, which HTTP Basic, query and body may repeat but not contradict. */
function theOne(name: string, values: (string | string[] | undefined)[]): string {
  const given = values.filter((value) => value !== undefined && value !== "");
  const [value] = given;
  if (value === undefined) throw tokenError("invalid_request", `${name} is required`);
  if (Array.isArray(value) || given.some((other) => other !== value))
    throw tokenError("invalid_request", `${name} was given more than once`);
  return value;
}

const usesBasic = (request: FastifyRequest) => /^basic\s/i.test(request.headers.authorization ?? "");

/** Credentials of HTTP Basic, each form-encoded (RFC 6749 section 2.3.1). */
function basicCredentials(request: FastifyRequest): { id: string; secret: string } | undefined {
  if (!usesBasic(request)) return undefined;
  const text = Buffer.from((request.headers.authorization ?? "").slice(6).trim(), "base64").toString();
  const [, id = "", secret = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const decode = (part: string) => new URLSearchParams(`v=${part.replaceAll("&", "%26")}`).get("v") ?? "";
  return { id: decode(id), secret: decode(secret) };
}

/** PKCE (RFC 7636 section 4.6): a challenge asks for its verifier, and a verifier without a challenge is a mix-up. */
function checkVerifier({ codeChallenge }: IssuedCode, verifier: string | undefined): void {
  if (verifier === undefined && codeChallenge === null) return;
  if (verifier === undefined) throw tokenError("invalid_grant", "code_verifier is required for this code");
  if (codeChallenge === null) throw tokenError("invalid_grant", "this code was asked for without a code_challenge");
  const isWellFormed = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  if (!isWellFormed || !timingSafeEqual(Buffer.from(challenge), Buffer.from(codeChallenge)))
    throw tokenError("invalid_grant", "code_verifier does not fit the code_challenge");
}

const tokenError = (code: string, message: string) => new KnownError(400, code, message);

/** Errors that are not of this endpoint's making, in the words of RFC 6749 section 5.2. */
function asTokenError(error: unknown): KnownError {
  if (isUnavailable(error)) return unavailable("the database does not answer, try again", 2, error);
  const known = toKnownError(error);
  if (known.code === "bad_request") return new KnownError(400, "invalid_request", known.message);
  return known;
}
