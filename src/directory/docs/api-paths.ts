import type { z } from "zod";
import { duplicateVenuesResponse, otherVenueResponse } from "../../contract/resources.ts";
import type { RegisteredEndpoint } from "../api/endpoint.ts";
import { apiAnswer, errorAnswers } from "./answers.ts";
import { describedParameters, formBody, queryParameters } from "./parameters.ts";
import type { Json, Naming } from "./schemas.ts";
import { PARAMETERS } from "./words.ts";

/** What a 409 carries in `response`. */
const CONFLICTS: Record<string, [name: string, schema: z.ZodType]> = {
  "/v2/venues/add": ["Duplicates", duplicateVenuesResponse],
  "/v2/venues/annotate": ["OtherVenue", otherVenueResponse],
  "/v2/venues/:id/annotate": ["OtherVenue", otherVenueResponse],
};

/** The paths of the API host, from its own list of endpoints. */
export function apiPaths(endpoints: readonly RegisteredEndpoint[], naming: Naming): Json {
  return Object.fromEntries(
    endpoints.map((endpoint) => [endpoint.path.replace(/:(\w+)/g, "{$1}"), pathItem(endpoint, naming)]),
  );
}

function pathItem(endpoint: RegisteredEndpoint, naming: Naming): Json {
  const operations = endpoint.methods.map((method) => [method.toLowerCase(), operation(endpoint, method, naming)]);
  return Object.fromEntries(operations);
}

function operation(endpoint: RegisteredEndpoint, method: "GET" | "POST", naming: Naming): Json {
  const { path, summary, needsUser, parameters, response } = endpoint;
  const common = ["Version", "Callback"].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const inPath = path.includes("/:") ? [idParameter(path)] : [];
  const idempotent = isRepeatable(endpoint) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : [];
  const sent = describedParameters(parameters, PARAMETERS);
  return {
    operationId: operationId(method, path),
    tags: [path.split("/")[2]],
    summary,
    security: needsUser ? [{ oauth_token: [] }] : [{ client_id: [], client_secret: [] }, { oauth_token: [] }],
    parameters: [...inPath, ...(method === "GET" ? queryParameters(sent) : []), ...common, ...idempotent],
    ...(method === "POST" && { requestBody: formBody(sent) }),
    responses: {
      200: apiAnswer("Done.", naming.refer(`${pascal(path)}Response`, response)),
      ...errorAnswers(naming, statuses(endpoint, method), path in CONFLICTS ? { 409: conflict(path) } : {}),
    },
  };
}

function conflict(path: string): [string, z.ZodType] {
  const found = CONFLICTS[path];
  if (!found) throw new RangeError(`${path} has no conflict of its own.`);
  return found;
}

function statuses(endpoint: RegisteredEndpoint, method: "GET" | "POST"): number[] {
  const special = [...(endpoint.path in CONFLICTS ? [409] : []), ...(method === "POST" ? [415] : [])];
  return [400, 401, 403, 410, 429, 500, 503, ...special];
}

/** What is written by GET may be sent twice on its way: such calls take a key. */
const isRepeatable = ({ path }: RegisteredEndpoint) => path in CONFLICTS;

function idParameter(path: string): Json {
  const ofUser = path.startsWith("/v2/users/");
  const description = ofUser ? "`self`, or the id of the user whose token it is." : "Id of the venue.";
  return { name: "id", in: "path", required: true, description, schema: { type: "string" } };
}

/** `/v2/venues/:id/links` → `VenuesIdLinks` */
const pascal = (path: string) =>
  path
    .split(/\W+/)
    .filter((part) => part !== "" && part !== "v2")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

const operationId = (method: string, path: string) => method.toLowerCase() + pascal(path);
