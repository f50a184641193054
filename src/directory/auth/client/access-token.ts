import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../../../http/routes.ts";
import type { VerifiedClient } from "../../applications/verify-client.ts";
import { revokeToken } from "../../tokens.ts";
import { refuseStopped, type Sent, type TokenDeps, tokenError, usesBasic } from "./authentication.ts";
import { findCode, type IssuedCode, spendCode } from "./codes.ts";

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
