import { z } from "zod";
import {
  askedParameters,
  EXTEND_EXAMPLE,
  extended02,
  extended10,
  extendQuery,
  manifest02,
  manifest10,
  proposedProperties,
  proposeParameters,
  query10,
  result02,
  resultBatch02,
  resultBatch10,
  suggestedEntities,
  suggestedProperties,
  suggestedTypes,
  suggestParameters,
} from "../../contract/reconcile.ts";
import { type Json, jsonBody, markOurs, sentIn } from "../../http/json-schema.ts";
import { ROOT_02, ROOT_10 } from "../reconcile/app.ts";
import { errorAnswers } from "./answers.ts";
import { MATCH_BODY, reconcileExamples } from "./examples.ts";
import { credentials, formBody, type Naming } from "./schemas.ts";

export function reconcilePaths(naming: Naming, apiUrl: string): Json {
  const examples = reconcileExamples(apiUrl);
  const rootAnswers = { Manifest02: manifest02, Results02: resultBatch02, Result02: result02, Extended02: extended02 };
  const root = {
    summary: "The manifest, or the results of the queries",
    answer: { oneOf: Object.entries(rootAnswers).map(([name, schema]) => naming.refer(name, schema)) },
    example: examples.Results02,
    asksMuch: true,
  };
  return {
    [ROOT_02]: {
      get: operation(naming, {
        id: "getReconcile02",
        ...root,
        parameters: sentIn("query", askedParameters, ["queries"]),
      }),
      post: operation(naming, { id: "postReconcile02", ...root, body: formBody(askedParameters, ["queries"]) }),
    },
    [ROOT_10]: {
      get: operation(naming, {
        id: "getReconcile10",
        summary: "The service manifest",
        answer: naming.refer("Manifest10", manifest10),
        example: examples.Manifest10,
      }),
    },
    [`${ROOT_10}/match`]: {
      post: operation(naming, {
        id: "postReconcile10Match",
        summary: "Candidates for each query of a batch, in its order",
        body: jsonBody(z.object({ queries: z.array(query10) }), MATCH_BODY),
        answer: naming.refer("Results10", resultBatch10),
        example: examples.Results10,
        asksMuch: true,
      }),
    },
    [`${ROOT_10}/extend`]: {
      post: operation(naming, {
        id: "postReconcile10Extend",
        summary: "Properties of venues",
        body: jsonBody(extendQuery, EXTEND_EXAMPLE),
        answer: naming.refer("Extended10", extended10),
        example: examples.Extended10,
        asksMuch: true,
      }),
    },
    ...common(naming, examples, { root: ROOT_02, version: "02" }),
    ...common(naming, examples, { root: ROOT_10, version: "10" }),
  };
}

function common(
  naming: Naming,
  examples: ReturnType<typeof reconcileExamples>,
  { root, version }: { root: string; version: string },
): Json {
  const suggestions = [
    ["Entity", suggestedEntities, examples.SuggestedEntity],
    ["Property", suggestedProperties, examples.SuggestedProperty],
    ["Type", suggestedTypes, examples.SuggestedType],
  ] as const;
  const paths = suggestions.map(([of, schema, example]) => {
    const name = of.toLowerCase();
    const get = operation(naming, {
      id: `getReconcile${version}Suggest${of}`,
      summary: `Suggestions for a typed prefix: ${name}`,
      parameters: sentIn("query", suggestParameters, ["prefix"]),
      answer: naming.refer(`Suggested${of}`, schema),
      example,
    });
    return [`${root}/suggest/${name}`, { get }];
  });
  const propose = operation(naming, {
    id: `getReconcile${version}Propose`,
    summary: "The properties of venues",
    parameters: sentIn("query", proposeParameters),
    answer: naming.refer("Proposed", proposedProperties),
    example: examples.Proposed,
  });
  return { ...Object.fromEntries(paths), [`${root}/extend/propose`]: { get: propose } };
}

interface Operation {
  id: string;
  summary: string;
  parameters?: Json[];
  body?: Json;
  answer: Json;
  example: Json;
  asksMuch?: boolean;
}

function operation(naming: Naming, { id, summary, parameters = [], body, asksMuch, ...answered }: Operation): Json {
  const { answer: schema, example } = answered;
  // Version 1.0 has no JSONP.
  const takesCallback = id.includes("Reconcile02");
  return {
    operationId: id,
    tags: ["reconcile"],
    summary,
    description: markOurs(""),
    "x-ours": true,
    security: [{}, ...credentials(false)],
    parameters: [...parameters, ...(takesCallback ? [{ $ref: "#/components/parameters/Callback" }] : [])],
    ...(body && { requestBody: body }),
    responses: {
      200: {
        description: "Success.",
        content: { "application/json": { schema, example } },
      },
      ...errorAnswers(naming, ["BadQuery", "WrongCredentials", "TooMany", "ServerError", "Unavailable"]),
      ...(asksMuch && errorAnswers(naming, ["TooManyQueries"])),
    },
  };
}
