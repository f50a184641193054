import { z } from "zod";
import { ours } from "./ours.ts";
import { tokenResponse } from "./resources.ts";

/** What applications call on the auth host from their servers; the last two are ours. */
export const ACCESS_TOKEN_PATH = "/oauth2/access_token";
export const REVOCATION_PATH = "/oauth2/revoke";
export const CLIENT_SECRET_PATH = "/oauth2/client_secret";

/** Parameters of GET {auth_url}/oauth2/authenticate and /oauth2/authorize (interface; RFC 6749, RFC 7636). */
export const authorizationParameters = z.object({
  client_id: z.string(),
  response_type: z.enum(["code", "token"]),
  /** May be left out by an application with web connect: the answer then goes to its first. */
  redirect_uri: z.string().optional(),
  display: z.enum(["touch", "wap", "webpopup"]).optional(),
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.literal("S256").optional(),
  prompt: ours(z.literal("login")).optional(),
  max_age: ours(z.literal("0")).optional(),
});

/** The application's credentials, unless they stand in HTTP Basic. */
const credentials = { client_id: z.string().optional(), client_secret: z.string().optional() };

/** Parameters of {auth_url}/oauth2/access_token (interface; RFC 6749 section 4.1.3). */
export const accessTokenParameters = z.object({
  ...credentials,
  grant_type: z.literal("authorization_code"),
  code: z.string(),
  redirect_uri: z.string().optional(),
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{43,128}$/)
    .optional(),
});

/** What a POST, or a call with HTTP Basic, is answered (RFC 6749 section 5.1). A plain GET has the token alone. */
export const typedTokenResponse = tokenResponse.extend({ token_type: z.literal("bearer") });

/** Errors of the token endpoints (RFC 6749 section 5.2). */
export const tokenErrorResponse = z.object({
  error: z.enum([
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "rate_limit_exceeded",
    "unavailable",
    "server_error",
  ]),
  error_description: z.string(),
});

/** Parameters of POST {auth_url}/oauth2/revoke (ours; RFC 7009 section 2.1). */
export const revocationParameters = z.object({
  ...credentials,
  token: z.string(),
  token_type_hint: z.string().optional(),
});

/** Answer of POST {auth_url}/oauth2/revoke, whatever became of the token. */
export const revocationResponse = z.strictObject({});

/** Parameters of POST {auth_url}/oauth2/client_secret (ours). */
export const rotationParameters = z.object({
  ...credentials,
  /** In seconds. */
  overlap: z
    .string()
    .regex(/^\d{1,6}$/)
    .default("86400"),
});

const time = z.iso.datetime();

/** Answer of GET {auth_url}/oauth2/client_secret: the live secrets, the current one first. */
export const clientSecretsResponse = z.strictObject({
  client_id: z.string(),
  secrets: z.array(
    z.strictObject({
      created_at: time,
      /** When it stops working; null for the current one. */
      expires_at: time.nullable(),
      last_used_at: time.nullable(),
      current: z.boolean(),
      /** It is the one that the call was made with. */
      used_now: z.boolean(),
    }),
  ),
});

/** Answer of POST {auth_url}/oauth2/client_secret. */
export const rotationResponse = z.strictObject({
  client_id: z.string(),
  client_secret: z.string(),
  created_at: time,
  /** 0: never (RFC 7591 section 3.2.1). */
  client_secret_expires_at: z.literal(0),
  /** When the secret that the call was made with stops working. */
  previous_expires_at: time,
});

/** Answer of DELETE {auth_url}/oauth2/client_secret: how many were ended. */
export const endedSecretsResponse = z.strictObject({ client_id: z.string(), ended: z.number().int() });

/** Answer of GET {auth_url}/.well-known/oauth-authorization-server (ours; RFC 8414 section 2). */
export const authorizationServerMetadata = z.strictObject({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint: z.url(),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  prompt_values_supported: z.array(z.string()),
  client_secret_endpoint: z.url(),
  /** Ours: POST {base_url}/v2/venues/match. */
  venue_match_endpoint: ours(z.url()),
  /** Ours: venues/add and annotate with the same Idempotency-Key take place once. */
  idempotency_keys_supported: ours(z.boolean()),
  service_documentation: z.url(),
});
