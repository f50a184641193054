import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { askedParameters, QUERIES_EXAMPLE } from "../../contract/reconcile/parameters.ts";
import { parseParameters } from "../../http/parameters.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { parametersOf } from "../endpoint/endpoint.ts";
import { admit } from "./access.ts";
import { extend } from "./extend.ts";
import { LARGEST_BODY, parseJson, readBatch, readExtension, readQuery02 } from "./input.ts";
import { manifest02, ROOT_02 } from "./manifest.ts";
import { type Answered, reconcile } from "./reconcile.ts";

const EXAMPLE = `an object of queries, such as ${QUERIES_EXAMPLE}`;

/** Keeps query names such as `__proto__`, which zod's record drops. */
const anObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

export function registerVersion02(app: FastifyInstance, deps: ApiDeps): void {
  app.route({
    method: ["GET", "POST"],
    url: ROOT_02,
    bodyLimit: LARGEST_BODY,
    config: { cost: "batch" },
    handler: async (request, reply) => {
      const raw = parametersOf(request);
      const { queries, query, extend: extension, type, limit } = parseParameters(askedParameters, raw);
      if (queries !== undefined) {
        const batch = readBatch("queries", parseJson("queries", queries), anObject, EXAMPLE);
        const [names, each] = [Object.keys(batch), Object.values(batch)];
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
      return manifest02(deps.config.api.url);
    },
  });
}

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
