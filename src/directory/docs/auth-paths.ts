import type { z } from "zod";
import {
  accessTokenParameters,
  authorizationParameters,
  authorizationServerMetadata,
  revocationParameters,
  revocationResponse,
  typedTokenResponse,
} from "../../contract/oauth.ts";
import { tokenResponse } from "../../contract/resources.ts";
import { tokenError, WAIT } from "./answers.ts";
import { describedParameters, formBody, queryParameters } from "./parameters.ts";
import { type Json, markOurs, type Naming } from "./schemas.ts";
import { OAUTH_PARAMETERS } from "./words.ts";

/** The paths of the auth host, which is another server than that of the rest. */
export function authPaths(authUrl: string, naming: Naming): Json {
  const paths: Record<string, Json> = {
    "/oauth2/authenticate": {
      get: dialog(
        "getAuthenticate",
        "Starts a log-in",
        "Redirects at once where the user has already authorized the application.",
      ),
    },
    "/oauth2/authorize": {
      get: dialog("getAuthorize", "Starts a log-in that always asks", "Lets the user log in under another account."),
    },
    "/oauth2/access_token": accessToken(naming),
    "/oauth2/revoke": { post: revocation(naming) },
    "/.well-known/oauth-authorization-server": { get: metadata(naming) },
  };
  const servers = [{ url: authUrl, description: "The auth host" }];
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { servers, ...item }]));
}

const tags = ["oauth2"];

function dialog(operationId: string, summary: string, description: string): Json {
  const page = (text: string) => ({ description: text, content: { "text/html": { schema: { type: "string" } } } });
  return {
    operationId,
    tags,
    summary,
    description: `A page for the user's browser. ${description}`,
    security: [],
    parameters: queryParameters(describedParameters(authorizationParameters, OAUTH_PARAMETERS)),
    responses: {
      200: page("Log-in, or the question whether the application may act for the user."),
      303: {
        description:
          "To the redirect URI: with `code` in the query (code flow) or `access_token` in the fragment (token flow), or " +
          "with `error`, such as `access_denied`. `state` comes along.",
        headers: { Location: { schema: { type: "string" } } },
      },
      400: page("The application or the redirect URI is unknown: never a redirect."),
      500: page("Our fault."),
      503: page("The database does not answer. Try again."),
    },
  };
}

function accessToken(naming: Naming): Json {
  const sent = describedParameters(accessTokenParameters, OAUTH_PARAMETERS);
  const errors = {
    400: tokenError(naming, "Wrong parameters, credentials or code."),
    401: tokenError(naming, "Wrong credentials in HTTP Basic.", CHALLENGE),
    ...temporary(naming),
  };
  const common = { tags, security: [{ client_id: [], client_secret: [] }, { client_basic: [] }] };
  return {
    get: {
      ...common,
      operationId: "getAccessToken",
      summary: "Exchanges a code for the access token",
      parameters: queryParameters(sent),
      responses: { 200: answer("The token.", naming, "Token", tokenResponse), ...errors },
    },
    post: {
      ...common,
      operationId: "postAccessToken",
      summary: "The same, with its parameters in the body",
      requestBody: formBody(sent),
      responses: { 200: answer("The token and its type.", naming, "TypedToken", typedTokenResponse), ...errors },
    },
  };
}

function revocation(naming: Naming): Json {
  return {
    operationId: "postRevoke",
    tags,
    summary: "Ends an access token (RFC 7009)",
    description: markOurs("The user's consent stays: their next log-in gives the application a new token."),
    "x-ours": true,
    security: [{ client_id: [], client_secret: [] }, { client_basic: [] }],
    requestBody: formBody(describedParameters(revocationParameters, OAUTH_PARAMETERS)),
    responses: {
      200: answer("The token is no good any more, if it ever was.", naming, "Revoked", revocationResponse),
      400: tokenError(naming, "Wrong parameters."),
      401: tokenError(naming, "Wrong credentials.", CHALLENGE),
      ...temporary(naming),
    },
  };
}

function metadata(naming: Naming): Json {
  return {
    operationId: "getAuthorizationServerMetadata",
    tags,
    summary: "Where everything is, for client libraries (RFC 8414)",
    description: markOurs(""),
    "x-ours": true,
    security: [],
    responses: {
      200: answer("The addresses and what they can do.", naming, "ServerMetadata", authorizationServerMetadata),
      500: tokenError(naming, "Our fault."),
    },
  };
}

const temporary = (naming: Naming): Json => ({
  429: tokenError(naming, "Too many wrong secrets from this network.", WAIT),
  500: tokenError(naming, "Our fault."),
  503: tokenError(naming, "The database does not answer. Try again.", WAIT),
});

const answer = (description: string, naming: Naming, name: string, schema: z.ZodType): Json => ({
  description,
  content: { "application/json": { schema: naming.refer(name, schema) } },
});

const CHALLENGE = { "WWW-Authenticate": { schema: { type: "string" } } };
