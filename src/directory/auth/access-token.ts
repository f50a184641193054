import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../../http/routes.ts";
import { revokeToken } from "../tokens.ts";
import type { VerifiedClient } from "../verify-client.ts";
import { refuseStopped, type Sent, type TokenDeps, tokenError, usesBasic } from "./client-authentication.ts";
import { findCode, type IssuedCode, spendCode } from "./codes.ts";

type Fields = Partial<Record<(typeof PARAMETERS)[number], string>>;
const PARAMETERS = ["grant_type", "redirect_uri", "code", "code_verifier"] as const;

/** An application that sends a code to exchange. */
interface Exchange {
  application: VerifiedClient;
  fields: Fields & { code: string };
}

/** Applications that send a code to exchange, and the right secret. */
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

/**
 * GET and POST {auth_url}/oauth2/access_token: exchanges a code for the access token (interface; RFC 6749 section 4.1.3).
 * Parameters stand in the query, in a urlencoded body, and the client's credentials also in HTTP Basic.
 */
export async function exchangeCode(deps: TokenDeps, request: FastifyRequest, reply: FastifyReply, asked: Exchange) {
  const answer = await exchange(deps, asked);
  const isPlain = request.method === "GET" && !usesBasic(request);
  return reply.send(isPlain ? answer : { ...answer, token_type: "bearer" });
}

/** Every check in its order, then one statement that spends the code. A failed check leaves the code as it was. */
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
  // Used before: one of the two who had it is a thief, and nobody knows which (RFC 6749 section 4.1.2)
  await revokeToken(deps, code);
  throw tokenError("invalid_grant", "the code was used already: its access token is revoked, log in again");
}

/** Of a code that took a fresh log-in, in epoch seconds; every other answer is the interface's and no more. */
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

/**
 * RFC 6749 section 4.1.3: the redirect URI the code was asked for with. Who left it out then, for web connect, may leave
 * it out now, or name the one that was meant: the first.
 */
function checkRedirectUri({ redirectUri }: IssuedCode, { redirect_uri }: Fields, [first]: string[]): void {
  if (redirectUri === "" && (!redirect_uri || redirect_uri === first)) return;
  if (!redirect_uri) throw tokenError("invalid_request", "redirect_uri is required: the code was asked for with one");
  if (redirect_uri !== redirectUri)
    throw tokenError("invalid_grant", "redirect_uri is not the one the code was asked for with");
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
