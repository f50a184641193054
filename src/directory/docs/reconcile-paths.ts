import { type Json, jsonBody, markOurs, sentIn } from "../../http/json-schema.ts";
import { reconcileEndpoints } from "../reconcile/app.ts";
import { type ReconcileEndpoint, ROOT_02 } from "../reconcile/endpoints.ts";
import { errorAnswers } from "./answers.ts";
import { credentials, formBody, type Naming } from "./schemas.ts";

export const reconcilePaths = (naming: Naming, apiUrl: string): Json =>
  Object.fromEntries(
    reconcileEndpoints.map((endpoint) => [
      endpoint.path,
      Object.fromEntries(
        endpoint.methods.map((method) => [method.toLowerCase(), operation(naming, endpoint, method, apiUrl)]),
      ),
    ]),
  );

function operation(naming: Naming, endpoint: ReconcileEndpoint, method: "GET" | "POST", apiUrl: string): Json {
  const { name, summary, parameters, filledIn, body, asksMuch } = endpoint;
  const isOf02 = endpoint.path.startsWith(ROOT_02);
  const schemas = Object.entries(endpoint.answers).map(([each, schema]) => naming.refer(each, schema));
  const form = method === "POST" && parameters && formBody(parameters, filledIn);
  const requestBody = body ? jsonBody(body.schema, body.example) : form;
  return {
    operationId: `${method.toLowerCase()}Reconcile${isOf02 ? "02" : "10"}${name}`,
    tags: ["reconcile"],
    summary,
    description: markOurs(""),
    "x-ours": true,
    security: [{}, ...credentials(false)],
    parameters: [
      ...(method === "GET" && parameters ? sentIn("query", parameters, filledIn) : []),
      // Version 1.0 has no JSONP.
      ...(isOf02 ? [{ $ref: "#/components/parameters/Callback" }] : []),
    ],
    ...(requestBody && { requestBody }),
    responses: {
      200: {
        description: "Success.",
        content: {
          "application/json": {
            schema: schemas.length > 1 ? { oneOf: schemas } : schemas[0],
            example: endpoint.example(apiUrl),
          },
        },
      },
      ...errorAnswers(naming, ["BadQuery", "WrongCredentials", "TooMany", "ServerError", "Unavailable"]),
      ...(asksMuch && errorAnswers(naming, ["TooManyQueries"])),
    },
  };
}
