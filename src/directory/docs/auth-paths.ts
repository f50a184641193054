import {
  accessTokenParameters,
  authorizationParameters,
  authorizationServerMetadata,
  revocationParameters,
  revocationResponse,
  tokenResponse,
  typedTokenResponse,
} from "../../contract/oauth.ts";
import { metadataOf } from "../auth/metadata.ts";
import { clientSecret } from "./client-secret-path.ts";
import type { Hosts } from "./introduction.ts";
import { formBody, sentIn } from "./parameters.ts";
import { sample } from "./sample.ts";
import { type Json, markOurs, type Naming } from "./schemas.ts";
import { answer, CHALLENGE, temporary, tokenError } from "./token-answers.ts";

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
