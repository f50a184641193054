import type { FastifyReply, FastifyRequest } from "fastify";
import type { VerifiedClient } from "../../applications/verify-client.ts";
import { revokeSentToken } from "../../tokens.ts";
import { bodyOf, type TokenDeps, tokenError } from "./authentication.ts";

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
