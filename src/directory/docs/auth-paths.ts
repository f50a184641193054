import { authorizationParameters, authorizationServerMetadata, tokenErrorResponse } from "../../contract/oauth.ts";
import { type Json, markOurs, sentIn } from "../../http/json-schema.ts";
import { EXCHANGED, type TokenCall, type TokenEndpoint, tokenEndpoints } from "../auth/client/endpoints.ts";
import { metadataOf } from "../auth/metadata.ts";
import { RETRY_AFTER } from "./answers.ts";
import type { Hosts } from "./introduction.ts";
import { sample } from "./sample.ts";
import { formBody, type Naming } from "./schemas.ts";

export function authPaths({ authUrl, apiUrl }: Hosts, naming: Naming): Json {
  const paths: Record<string, Json> = {
    "/oauth2/authenticate": dialog(
      `${authUrl}/oauth2/authenticate`,
      { operationId: "getAuthenticate", summary: "Starts a log-in" },
      "Redirects at once if the user has already authorized the application.",
    ),
    "/oauth2/authorize": dialog(
      `${authUrl}/oauth2/authorize`,
      { operationId: "getAuthorize", summary: "Starts a log-in that always asks" },
      "Lets the user log in with another account.",
    ),
    ...Object.fromEntries(tokenEndpoints.map((endpoint) => [endpoint.path, tokenPath(naming, endpoint, authUrl)])),
    "/.well-known/oauth-authorization-server": metadata(naming, authUrl, metadataOf(authUrl, apiUrl)),
  };
  const servers = [{ url: authUrl, description: "The auth host" }];
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { servers, ...item }]));
}

const tags = ["oauth2"];

function dialog(url: string, named: { operationId: string; summary: string }, description: string): Json {
  const page = (text: string) => ({ description: text, content: { "text/html": { schema: { type: "string" } } } });
  const get = {
    ...named,
    tags,
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
    ...sample(`${url}?client_id=CLIENT_ID&response_type=code&redirect_uri=YOUR_REDIRECT_URI`),
  };
  return { get };
}

function metadata(naming: Naming, authUrl: string, example: Json): Json {
  const get = {
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
      ...tokenErrors(naming, { 500: ["server_error", "Server error."] }),
    },
    ...sample(`curl ${authUrl}/.well-known/oauth-authorization-server`),
  };
  return { get };
}

const tokenPath = (naming: Naming, endpoint: TokenEndpoint, authUrl: string): Json =>
  Object.fromEntries(
    endpoint.calls.map((call) => [
      call.row.method.toLowerCase(),
      { ...operation(naming, endpoint, call), ...sample(commandOf(endpoint, call, authUrl)) },
    ]),
  );

function operation(naming: Naming, endpoint: TokenEndpoint, call: TokenCall): Json {
  const { path, isOurs, takesCredentials, refusals } = endpoint;
  const { row, summary, description = "", parameters } = call;
  const { name, schema, example, description: success } = call.answer;
  const inQuery = row.method === "GET";
  return {
    operationId: operationId(row.method, path),
    tags,
    summary,
    ...(isOurs && { description: markOurs(description), "x-ours": true }),
    security: [...(takesCredentials ? [{ client_id: [], client_secret: [] }] : []), { client_basic: [] }],
    ...(parameters && (inQuery ? { parameters: sentIn("query", parameters) } : { requestBody: formBody(parameters) })),
    responses: {
      200: answer(success, naming.refer(name, schema), example),
      ...tokenErrors(naming, { ...refusals, ...call.refusals, ...TEMPORARY }),
    },
  };
}

/** GET of /oauth2/access_token is getAccessToken. */
const operationId = (method: string, path: string) =>
  method.toLowerCase() +
  path
    .replace("/oauth2/", "")
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function commandOf({ path, takesCredentials }: TokenEndpoint, { row, options = [] }: TokenCall, authUrl: string) {
  const url = authUrl + path;
  return takesCredentials && row.method === "GET"
    ? `curl "${url}?client_id=CLIENT_ID&client_secret=CLIENT_SECRET&${EXCHANGED.join("&")}"`
    : ["curl", ...options, "-u CLIENT_ID:CLIENT_SECRET", url].join(" ");
}

const answer = (description: string, schema: Json, example: Json): Json => ({
  description,
  content: { "application/json": { schema, example } },
});

const TEMPORARY: TokenEndpoint["refusals"] = {
  429: ["rate_limit_exceeded", "Too many wrong secrets from this network."],
  500: ["server_error", "Server error."],
  503: ["unavailable", "The database is not responding. Try again."],
};

/** The code stands in the example. */
function tokenErrors(naming: Naming, refusals: TokenEndpoint["refusals"]): Json {
  const schema = naming.refer("TokenError", tokenErrorResponse);
  const answers = Object.entries(refusals).map(([status, [error, description]]) => [
    status,
    { ...answer(description, schema, { error, error_description: description }), headers: HEADERS[status] ?? {} },
  ]);
  return Object.fromEntries(answers);
}

const HEADERS: Record<string, Json> = {
  401: { "WWW-Authenticate": { schema: { type: "string" } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};
