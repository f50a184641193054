import { z } from "zod";
import { userId, venueId } from "../../contract/parameters.ts";
import { type Json, markOurs, sentIn, sentSchema } from "../../http/json-schema.ts";
import type { RegisteredEndpoint } from "../endpoint/declaration.ts";
import type { Samples } from "../endpoint/samples.ts";
import { answerByLine, apiAnswer, type ErrorName, errorAnswers, ndjson } from "./answers.ts";
import { credentials, formBody, type Naming } from "./schemas.ts";

export function apiPaths(endpoints: readonly RegisteredEndpoint[], naming: Naming, samples: Samples): Json {
  return Object.fromEntries(
    endpoints.flatMap((endpoint): [string, Json][] => {
      const { path, methods, lines } = endpoint;
      const operations = methods.map((method) => [method.toLowerCase(), operation(endpoint, method, naming, samples)]);
      const whole: [string, Json] = [path.replace(/:(\w+)/g, "{$1}"), Object.fromEntries(operations)];
      return lines ? [whole, [`${path}/lines`, { post: byLine(endpoint, lines, naming, samples) }]] : [whole];
    }),
  );
}

/** An operation of its own, so that the answer of the other is never text for generated clients. */
function byLine(
  { path, needsUser, description, example }: RegisteredEndpoint,
  { most, parameters, line, example: lines, answered = example }: NonNullable<RegisteredEndpoint["lines"]>,
  naming: Naming,
  samples: Samples,
): Json {
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
      200: answerByLine(naming, answered(samples)),
      ...errorAnswers(naming, ["BadRequest", ...COMMON_ERRORS, "TooManyListings", "OtherContent"]),
    },
  };
}

function operation(endpoint: RegisteredEndpoint, method: "GET" | "POST", naming: Naming, samples: Samples): Json {
  const { path, summary, needsUser, parameters, response, isOurs, isRepeatable, filledIn, conflict } = endpoint;
  const description = isOurs ? markOurs(endpoint.description) : endpoint.description;
  const common = ["Version", "Callback", ...(isRepeatable ? ["IdempotencyKey"] : [])];
  const inPath = path.includes("/:")
    ? sentIn("path", z.object({ id: path.startsWith("/v2/users/") ? userId : venueId }))
    : [];
  const inQuery = method === "GET" ? sentIn("query", parameters, filledIn) : [];
  return {
    operationId: operationId(method, path),
    tags: [path.split("/")[2]],
    summary,
    ...(description && { description }),
    ...(isOurs && { "x-ours": true }),
    security: credentials(needsUser),
    parameters: [...inPath, ...inQuery, ...common.map((name) => ({ $ref: `#/components/parameters/${name}` }))],
    ...(method === "POST" && { requestBody: formBody(parameters, filledIn) }),
    responses: {
      200: apiAnswer(naming.refer(`${pascal(path)}Response`, response), endpoint.example(samples), needsUser),
      ...(endpoint.isConstant && {
        304: { description: "The answer with the ETag of If-None-Match is still the same." },
      }),
      ...errorAnswers(naming, errors(endpoint, method), typeof conflict === "object" ? { Conflict: conflict } : {}),
    },
  };
}

function errors(endpoint: RegisteredEndpoint, method: "GET" | "POST"): ErrorName[] {
  const { parameters, bodyLimit, mayMiss, conflict } = endpoint;
  return [
    "intent" in parameters.shape ? "BadSearch" : "BadRequest",
    ...COMMON_ERRORS,
    ...(mayMiss ? (["NotFound"] as const) : []),
    ...(conflict ? (["Conflict"] as const) : []),
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

const pascal = (path: string) =>
  path
    .split(/\W+/)
    .filter((part) => part !== "" && part !== "v2")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

const operationId = (method: string, path: string) => method.toLowerCase() + pascal(path);
