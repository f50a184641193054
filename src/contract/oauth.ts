import { z } from "zod";
import { ours } from "./ours.ts";
import { shown } from "./resources.ts";

const clientId = z.string().meta({ description: "The application's client id." });

/** Endpoints of the auth host for applications' servers; the last two are ours. */
export const ACCESS_TOKEN_PATH = "/oauth2/access_token";
export const REVOCATION_PATH = "/oauth2/revoke";
export const CLIENT_SECRET_PATH = "/oauth2/client_secret";

/** Parameters of GET {auth_url}/oauth2/authenticate and /oauth2/authorize (RFC 6749, RFC 7636). */
export const authorizationParameters = z.object({
  client_id: clientId,
  response_type: z.enum(["code", "token"]).meta({
    description: "`code` for the code flow of web servers, `token` for the token flow of applications without one.",
  }),
  redirect_uri: z
    .string()
    .optional()
    .meta({
      description:
        "A redirect URI registered for the application. One with web connect may leave it out: the answer then goes to " +
        "its first.",
    }),
  display: z.enum(["touch", "wap", "webpopup"]).optional().meta({
    description: "`touch`, `wap`, or `webpopup`: the dialog is in a window of its own that closes afterwards.",
  }),
  state: z.string().optional().meta({ description: "Given back unchanged." }),
  code_challenge: z.string().optional().meta({ description: "PKCE (RFC 7636): optional, and enforced once begun." }),
  code_challenge_method: z.literal("S256").optional().meta({ description: "With `code_challenge`." }),
  prompt: ours(z.literal("login"))
    .optional()
    .meta({
      description:
        "`login`: the user gives their password for this log-in, also when they are signed in. The exchange of the code " +
        "then answers `auth_time` as well. Other values are ignored.",
    }),
  max_age: ours(z.literal("0")).optional().meta({
    description: "`0`: the same as `prompt=login`. Other values are ignored.",
  }),
});

/** Optional, because HTTP Basic may carry them instead. */
const credentials = {
  client_id: clientId.optional(),
  client_secret: z.string().optional().meta({ description: "The application's client secret." }),
};

/** Parameters of {auth_url}/oauth2/access_token (RFC 6749 section 4.1.3). */
export const accessTokenParameters = z.object({
  ...credentials,
  grant_type: z
    .literal("authorization_code")
    .meta({ description: "`authorization_code`. The password grant is not allowed." }),
  code: z.string().meta({ description: "From the redirect. Good once, for 60 seconds." }),
  redirect_uri: z.string().optional().meta({ description: "The same as at the log-in." }),
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{43,128}$/)
    .optional()
    .meta({ description: "PKCE: what the `code_challenge` was made from." }),
});

export const tokenResponse = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  auth_time: shown(ours(z.number().int())).meta({
    description: "When the user entered their password, in epoch seconds; only if the log-in asked for it again.",
  }),
});

/** Response to a POST or a call with HTTP Basic (RFC 6749 section 5.1). A plain GET returns only the token. */
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

export type TokenErrorCode = z.output<typeof tokenErrorResponse>["error"];

/** Parameters of POST {auth_url}/oauth2/revoke (ours; RFC 7009 section 2.1). */
export const revocationParameters = z.object({
  ...credentials,
  token: z.string().meta({ description: "The access token that is to end." }),
  token_type_hint: z.string().optional().meta({ description: "Taken and ignored." }),
});

export const revocationResponse = z.strictObject({});

/** Parameters of POST {auth_url}/oauth2/client_secret (ours). */
export const rotationParameters = z.object({
  ...credentials,
  overlap: z
    .string()
    .regex(/^\d{1,6}$/)
    .default("86400")
    .meta({
      description: "How many more seconds the secret of this call works: 0 to 604800, which is seven days.",
    }),
});

const time = z.iso.datetime();

/** Response of GET {auth_url}/oauth2/client_secret: the live secrets, the current one first. */
export const clientSecretsResponse = z.strictObject({
  client_id: z.string(),
  secrets: z.array(
    z.strictObject({
      created_at: time,
      expires_at: time.nullable().meta({ description: "When it stops working; null for the current one." }),
      last_used_at: time.nullable(),
      current: z.boolean(),
      used_now: z.boolean().meta({ description: "Whether the call was made with it." }),
    }),
  ),
});

export const rotationResponse = z.strictObject({
  client_id: z.string(),
  client_secret: z.string(),
  created_at: time,
  client_secret_expires_at: z.literal(0).meta({ description: "0: never (RFC 7591 section 3.2.1)." }),
  previous_expires_at: time.meta({ description: "When the secret that the call was made with stops working." }),
});

export const endedSecretsResponse = z.strictObject({ client_id: z.string(), ended: z.number().int() });

/** Response of GET {auth_url}/.well-known/oauth-authorization-server (ours; RFC 8414 section 2). */
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
  address_locate_endpoint: ours(z.url()).meta({ description: "GET {base_url}/v2/addresses/locate." }),
  map_tile_endpoint: ours(z.url()).meta({ description: "GET {base_url}/v2/map/tile." }),
  venue_propose_endpoint: ours(z.url()).meta({ description: "POST {base_url}/v2/venues/propose." }),
  operator_page: ours(z.url()).meta({ description: "Where operators of the directory work." }),
  demo_data_page: ours(z.url().optional()).meta({
    description: "Where operators remove the demo data. Only while there is any.",
  }),
  venue_match_endpoint: ours(z.url()).meta({ description: "POST {base_url}/v2/venues/match." }),
  venue_match_lines: ours(z.int()).meta({
    description: "How many listings POST {base_url}/v2/venues/match takes as NDJSON, one a line.",
  }),
  venue_lookup_lines: ours(z.int()).meta({
    description: "How many ids POST {base_url}/v2/venues/lookup takes as NDJSON, one a line.",
  }),
  venue_add_lines: ours(z.int()).meta({
    description: "How many calls POST {base_url}/v2/venues/add takes as NDJSON, one a line.",
  }),
  venue_annotate_lines: ours(z.int()).meta({
    description: "How many calls POST {base_url}/v2/venues/annotate takes as NDJSON, one a line.",
  }),
  venue_delete_lines: ours(z.int()).meta({
    description: "How many calls POST {base_url}/v2/venues/delete takes as NDJSON, one a line.",
  }),
  idempotency_keys_supported: ours(z.boolean()).meta({
    description: "Whether venues/add and annotate run only once for the same Idempotency-Key.",
  }),
  service_documentation: z.url(),
});
