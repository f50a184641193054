import { z } from "zod";
import { userId, venueId } from "../../contract/parameters.ts";
import { PROPOSE_PATH, WITHDRAW_PATH } from "../../contract/proposals.ts";
import { duplicateVenuesResponse, otherVenueResponse } from "../../contract/resources.ts";
import { VENUES_MATCH_PATH } from "../../contract/search-parameters.ts";
import { type Json, markOurs, sentIn, sentSchema } from "../../http/json-schema.ts";
import type { RegisteredEndpoint } from "../endpoint/declaration.ts";
import { answerByLine, apiAnswer, type ErrorName, errorAnswers, ndjson, type OwnResponse } from "./answers.ts";
import { DUPLICATES, LINES, OTHER_VENUE } from "./examples.ts";
import { credentials, formBody, type Naming } from "./schemas.ts";

const SEEMS_TO_EXIST: OwnResponse = {
  name: "Duplicates",
  schema: duplicateVenuesResponse,
  example: DUPLICATES,
  detail: "Found duplicates.",
};
const IS_ON_ANOTHER: OwnResponse = {
  name: "OtherVenue",
  schema: otherVenueResponse,
  example: OTHER_VENUE,
  detail:
    "This linkedId is already linked to another venue, see response.venue. A listing can be linked to one venue only.",
};
const CONFLICTS: Record<string, OwnResponse> = {
  "/v2/venues/add": SEEMS_TO_EXIST,
  "/v2/venues/annotate": IS_ON_ANOTHER,
  "/v2/venues/:id/annotate": IS_ON_ANOTHER,
};

/** Their conflicts have an empty `response`. */
const CORRECTIONS = [
  "/v2/venues/delete",
  "/v2/venues/edit",
  "/v2/venues/merge",
  "/v2/venues/revert",
  PROPOSE_PATH,
  WITHDRAW_PATH,
];

export function apiPaths(
  endpoints: readonly RegisteredEndpoint[],
  naming: Naming,
  examples: Record<string, Json>,
): Json {
  const pathItem = (endpoint: RegisteredEndpoint) => {
    const example = examples[endpoint.path];
    if (!example) throw new RangeError(`The documentation has no example of the answer of ${endpoint.path}.`);
    return endpoint.methods.map((method) => [method.toLowerCase(), operation(endpoint, method, { naming, example })]);
  };
  const ofLines = ({ path }: RegisteredEndpoint) =>
    path === VENUES_MATCH_PATH ? (examples["/v2/venues/search"] ?? {}) : (examples[path] ?? {});
  return Object.fromEntries(
    endpoints.flatMap((endpoint): [string, Json][] => [
      [endpoint.path.replace(/:(\w+)/g, "{$1}"), Object.fromEntries(pathItem(endpoint))],
      ...(endpoint.lines
        ? [
            [`${endpoint.path}/lines`, { post: byLine(endpoint, endpoint.lines, naming, ofLines(endpoint)) }] as [
              string,
              Json,
            ],
          ]
        : []),
    ]),
  );
}

/** An operation of its own, so that the answer of the other is never text for generated clients. */
function byLine(
  { path, needsUser, description }: RegisteredEndpoint,
  { most, parameters, line }: NonNullable<RegisteredEndpoint["lines"]>,
  naming: Naming,
  example: Json,
): Json {
  const lines = LINES[path];
  if (!lines) throw new RangeError(`The documentation has no example of a line of ${path}.`);
  const about = `Up to ${most} lines in 1 MB, each a JSON object with the parameters of ${path}; each counts as a call. The same with this body at ${path}.`;
  return {
    operationId: `${operationId("post", path)}Lines`,
    tags: [path.split("/")[2]],
    summary: `The same for many at once, as NDJSON: up to ${most}`,
    description: markOurs(description ? `${about}\n\n${description.replace(/^Ours, [^.]*\. ?/, "")}` : about),
    "x-ours": true,
    security: credentials(needsUser),
    parameters: [...sentIn("query", parameters), { $ref: "#/components/parameters/Version" }],
    requestBody: { required: true, content: ndjson(sentSchema(line), lines) },
    responses: {
      200: answerByLine(naming, example),
      ...errorAnswers(naming, ["BadRequest", ...COMMON_ERRORS, "TooManyListings", "OtherContent"]),
    },
  };
}

function operation(
  endpoint: RegisteredEndpoint,
  method: "GET" | "POST",
  { naming, example }: { naming: Naming; example: Json },
): Json {
  const { path, summary, needsUser, parameters, response, isOurs } = endpoint;
  const description = isOurs ? markOurs(endpoint.description) : endpoint.description;
  const common = ["Version", "Callback"].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const inPath = path.includes("/:")
    ? sentIn("path", z.object({ id: path.startsWith("/v2/users/") ? userId : venueId }))
    : [];
  const idempotent = isRepeatable(endpoint) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : [];
  const inQuery = method === "GET" ? sentIn("query", parameters, FILLED_IN[path]) : [];
  return {
    operationId: operationId(method, path),
    tags: [path.split("/")[2]],
    summary,
    ...(description && { description }),
    ...(isOurs && { "x-ours": true }),
    security: credentials(needsUser),
    parameters: [...inPath, ...inQuery, ...common, ...idempotent],
    ...(method === "POST" && { requestBody: formBody(parameters, FILLED_IN[path]) }),
    responses: {
      200: apiAnswer(naming.refer(`${pascal(path)}Response`, response), example, needsUser),
      ...(endpoint.isConstant && {
        304: { description: "The answer with the ETag of If-None-Match is still the same." },
      }),
      ...errorAnswers(naming, errors(endpoint, method), path in CONFLICTS ? { Conflict: conflict(path) } : {}),
    },
  };
}

/** Optional parameters that the example of a call has, because it would have no effect without. */
const FILLED_IN: Record<string, string[]> = {
  "/v2/venues/search": ["ll", "query"],
  "/v2/venues/edit": ["phone"],
  [PROPOSE_PATH]: ["phone", "comment"],
};

function conflict(path: string): OwnResponse {
  const found = CONFLICTS[path];
  if (!found) throw new RangeError(`${path} has no conflict of its own.`);
  return found;
}

function errors({ path, parameters, bodyLimit, mayMiss }: RegisteredEndpoint, method: "GET" | "POST"): ErrorName[] {
  return [
    "intent" in parameters.shape ? "BadSearch" : "BadRequest",
    ...COMMON_ERRORS,
    ...(mayMiss ? (["NotFound"] as const) : []),
    ...(path in CONFLICTS || CORRECTIONS.includes(path) ? (["Conflict"] as const) : []),
    ...(method === "POST" ? ([bodyLimit ? "TooManyListings" : "TooLarge", "OtherContent"] as const) : []),
  ];
}

const COMMON_ERRORS: ErrorName[] = [
  "WrongToken",
  "Forbidden",
  "VersionMissing",
  "TooMany",
  "ServerError",
  "Unavailable",
];

/** GET requests that write may be repeated in transit, so they accept an Idempotency-Key. */
const isRepeatable = ({ path }: RegisteredEndpoint) => path in CONFLICTS;

const pascal = (path: string) =>
  path
    .split(/\W+/)
    .filter((part) => part !== "" && part !== "v2")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

const operationId = (method: string, path: string) => method.toLowerCase() + pascal(path);
