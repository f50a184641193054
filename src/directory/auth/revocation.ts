import type { FastifyReply, FastifyRequest } from "fastify";
import { revokeSentToken } from "../tokens.ts";
import type { VerifiedClient } from "../verify-client.ts";
import { bodyOf, type TokenDeps, tokenError } from "./client-authentication.ts";

/**
 * POST {auth_url}/oauth2/revoke (ours; RFC 7009): an application gives a token back, which is dead from then on. The
 * consent is the user's to end, in the settings; with it their next log-in gives the application a new token.
 *
 * Parameters stand in the body, since they are secrets: `token`, and the client's credentials unless they are in HTTP
 * Basic. `token_type_hint` is ignored: there is one kind of token. An unknown token, or another application's, is
 * answered like one of its own (section 2.2) and stays as it is.
 */
export async function revoke(deps: TokenDeps, request: FastifyRequest, reply: FastifyReply, client: VerifiedClient) {
  const { token } = bodyOf(request);
  if (Array.isArray(token)) throw tokenError("invalid_request", "token was given more than once");
  if (!token) throw tokenError("invalid_request", "token is required, in the body");
  await revokeSentToken(deps, client.clientId, token);
  return reply.send({});
}
