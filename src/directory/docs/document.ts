import { z } from "zod";
import { callback, idempotencyKey } from "../../contract/common-parameters.ts";
import { version } from "../../contract/parameters.ts";
import { type Json, markOurs, sentIn } from "../../http/json-schema.ts";
import type { RegisteredEndpoint } from "../endpoint/declaration.ts";
import { samplesAt } from "../endpoint/samples.ts";
import { sharedAnswers } from "./answers.ts";
import { apiPaths } from "./api-paths.ts";
import { authPaths } from "./auth-paths.ts";
import { type Hosts, introduction } from "./introduction.ts";
import { reconcilePaths } from "./reconcile-paths.ts";
import { type Sent, withSamples } from "./sample.ts";
import { createSchemaNames } from "./schemas.ts";

export function openApiDocument(endpoints: readonly RegisteredEndpoint[], hosts: Hosts) {
  const { authUrl, apiUrl } = hosts;
  const naming = createSchemaNames();
  const ownPaths = { ...apiPaths(endpoints, naming, samplesAt(apiUrl)), ...reconcilePaths(naming, apiUrl) };
  const paths = { ...withSamples(ownPaths, apiUrl, PARAMETERS), ...authPaths(hosts, naming) };
  return {
    openapi: "3.1.0",
    info: { title: "Samespot venue directory", version: "2", description: introduction(hosts) },
    servers: [{ url: apiUrl, description: "The API host" }],
    tags: [
      { name: "venues", description: "Search, add and annotate venues" },
      { name: "users", description: "The user of the token" },
      { name: "checkins", description: "Check-ins" },
      { name: "addresses", description: "Positions of addresses" },
      { name: "map", description: "Streets and towns for maps" },
      { name: "multi", description: "Several calls in one" },
      { name: "reconcile", description: "Reconciliation service for OpenRefine" },
      { name: "oauth2", description: "Log-in and tokens on the auth host" },
    ],
    paths,
    components: {
      schemas: naming.schemas(),
      ...sharedAnswers(),
      parameters: PARAMETERS,
      securitySchemes: securitySchemes(authUrl),
    },
  };
}

const PARAMETERS: Record<string, Sent> = Object.fromEntries([
  ["Version", ...sentIn("query", z.object({ v: version }))],
  ["Callback", ...sentIn("query", z.object({ callback: callback.optional() }))],
  ["IdempotencyKey", ...sentIn("header", z.object({ "Idempotency-Key": idempotencyKey.optional() }))],
]);

function securitySchemes(authUrl: string): Json {
  const inQuery = (name: string, description: string) => ({ type: "apiKey", in: "query", name, description });
  const authorizationUrl = `${authUrl}/oauth2/authenticate`;
  return {
    oauth_token: inQuery("oauth_token", "A user's access token."),
    client_id: inQuery("client_id", "The application's client id, together with its client secret."),
    client_secret: inQuery("client_secret", "The application's client secret."),
    bearer: {
      type: "http",
      scheme: "bearer",
      description: markOurs("A user's access token, instead of `oauth_token`."),
    },
    client_basic: {
      type: "http",
      scheme: "basic",
      description: "Client id and client secret, at the token endpoints only.",
    },
    oauth2: {
      type: "oauth2",
      description: "How to get a token. Send it as `oauth_token`.",
      flows: {
        authorizationCode: { authorizationUrl, tokenUrl: `${authUrl}/oauth2/access_token`, scopes: {} },
        implicit: { authorizationUrl, scopes: {} },
      },
    },
  };
}
