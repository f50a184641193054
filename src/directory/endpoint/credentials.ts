import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { parseParameters } from "../../http/parameters.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Access } from "../access.ts";
import { verifyClient } from "../applications/secrets.ts";
import type { Count, CountedCall } from "../counters.ts";
import type { DirectoryDeps } from "../deps.ts";
import { findToken, type TokenPair } from "../tokens.ts";
import { sharedLookUp } from "./lines.ts";

/** An application that calls for a user (token) or for itself (userless). */
export interface Caller {
  clientId: string;
  userId?: string;
  /** Calls an hour; null for the default, 0 for no limit. */
  rateLimit: number | null;
  access: Access;
  /** Of the last write of the user, or without one of the application, in the write-ahead log. */
  position: number | null;
  /** Whether venues of the user wait for approval. */
  hasHeld?: boolean;
  /** Set if the look-up has already counted the call. */
  counted?: Count | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the credentials have been checked. */
    caller: Caller | null;
  }
}

/** Parameters of every endpoint (interface, "Common parameters"). */
const commonParameters = z.object({
  v: z.string().optional(),
  oauth_token: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  /** Not accepted (interface, "User authorization", rule 6); only improves the error message. */
  access_token: z.string().optional(),
});

type Credentials = z.output<typeof commonParameters>;

/**
 * Reads the credentials of a request: its parameters, or as generic OAuth clients send the token, `Authorization: Bearer` (RFC 6750
 * section 2.1; ours). Throws KnownError 400 if both name a token, and not the same.
 */
export function credentialsIn({ headers }: Pick<FastifyRequest, "headers">, raw: unknown): Credentials {
  const given = parseParameters(commonParameters, raw);
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (bearer === undefined) return given;
  if (given.oauth_token === undefined || given.oauth_token === bearer) return { ...given, oauth_token: bearer };
  throw invalidAuth(400, "oauth_token and Authorization: Bearer name different tokens. Send one of them.");
}

/**
 * A token and client credentials must belong to one application; then the token decides (interface, "Authentication").
 * Counts a call of one if its window has begun; all others are counted by limitCall. Throws KnownError invalid_auth: 400 without
 * usable credentials, 401 for an invalid or revoked token.
 */
export async function authenticate(
  deps: Pick<DirectoryDeps, "pool" | "vault">,
  given: Credentials,
  call?: CountedCall,
): Promise<Caller> {
  const { oauth_token, client_id, client_secret } = given;
  if (call?.cost !== 1) return callerOf(deps, given);
  const key = JSON.stringify([call.group, oauth_token, client_id, client_secret]);
  return sharedLookUp(deps.pool, key, call, (all) => callerOf(deps, given, all));
}

async function callerOf(
  deps: Pick<DirectoryDeps, "pool" | "vault">,
  given: Credentials,
  call?: CountedCall,
): Promise<Caller> {
  if (given.oauth_token !== undefined) return callerOfToken(deps, given.oauth_token, given.client_id, call);
  if (given.client_id === undefined || given.client_secret === undefined)
    throw invalidAuth(
      400,
      `Send oauth_token, or client_id and client_secret.${given.access_token ? " The token's parameter is oauth_token." : ""}`,
    );
  const application = await verifyClient(deps, given.client_id, given.client_secret, call);
  if (!application) throw invalidAuth(400, "client_id and client_secret do not belong together.");
  const { clientId, rateLimit, access, position, counted } = application;
  return { clientId, rateLimit, access, position, counted };
}

async function callerOfToken(
  deps: Pick<DirectoryDeps, "pool" | "vault">,
  token: string,
  clientId: string | undefined,
  call: CountedCall | undefined,
): Promise<Caller> {
  const caller = await findToken(deps, token, call);
  if (!caller) throw invalidAuth(401, "The oauth_token is invalid or was revoked.", CHALLENGE);
  if (clientId !== undefined && clientId !== caller.clientId)
    throw invalidAuth(400, "The oauth_token belongs to another application than client_id.");
  return caller;
}

/** RFC 6750 section 3. */
const CHALLENGE = { "www-authenticate": 'Bearer error="invalid_token"' };

const invalidAuth = (status: number, message: string, headers: Record<string, string> = {}) =>
  new KnownError(status, "invalid_auth", message, { headers });

/** Throws KnownError 400 invalid_auth unless the call acts for a user (wire-format 3). */
export function requireUser(caller: Caller): Caller & TokenPair {
  const { userId } = caller;
  if (userId === undefined) throw invalidAuth(400, "This endpoint acts for a user: send oauth_token.");
  return { ...caller, userId };
}
