import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Db, execute, prepared, queryRow } from "../../../db/sql.ts";
import { isUnavailable } from "../../../db/unavailable.ts";
import { registerLanguages } from "../../../http/pages/languages.ts";
import { parseFields } from "../../../http/parameters.ts";
import type { Guard } from "../../../http/routes.ts";
import { toKnownError } from "../../../http/server.ts";
import { randomToken, sha256 } from "../../../shared/crypto.ts";
import { KnownError, notFound, unavailable } from "../../../shared/errors.ts";
import type { VerifiedClient } from "../../applications/secrets.ts";
import type { DirectoryDeps } from "../../deps.ts";
import {
  dropUnreadableToken,
  keepOrSetToken,
  openToken,
  revokeSentToken,
  revokeToken,
  type TokenPair,
} from "../../tokens.ts";
import { bodyOf, refuseStopped, type Sent, type TokenDeps, tokenError, usesBasic } from "./authentication.ts";

interface Prepared {
  methods: ("GET" | "POST" | "DELETE")[];
  invalidClientStatus: 400 | 401;
}

/** The errors are those of RFC 6749 section 5.2, in English, as they allow ASCII only. Needs a child scope of its own. */
export function prepareTokenEndpoint(app: FastifyInstance, { methods, invalidClientStatus }: Prepared): void {
  registerLanguages(app, ["en"]);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, parseFields(String(body))),
  );
  app.addHook("onRequest", async ({ method }, reply) => {
    reply.header("pragma", "no-cache");
    if (methods.some((each) => each === method)) return;
    throw new KnownError(405, "invalid_request", `Use ${methods.join(" or ")}.`, {
      headers: { allow: methods.join(", ") },
    });
  });
  app.setErrorHandler(async (error, request, reply) => {
    const { status, code, message, headers } = asTokenError(error);
    if (status >= 500) request.log.error({ err: error }, "token endpoint failed");
    const isUnauthorized = code === "invalid_client" && (invalidClientStatus === 401 || usesBasic(request));
    if (isUnauthorized) reply.header("www-authenticate", 'Basic realm="access_token", charset="UTF-8"');
    return reply
      .code(isUnauthorized ? 401 : status)
      .headers({ ...headers, pragma: "no-cache" })
      .send({ error: code, error_description: message });
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });
}

function asTokenError(error: unknown): KnownError {
  if (isUnavailable(error)) return unavailable("the database is not responding, try again", 2, error);
  const known = toKnownError(error);
  if (known.code === "bad_request") return new KnownError(400, "invalid_request", known.message);
  return known;
}

type Fields = Partial<Record<(typeof PARAMETERS)[number], string>>;
const PARAMETERS = ["grant_type", "redirect_uri", "code", "code_verifier"] as const;

interface Exchange {
  application: VerifiedClient;
  fields: Fields & { code: string };
}

export const exchangers: Guard<TokenDeps, Exchange> = (deps, handler) => async (request, reply) => {
  const sent = [request.query, request.body].map((fields) => (fields ?? {}) as Sent[number]);
  const { code, ...fields } = once(sent);
  if (!fields.grant_type) throw tokenError("invalid_request", "grant_type is required");
  if (fields.grant_type !== "authorization_code")
    throw tokenError("unsupported_grant_type", "grant_type must be authorization_code");
  if (!code) throw tokenError("invalid_request", "code is required");

  const application = await deps.authenticateClient(request, sent);
  refuseStopped(application, deps.operator);
  return handler(deps, request, reply, { application, fields: { ...fields, code } });
};

/** Exchanges a code for the access token (interface, "Access token"; RFC 6749 section 4.1.3). */
export async function exchangeCode(deps: TokenDeps, request: FastifyRequest, reply: FastifyReply, asked: Exchange) {
  const answer = await exchange(deps, asked);
  const isPlain = request.method === "GET" && !usesBasic(request);
  return reply.send(isPlain ? answer : { ...answer, token_type: "bearer" });
}

async function exchange(
  deps: TokenDeps,
  { application, fields }: Exchange,
): Promise<{ access_token: string; auth_time?: number }> {
  if (!fields.redirect_uri && !application.webConnect) throw tokenError("invalid_request", "redirect_uri is required");
  const code = await findCode(deps, fields.code);
  if (!code || code.clientId !== application.clientId)
    throw tokenError("invalid_grant", "the code is unknown, or was given to another application");
  checkRedirectUri(code, fields, application.redirectUris);
  checkVerifier(code, fields.code_verifier);

  const token = code.isUsed || code.isExpired ? undefined : await spendCode(deps, fields.code, code);
  if (token) return { access_token: token, ...authTimeOf(code) };
  const now = await findCode(deps, fields.code);
  if (!now?.isUsed) throw tokenError("invalid_grant", "the code has expired, log in again");
  // A replayed code: either holder may have stolen it, so revoke its token (RFC 6749 section 4.1.2).
  await revokeToken(deps, code);
  throw tokenError("invalid_grant", "the code was used already: its access token is revoked, log in again");
}

/** Epoch seconds of a fresh log-in. Without one, the response contains only the fields of the interface. */
const authTimeOf = ({ authTime }: IssuedCode) => (authTime ? { auth_time: Math.floor(authTime.getTime() / 1000) } : {});

function once(sent: Sent): Fields {
  const fields: Fields = {};
  for (const name of PARAMETERS) {
    const values = sent.flatMap((source) => source[name] ?? []).filter((value) => value !== "");
    if (values.length > 1) throw tokenError("invalid_request", `${name} was given more than once`);
    if (values[0] !== undefined) fields[name] = values[0];
  }
  return fields;
}

/** The URI must match the authorization request; for web connect, both may omit it (RFC 6749 section 4.1.3). */
function checkRedirectUri({ redirectUri }: IssuedCode, { redirect_uri }: Fields, [first]: string[]): void {
  if (redirectUri === "" && (!redirect_uri || redirect_uri === first)) return;
  if (!redirect_uri) throw tokenError("invalid_request", "redirect_uri is required: the code was asked for with one");
  if (redirect_uri !== redirectUri)
    throw tokenError("invalid_grant", "redirect_uri is not the one the code was asked for with");
}

/** PKCE (RFC 7636 section 4.6): a challenge requires its verifier, and a verifier requires a challenge. */
function checkVerifier({ codeChallenge }: IssuedCode, verifier: string | undefined): void {
  if (verifier === undefined && codeChallenge === null) return;
  if (verifier === undefined) throw tokenError("invalid_grant", "code_verifier is required for this code");
  if (codeChallenge === null) throw tokenError("invalid_grant", "this code was asked for without a code_challenge");
  const isWellFormed = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  if (!isWellFormed || !timingSafeEqual(Buffer.from(challenge), Buffer.from(codeChallenge)))
    throw tokenError("invalid_grant", "code_verifier does not fit the code_challenge");
}

/** `redirectUri` is exactly as sent; empty if it was left out (web connect). */
interface IssuedCode extends TokenPair {
  redirectUri: string;
  codeChallenge: string | null;
  /** When the user logged in, if the request required a fresh log-in. */
  authTime?: Date | null | undefined;
  isUsed: boolean;
  isExpired: boolean;
}

/** Issues a code that is valid once, for 60 seconds of the database's clock. Stores only its hash. */
export async function issueCode(
  db: Db,
  to: TokenPair & Pick<IssuedCode, "redirectUri" | "codeChallenge" | "authTime">,
): Promise<string> {
  const code = randomToken();
  await execute(prepared(db))`
    INSERT INTO directory.authorization_code
      (hash, client_id, user_id, redirect_uri, code_challenge, auth_time, expires_at)
    VALUES (${sha256(code)}, ${to.clientId}, ${to.userId}, ${to.redirectUri}, ${to.codeChallenge},
      ${to.authTime ?? null}, clock_timestamp() + interval '60 seconds')`;
  return code;
}

/** Also finds used and expired codes. */
async function findCode(db: Db, code: string): Promise<IssuedCode | undefined> {
  return queryRow<IssuedCode>(prepared(db))`
    SELECT client_id AS "clientId", user_id AS "userId", redirect_uri AS "redirectUri",
           code_challenge AS "codeChallenge", auth_time AS "authTime", used_at IS NOT NULL AS "isUsed",
           expires_at <= clock_timestamp() AS "isExpired"
      FROM directory.authorization_code WHERE hash = ${sha256(code)}`;
}

/**
 * Spends the code and sets the token of its user and application in one statement: of several concurrent calls one gets the token, and the
 * others find both the used code and a token to revoke. Drops an unreadable token first, so that they all see the same new one. Returns
 * undefined if the code is used or expired, or the user is disabled or disconnected.
 */
async function spendCode(
  deps: Pick<DirectoryDeps, "pool" | "vault" | "log">,
  code: string,
  pair: TokenPair,
): Promise<string | undefined> {
  const { pool, vault } = deps;
  await dropUnreadableToken(deps, pair);
  const row = await queryRow<{ token: Uint8Array }>(prepared(pool))`
    WITH spent AS (
      UPDATE directory.authorization_code SET used_at = clock_timestamp()
       WHERE hash = ${sha256(code)} AND used_at IS NULL AND expires_at > clock_timestamp()
      RETURNING user_id, client_id)
    UPDATE directory.authorization a SET ${keepOrSetToken(vault, pair)}
      FROM spent JOIN directory."user" u ON u.id = spent.user_id AND u.disabled_at IS NULL
     WHERE a.user_id = spent.user_id AND a.client_id = spent.client_id
    RETURNING a.token_sealed AS token`;
  return row && openToken(vault, pair, row.token);
}

/**
 * Revokes a token (ours; RFC 7009); the user's consent stays. Ignores `token_type_hint`, because there is one type of
 * token. Returns success for unknown tokens and for those of other applications, which stay valid (section 2.2).
 */
export async function revoke(deps: TokenDeps, request: FastifyRequest, reply: FastifyReply, client: VerifiedClient) {
  const { token } = bodyOf(request);
  if (Array.isArray(token)) throw tokenError("invalid_request", "token was given more than once");
  if (!token) throw tokenError("invalid_request", "token is required, in the body");
  await revokeSentToken(deps, client.clientId, token);
  return reply.send({});
}
