import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { z } from "zod";
import {
  askedParameters,
  EXTEND_EXAMPLE,
  extended02,
  extended10,
  extendQuery,
  LARGEST_BATCH,
  manifest02,
  manifest10,
  QUERIES_EXAMPLE,
  query10,
  result02,
  resultBatch02,
  resultBatch10,
} from "../../contract/reconcile.ts";
import { BLUE_STATE, FOOD } from "../../contract/sample-ids.ts";
import { parseParameters } from "../../http/parameters.ts";
import { atMost } from "../../shared/at-most.ts";
import { KnownError } from "../../shared/errors.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { parametersOf } from "../endpoint/endpoint.ts";
import {
  EXAMPLE_ENTITY,
  EXAMPLE_TYPES,
  endpointsOfBoth,
  type ReconcileEndpoint,
  ROOT_02,
  ROOT_10,
} from "./endpoints.ts";
import { type Candidate, candidateOf, candidateOfId, findByIds, findCandidates } from "./find.ts";
import {
  admit,
  LARGEST_BODY,
  parseJson,
  type Read,
  readBatch,
  readExtension,
  readQueries10,
  readQuery02,
} from "./input.ts";
import { defaultTypes, extend } from "./properties.ts";
import { type Wanted, wantedOf } from "./wanted.ts";

/**
 * The two versions of the protocol have contradictory manifests, so each has its own root. Previews are in
 * api/venue-page.ts.
 */
export async function registerReconcile(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  await app.register(async (scope) => registerVersion(scope, deps, [root02, ...SHARED_02]));
  await app.register(async (scope) => {
    takeJson(scope);
    registerVersion(scope, deps, [...OWN_10, ...SHARED_10]);
  });
}

function registerVersion(scope: FastifyInstance, deps: ApiDeps, endpoints: readonly ReconcileEndpoint[]): void {
  explainLargeBodies(scope);
  answerHead(scope);
  for (const { methods, path, asksMuch, answer } of endpoints)
    scope.route({
      method: methods,
      url: path,
      handler: (request, reply) => answer(deps, request, reply),
      ...(asksMuch && ({ bodyLimit: LARGEST_BODY, config: { cost: "batch" } } as const)),
    });
}

/** Bodies may be larger here, so the message names another limit. The host's error handler answers and counts all errors. */
function explainLargeBodies(scope: FastifyInstance): void {
  scope.setErrorHandler((error) => {
    const isTooLarge = error instanceof Error && "statusCode" in error && error.statusCode === 413;
    throw isTooLarge
      ? new KnownError(413, "param_error", "A call may have at most 1 MB. Send fewer queries at once.")
      : error;
  });
}

/** HEAD is free of charge, so it does no work. */
function answerHead(scope: FastifyInstance): void {
  scope.addHook("preHandler", async ({ method }, reply) => {
    if (method === "HEAD") return reply.type("application/json; charset=utf-8").send();
  });
}

const EXAMPLE_OF_QUERIES = `an object of queries, such as ${QUERIES_EXAMPLE}`;

/** Keeps query names such as `__proto__`, which zod's record drops. */
const anObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const root02: ReconcileEndpoint = {
  methods: ["GET", "POST"],
  path: ROOT_02,
  name: "",
  summary: "The manifest, or the results of the queries",
  parameters: askedParameters,
  filledIn: ["queries"],
  answers: { Manifest02: manifest02, Results02: resultBatch02, Result02: result02, Extended02: extended02 },
  example: () => ({ q0: { result: [{ ...CANDIDATE, features: [{ id: "name", value: 4.72 }] }] } }),
  asksMuch: true,
  async answer(deps, request, reply) {
    const raw = parametersOf(request);
    const { queries, query, extend: extension, type, limit } = parseParameters(askedParameters, raw);
    if (queries !== undefined) {
      const batch = readBatch("queries", parseJson("queries", queries), anObject, EXAMPLE_OF_QUERIES);
      const names = Object.keys(batch);
      const each = Object.values(batch);
      await admit(deps, request, reply, { raw, cost: each.length, needs: "enabled" });
      const answers = await reconcile(deps.replicas.reader(request.caller?.position), each.map(readQuery02));
      return Object.fromEntries(answers.map((answer, index) => [names[index], resultOf(answer)]));
    }
    if (extension !== undefined) {
      const wanted = readExtension(parseJson("extend", extension));
      await admit(deps, request, reply, { raw });
      return tableOf(await extend(deps.replicas.reader(request.caller?.position), wanted));
    }
    if (query !== undefined) {
      const single = query.trimStart().startsWith("{") ? parseJson("query", query) : { query, type, limit };
      await admit(deps, request, reply, { raw, needs: "enabled" });
      const [answer = { candidates: [] }] = await reconcile(deps.replicas.reader(request.caller?.position), [
        readQuery02(single),
      ]);
      return resultOf(answer);
    }
    return manifestOf02(deps.config.api.url);
  },
};

function resultOf({ candidates, error }: Answered) {
  const result = candidates.map((candidate) => ({
    ...candidate,
    features: candidate.features.map(({ id, value }) => ({ id, value })),
  }));
  return { result, ...(error && { error }) };
}

function tableOf({ meta, rows }: Awaited<ReturnType<typeof extend>>) {
  const cells = rows.map(({ id, properties }) => [
    id,
    Object.fromEntries(properties.map((each) => [each.id, each.values])),
  ]);
  return { meta, rows: Object.fromEntries(cells) };
}

const EXAMPLE = 'sent as {"queries": [{"conditions": [{"matchType": "name", "propertyValue": "Blue State Coffee"}]}]}';

const root10: ReconcileEndpoint = {
  methods: ["GET"],
  path: ROOT_10,
  name: "",
  summary: "The service manifest",
  answers: { Manifest10: manifest10 },
  example(apiUrl) {
    const manifest = manifestOf10(apiUrl);
    return { ...manifest, defaultTypes: manifest.defaultTypes.slice(0, 2) };
  },
  answer: async ({ config }) => manifestOf10(config.api.url),
};

const match10: ReconcileEndpoint = {
  methods: ["POST"],
  path: `${ROOT_10}/match`,
  name: "Match",
  summary: "Candidates for each query of a batch, in its order",
  body: {
    schema: z.object({ queries: z.array(query10) }),
    example: { queries: [{ conditions: [{ matchType: "name", propertyValue: "Blue State Coffee" }], limit: 1 }] },
  },
  answers: { Results10: resultBatch10 },
  example: () => ({
    results: [{ candidates: [{ ...CANDIDATE, features: [{ id: "name", name: "Name", value: 4.72 }] }] }],
  }),
  asksMuch: true,
  async answer(deps, request, reply) {
    const { queries } = (request.body ?? {}) as { queries?: unknown };
    const batch = readBatch("queries", queries, z.array(z.unknown()), EXAMPLE);
    const read = readQueries10(batch);
    await admit(deps, request, reply, { raw: request.query, cost: batch.length, needs: "enabled" });
    return { results: await reconcile(deps.replicas.reader(request.caller?.position), read) };
  },
};

const extend10: ReconcileEndpoint = {
  methods: ["POST"],
  path: `${ROOT_10}/extend`,
  name: "Extend",
  summary: "Properties of venues",
  body: { schema: extendQuery, example: EXTEND_EXAMPLE },
  answers: { Extended10: extended10 },
  example: () => ({
    meta: [{ id: "zip", name: "Postal code" }],
    rows: [{ id: BLUE_STATE, properties: [{ id: "zip", values: [{ str: "02906" }] }] }],
  }),
  asksMuch: true,
  async answer(deps, request, reply) {
    const wanted = readExtension(request.body);
    await admit(deps, request, reply, { raw: request.query });
    return extend(deps.replicas.reader(request.caller?.position), wanted);
  },
};

/** As the answers of both versions show it. */
const CANDIDATE = {
  ...EXAMPLE_ENTITY,
  score: 80.2,
  match: false,
  type: [{ id: "venue", name: "Venue" }, ...EXAMPLE_TYPES, { id: FOOD, name: "Food" }],
};

/** Parses every body as JSON, whatever the content type. */
function takeJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>("*", { parseAs: "string" }, async (_request: unknown, body: string) =>
    parseJson("The body", body),
  );
}

interface Answered {
  candidates: Candidate[];
  error?: string;
}

/** Queries of one call that run at once, to leave database connections to other callers. */
const AT_ONCE = 2;

/** An invalid query does not affect the others. */
function reconcile(pool: Pool, queries: Read[]): Promise<Answered[]> {
  return atMost(AT_ONCE, queries, async (read) => {
    const wanted = "error" in read ? read : wantedOf(read);
    return "error" in wanted ? { candidates: [], ...wanted } : answer(pool, wanted);
  });
}

async function answer(pool: Pool, wanted: Wanted): Promise<Answered> {
  const { listing, limit } = wanted;
  const [named, { matches, confident }] = await Promise.all([findByIds(pool, wanted), findCandidates(pool, wanted)]);
  const byId = named.map((venue) => candidateOfId(venue, named.length === 1));
  const others = matches
    .filter(({ venue }) => !named.some(({ id }) => id === venue.id))
    .map((match, index) => candidateOf(match, listing, confident && index === 0 && named.length === 0));
  return { candidates: [...byId, ...others].slice(0, limit) };
}

/** Size of the preview frame in pixels. */
const PREVIEW = { width: 420, height: 230 };

const common = (baseUrl: string) => ({
  name: "Samespot venue directory",
  logo: `${baseUrl}/icons/store_bg_64.svg`,
  documentation: `${baseUrl}/docs`,
  defaultTypes,
  batchSize: LARGEST_BATCH,
});

function manifestOf02(baseUrl: string) {
  const service = (path: string) => ({ service_url: baseUrl + ROOT_02, service_path: path });
  return {
    versions: ["0.2"],
    ...common(baseUrl),
    identifierSpace: `${baseUrl}/venues/`,
    schemaSpace: "https://schema.org/Place",
    view: { url: `${baseUrl}/venues/{{id}}` },
    preview: { url: `${baseUrl}${ROOT_02}/preview?id={{id}}`, ...PREVIEW },
    suggest: {
      entity: service("/suggest/entity"),
      property: service("/suggest/property"),
      type: service("/suggest/type"),
    },
    extend: { propose_properties: service("/extend/propose"), property_settings: [] },
  };
}

/** The 1.0 schema allows `{id}` and `{{id}}` in addresses. This manifest uses `{{id}}`, which 0.2 clients also understand. */
function manifestOf10(baseUrl: string) {
  return {
    versions: ["1.0-draft"],
    ...common(baseUrl),
    lang: "en",
    standardizedScore: true,
    view: { url: `${baseUrl}/venues/{{id}}` },
    preview: PREVIEW,
    suggest: { entity: true, property: true, type: true },
    extend: { proposeProperties: true, propertySettings: [] },
  };
}

const OWN_10 = [root10, match10, extend10];
const SHARED_02 = endpointsOfBoth(ROOT_02);
const SHARED_10 = endpointsOfBoth(ROOT_10);

export const reconcileEndpoints = [root02, ...OWN_10, ...SHARED_02, ...SHARED_10];
