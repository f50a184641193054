import { z } from "zod";
import {
  extended02,
  extended10,
  manifest02,
  manifest10,
  proposedProperties,
  result02,
  resultBatch02,
  resultBatch10,
  suggestedEntities,
  suggestedProperties,
  suggestedTypes,
} from "../../contract/reconcile.ts";
import { extendQuery, query10 } from "../../contract/reconcile-queries.ts";
import { proposeParameters, suggestParameters } from "../reconcile/common.ts";
import { ROOT_02, ROOT_10 } from "../reconcile/manifest.ts";
import { asked } from "../reconcile/version-02.ts";
import { errorAnswers } from "./answers.ts";
import { describedParameters, formBody, jsonBody, queryParameters } from "./parameters.ts";
import { type Json, markOurs, type Naming } from "./schemas.ts";
import { RECONCILE_PARAMETERS } from "./words.ts";

/** The reconciliation service of the API host, in both versions of its protocol. */
export function reconcilePaths(naming: Naming): Json {
  const sent = describedParameters(asked, RECONCILE_PARAMETERS);
  const rootAnswers = { Manifest02: manifest02, Results02: resultBatch02, Result02: result02, Extended02: extended02 };
  const root = {
    summary: "The manifest, or the answer to what is asked",
    answer: { oneOf: Object.entries(rootAnswers).map(([name, schema]) => naming.refer(name, schema)) },
  };
  return {
    [ROOT_02]: {
      get: operation(naming, { id: "getReconcile02", ...root, parameters: queryParameters(sent) }),
      post: operation(naming, { id: "postReconcile02", ...root, body: formBody(sent) }),
    },
    [ROOT_10]: {
      get: operation(naming, {
        id: "getReconcile10",
        summary: "The manifest",
        answer: naming.refer("Manifest10", manifest10),
      }),
    },
    [`${ROOT_10}/match`]: {
      post: operation(naming, {
        id: "postReconcile10Match",
        summary: "Candidates for each query of a batch, in its order",
        body: jsonBody(z.object({ queries: z.array(query10) })),
        answer: naming.refer("Results10", resultBatch10),
      }),
    },
    [`${ROOT_10}/extend`]: {
      post: operation(naming, {
        id: "postReconcile10Extend",
        summary: "Properties of venues",
        body: jsonBody(extendQuery),
        answer: naming.refer("Extended10", extended10),
      }),
    },
    ...common(naming, ROOT_02, "02"),
    ...common(naming, ROOT_10, "10"),
  };
}

/** What both versions have below their roots. */
function common(naming: Naming, root: string, version: string): Json {
  const suggestions = { entity: suggestedEntities, property: suggestedProperties, type: suggestedTypes };
  const paths = Object.entries(suggestions).map(([name, schema]) => {
    const of = name.charAt(0).toUpperCase() + name.slice(1);
    const get = operation(naming, {
      id: `getReconcile${version}Suggest${of}`,
      summary: `Suggestions while somebody types: ${name}`,
      parameters: queryParameters(describedParameters(suggestParameters, RECONCILE_PARAMETERS)),
      answer: naming.refer(`Suggested${of}`, schema),
    });
    return [`${root}/suggest/${name}`, { get }];
  });
  const propose = operation(naming, {
    id: `getReconcile${version}Propose`,
    summary: "Properties that venues have",
    parameters: queryParameters(describedParameters(proposeParameters, RECONCILE_PARAMETERS)),
    answer: naming.refer("Proposed", proposedProperties),
  });
  return { ...Object.fromEntries(paths), [`${root}/extend/propose`]: { get: propose } };
}

interface Operation {
  id: string;
  summary: string;
  parameters?: Json[];
  body?: Json;
  answer: Json;
}

function operation(naming: Naming, { id, summary, parameters = [], body, answer }: Operation): Json {
  return {
    operationId: id,
    tags: ["reconcile"],
    summary,
    description: markOurs(""),
    "x-ours": true,
    security: [{}, { client_id: [], client_secret: [] }, { oauth_token: [] }],
    parameters,
    ...(body && { requestBody: body }),
    responses: {
      200: { description: "Done.", content: { "application/json": { schema: answer } } },
      ...errorAnswers(naming, [400, 401, ...(body ? [413] : []), 429, 500, 503]),
    },
  };
}
