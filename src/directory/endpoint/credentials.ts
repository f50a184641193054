import { z } from "zod";
import { KnownError } from "../../shared/errors.ts";
import type { Access } from "../access.ts";
import type { Count, CountedCall } from "../counters.ts";
import type { DirectoryDeps } from "../deps.ts";
import { findToken, type TokenPair } from "../tokens.ts";
import { verifyClient } from "../verify-client.ts";

/** Who calls: an application, for a user (token) or for itself (userless). */
export interface Caller {
  clientId: string;
  userId?: string;
  /** The application's own limit of calls an hour; null for the usual ones, 0 for none. */
  rateLimit: number | null;
  /** What the application may do. */
  access: Access;
  /** Where the look-up has counted the call already. */
  counted?: Count | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the credentials of a call of the API host are known to be good. */
    caller: Caller | null;
  }
}

/** The parameters that every endpoint takes (interface, "Common parameters"). */
export const commonParameters = z.object({
  v: z.string().optional(),
  oauth_token: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  /** Not accepted (interface, "User authorization", rule 6), only told apart from sending nothing. */
  access_token: z.string().optional(),
});

/**
 * Finds who calls (interface, "Authentication"). With a token and an application's credentials the token decides, as
 * long as both are of one application. Counts the `call` where its window has begun; limitCall does it elsewhere.
 *
 * @throws KnownError invalid_auth: 400 without usable credentials, 401 for a wrong or revoked token
 */
export async function authenticate(
  deps: Pick<DirectoryDeps, "pool" | "vault">,
  given: z.output<typeof commonParameters>,
  call?: CountedCall,
): Promise<Caller> {
  if (given.oauth_token !== undefined) return callerOfToken(deps, given.oauth_token, given.client_id, call);
  if (given.client_id === undefined || given.client_secret === undefined)
    throw invalidAuth(
      400,
      `Send oauth_token, or client_id and client_secret.${given.access_token ? " The token's name is oauth_token." : ""}`,
    );
  const application = await verifyClient(deps, given.client_id, given.client_secret, call);
  if (!application) throw invalidAuth(400, "client_id and client_secret do not belong together.");
  const { rateLimit, access, counted } = application;
  return { clientId: application.clientId, rateLimit, access, counted };
}

async function callerOfToken(
  deps: Pick<DirectoryDeps, "pool" | "vault">,
  token: string,
  clientId: string | undefined,
  call: CountedCall | undefined,
): Promise<Caller> {
  const caller = await findToken(deps, token, call);
  if (!caller) throw invalidAuth(401, "The oauth_token is invalid or was revoked.");
  if (clientId !== undefined && clientId !== caller.clientId)
    throw invalidAuth(400, "The oauth_token belongs to another application than client_id.");
  return caller;
}

const invalidAuth = (status: number, message: string) => new KnownError(status, "invalid_auth", message);

/**
 * The user of the call.
 *
 * @throws KnownError 400 invalid_auth for a userless call: it has no credentials that could be used here (wire-format 3)
 */
export function requireUser(caller: Caller): Caller & TokenPair {
  const { userId } = caller;
  if (userId === undefined) throw invalidAuth(400, "This endpoint acts for a user: send oauth_token.");
  return { ...caller, userId };
}
