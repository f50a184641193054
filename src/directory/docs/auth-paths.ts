import type { z } from "zod";
import {
  accessTokenParameters,
  authorizationParameters,
  authorizationServerMetadata,
  clientSecretsResponse,
  endedSecretsResponse,
  revocationParameters,
  revocationResponse,
  rotationParameters,
  rotationResponse,
  tokenErrorResponse,
  tokenResponse,
  typedTokenResponse,
} from "../../contract/oauth.ts";
import { type Json, markOurs, sentIn } from "../../http/json-schema.ts";
import { metadataOf } from "../auth/metadata.ts";
import { WAIT } from "./answers.ts";
import type { Hosts } from "./introduction.ts";
import { sample } from "./sample.ts";
import { formBody, type Naming } from "./schemas.ts";

export function authPaths({ authUrl, apiUrl }: Hosts, naming: Naming): Json {
  const paths: Record<string, Json> = {
    "/oauth2/authenticate": {
      get: dialog(
        "getAuthenticate",
        "Starts a log-in",
        "Redirects at once if the user has already authorized the application.",
      ),
    },
    "/oauth2/authorize": {
      get: dialog("getAuthorize", "Starts a log-in that always asks", "Lets the user log in with another account."),
    },
    "/oauth2/access_token": accessToken(naming),
    "/oauth2/revoke": { post: revocation(naming) },
    "/oauth2/client_secret": clientSecret(naming),
    "/.well-known/oauth-authorization-server": { get: metadata(naming, metadataOf(authUrl, apiUrl)) },
  };
  const servers = [{ url: authUrl, description: "The auth host" }];
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, { servers, ...withCommands(authUrl + path, item) }]),
  );
}

function withCommands(url: string, item: Json): Json {
  const operations = Object.entries(item).map(([method, operation]) => {
    const { operationId } = operation as { operationId: string };
    const command = COMMANDS[operationId];
    if (!command) throw new RangeError(`The documentation has no command for ${operationId}.`);
    return [method, { ...(operation as Json), ...sample(command(url)) }];
  });
  return Object.fromEntries(operations);
}

const CODE = ["grant_type=authorization_code", "redirect_uri=YOUR_REDIRECT_URI", "code=CODE"];
const asClient = (url: string, ...options: string[]) =>
  ["curl", ...options, "-u CLIENT_ID:CLIENT_SECRET", url].join(" ");
const inBrowser = (url: string) => `${url}?client_id=CLIENT_ID&response_type=code&redirect_uri=YOUR_REDIRECT_URI`;

/** Shell commands by operation; for log-in pages, addresses for a browser. */
const COMMANDS: Record<string, (url: string) => string> = {
  getAuthenticate: inBrowser,
  getAuthorize: inBrowser,
  getAccessToken: (url) => `curl "${url}?client_id=CLIENT_ID&client_secret=CLIENT_SECRET&${CODE.join("&")}"`,
  postAccessToken: (url) => asClient(url, ...CODE.map((field) => `-d ${field}`)),
  postRevoke: (url) => asClient(url, "-d token=TOKEN"),
  getClientSecret: (url) => asClient(url),
  postClientSecret: (url) => asClient(url, "-X POST"),
  deleteClientSecret: (url) => asClient(url, "-X DELETE"),
  getAuthorizationServerMetadata: (url) => `curl ${url}`,
};

const tags = ["oauth2"];

function dialog(operationId: string, summary: string, description: string): Json {
  const page = (text: string) => ({ description: text, content: { "text/html": { schema: { type: "string" } } } });
  return {
    operationId,
    tags,
    summary,
    description: `A page for the user's browser. ${description}`,
    security: [],
    parameters: sentIn("query", authorizationParameters),
    responses: {
      200: page("The log-in form, or the consent form for the application."),
      303: {
        description:
          "Redirects to the redirect URI: with `code` in the query (code flow) or `access_token` in the fragment (token flow), or " +
          "with `error`, such as `access_denied`. Includes `state`.",
        headers: { Location: { schema: { type: "string" } } },
      },
      400: page("The application or the redirect URI is unknown. Never redirects."),
      500: page("Server error."),
      503: page("The database is not responding. Try again."),
    },
  };
}

function accessToken(naming: Naming): Json {
  const errors = {
    400: tokenError(naming, "invalid_grant", "Invalid parameters, credentials or code."),
    401: tokenError(naming, "invalid_client", "Invalid credentials in HTTP Basic.", CHALLENGE),
    ...temporary(naming),
  };
  const common = { tags, security: CLIENT };
  return {
    get: {
      ...common,
      operationId: "getAccessToken",
      summary: "Exchanges a code for the access token",
      parameters: sentIn("query", accessTokenParameters),
      responses: { 200: answer("The token.", naming.refer("Token", tokenResponse), TOKEN), ...errors },
    },
    post: {
      ...common,
      operationId: "postAccessToken",
      summary: "Exchanges a code for the access token, with the parameters in the body",
      requestBody: formBody(accessTokenParameters),
      responses: {
        200: answer("The token with its type.", naming.refer("TypedToken", typedTokenResponse), {
          ...TOKEN,
          token_type: "bearer",
        }),
        ...errors,
      },
    },
  };
}

function revocation(naming: Naming): Json {
  return {
    operationId: "postRevoke",
    tags,
    summary: "Ends an access token (RFC 7009)",
    description: markOurs("The user's consent stays, so their next log-in issues a new token."),
    "x-ours": true,
    security: CLIENT,
    requestBody: formBody(revocationParameters),
    responses: {
      200: answer("The token is no longer valid, if it ever was.", naming.refer("Revoked", revocationResponse), {}),
      400: tokenError(naming, "invalid_request", "Invalid parameters."),
      401: tokenError(naming, "invalid_client", "Invalid credentials.", CHALLENGE),
      ...temporary(naming),
    },
  };
}

function metadata(naming: Naming, example: Json): Json {
  return {
    operationId: "getAuthorizationServerMetadata",
    tags,
    summary: "Server metadata for client libraries (RFC 8414)",
    description: markOurs(""),
    "x-ours": true,
    security: [],
    responses: {
      200: answer(
        "The endpoints and what they support.",
        naming.refer("ServerMetadata", authorizationServerMetadata),
        example,
      ),
      500: tokenError(naming, "server_error", "Server error."),
    },
  };
}

const CLIENT = [{ client_id: [], client_secret: [] }, { client_basic: [] }];
const TOKEN = { access_token: "A-USERS-ACCESS-TOKEN" };

function clientSecret(naming: Naming): Json {
  const listed = naming.refer("ClientSecrets", clientSecretsResponse);
  const rotated = naming.refer("RotatedSecret", rotationResponse);
  const ended = naming.refer("EndedSecrets", endedSecretsResponse);
  const errors = {
    400: tokenError(naming, "invalid_request", "Invalid parameters, or parameters in the query."),
    401: tokenError(naming, "invalid_client", "Invalid credentials.", CHALLENGE),
    403: tokenError(naming, "unauthorized_client", "The application's owner does not let it change its own secret."),
    ...temporary(naming),
  };
  const operation = (operationId: string, summary: string, description: string, answers: Json): Json => ({
    operationId,
    tags: ["oauth2"],
    summary,
    description: markOurs(description),
    "x-ours": true,
    security: [{ client_basic: [] }],
    responses: { ...answers, ...errors },
  });
  return {
    get: operation("getClientSecret", "Lists the application's live secrets", "", {
      200: answer("The live secrets, the current one first. The secrets themselves are not included.", listed, LISTED),
    }),
    post: {
      ...operation("postClientSecret", "Creates a new secret for the application", ROTATION, {
        200: answer("The new secret, which is shown only once.", rotated, ROTATED),
      }),
      requestBody: formBody(rotationParameters),
    },
    delete: operation("deleteClientSecret", "Ends all other secrets of the application", "", {
      200: answer("The number of secrets ended.", ended, ENDED),
      409: tokenError(naming, "invalid_request", "The call used an older secret. Switch to the newest first."),
    }),
  };
}

const ROTATION =
  "The secret used for this call keeps working for the overlap; any other ends at once. If the response was lost, call again " +
  "with the same secret: this ends the new secret that you did not receive.";

const client_id = "YOUR-CLIENT-ID";
const created_at = "2026-01-31T12:00:00.000Z";
const LISTED = {
  client_id,
  secrets: [{ created_at, expires_at: null, last_used_at: created_at, current: true, used_now: true }],
};
const ROTATED = {
  client_id,
  client_secret: "A-NEW-SECRET",
  created_at,
  client_secret_expires_at: 0,
  previous_expires_at: "2026-02-01T12:00:00.000Z",
};
const ENDED = { client_id, ended: 1 };

const answer = (description: string, schema: Json, example: Json): Json => ({
  description,
  content: { "application/json": { schema, example } },
});

const temporary = (naming: Naming): Json => ({
  429: tokenError(naming, "rate_limit_exceeded", "Too many wrong secrets from this network.", WAIT),
  500: tokenError(naming, "server_error", "Server error."),
  503: tokenError(naming, "unavailable", "The database is not responding. Try again.", WAIT),
});

/** Describes an error response; `error` is the code in its example. */
function tokenError(
  naming: Naming,
  error: z.output<typeof tokenErrorResponse>["error"],
  description: string,
  headers: Json = {},
): Json {
  const example = { error, error_description: description };
  return { ...answer(description, naming.refer("TokenError", tokenErrorResponse), example), headers };
}

const CHALLENGE = { "WWW-Authenticate": { schema: { type: "string" } } };
