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
import { type Json, markOurs, type Naming } from "./schemas.ts";
import { answer, CHALLENGE, temporary, tokenError } from "./token-answers.ts";

/** The paths of the auth host, which is another server than that of the rest. */
export function authPaths({ authUrl, apiUrl }: Hosts, naming: Naming): Json {
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
    "/oauth2/client_secret": clientSecret(naming),
    "/.well-known/oauth-authorization-server": { get: metadata(naming, metadataOf(authUrl, apiUrl)) },
  };
  const servers = [{ url: authUrl, description: "The auth host" }];
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, { servers, ...withCommands(authUrl + path, item) }]),
  );
}

/** The page of the documentation cannot call the other host, so it shows commands that do. */
function withCommands(url: string, item: Json): Json {
  const operations = Object.entries(item).map(([method, operation]) => {
    const { operationId, description } = operation as { operationId: string; description?: string };
    const command = COMMANDS[operationId];
    if (!command) throw new RangeError(`The documentation has no command for ${operationId}.`);
    const text = [description, `\`\`\`\n${command(url)}\n\`\`\``].filter(Boolean).join("\n\n");
    return [method, { ...(operation as Json), description: text }];
  });
  return Object.fromEntries(operations);
}

const CODE = ["grant_type=authorization_code", "redirect_uri=YOUR_REDIRECT_URI", "code=CODE"];
const asClient = (url: string, ...options: string[]) =>
  ["curl", ...options, "-u CLIENT_ID:CLIENT_SECRET", url].join(" ");
const inBrowser = (url: string) => `${url}?client_id=CLIENT_ID&response_type=code&redirect_uri=YOUR_REDIRECT_URI`;

/** By operation: a command for a shell or, for a dialog, an address for a browser. */
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
  const errors = {
    400: tokenError(naming, "invalid_grant", "Wrong parameters, credentials or code."),
    401: tokenError(naming, "invalid_client", "Wrong credentials in HTTP Basic.", CHALLENGE),
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
      summary: "The same, with its parameters in the body",
      requestBody: formBody(accessTokenParameters),
      responses: {
        200: answer("The token and its type.", naming.refer("TypedToken", typedTokenResponse), {
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
    description: markOurs("The user's consent stays: their next log-in gives the application a new token."),
    "x-ours": true,
    security: CLIENT,
    requestBody: formBody(revocationParameters),
    responses: {
      200: answer("The token is no good any more, if it ever was.", naming.refer("Revoked", revocationResponse), {}),
      400: tokenError(naming, "invalid_request", "Wrong parameters."),
      401: tokenError(naming, "invalid_client", "Wrong credentials.", CHALLENGE),
      ...temporary(naming),
    },
  };
}

function metadata(naming: Naming, example: Json): Json {
  return {
    operationId: "getAuthorizationServerMetadata",
    tags,
    summary: "Where everything is, for client libraries (RFC 8414)",
    description: markOurs(""),
    "x-ours": true,
    security: [],
    responses: {
      200: answer(
        "The addresses and what they can do.",
        naming.refer("ServerMetadata", authorizationServerMetadata),
        example,
      ),
      500: tokenError(naming, "server_error", "Our fault."),
    },
  };
}

/** An application's credentials, as parameters or in HTTP Basic. */
const CLIENT = [{ client_id: [], client_secret: [] }, { client_basic: [] }];
const TOKEN = { access_token: "A-USERS-ACCESS-TOKEN" };
