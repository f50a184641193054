import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ApiDeps } from "../endpoint/deps.ts";
import { admit } from "./access.ts";
import { extend } from "./extend.ts";
import { LARGEST_BODY, parseJson, readBatch, readExtension, readQueries10 } from "./input.ts";
import { manifest10, ROOT_10 } from "./manifest.ts";
import { reconcile } from "./reconcile.ts";

const EXAMPLE = 'sent as {"queries": [{"conditions": [{"matchType": "name", "propertyValue": "Blue State Coffee"}]}]}';

const LARGE = { bodyLimit: LARGEST_BODY, config: { cost: "batch" } } as const;

/** Needs its own scope, because it parses every body as JSON, whatever the content type. */
export function registerVersion10(scope: FastifyInstance, deps: ApiDeps): void {
  takeJson(scope);

  scope.get(ROOT_10, async () => manifest10(deps.config.api.url));

  scope.post(`${ROOT_10}/match`, LARGE, async (request, reply) => {
    const { queries } = (request.body ?? {}) as { queries?: unknown };
    const batch = readBatch("queries", queries, z.array(z.unknown()), EXAMPLE);
    const read = readQueries10(batch);
    await admit(deps, request, reply, { raw: request.query, cost: batch.length, needs: "enabled" });
    return { results: await reconcile(deps.replicas.reader(request.caller?.position), read) };
  });

  scope.post(`${ROOT_10}/extend`, LARGE, async (request, reply) => {
    const wanted = readExtension(request.body);
    await admit(deps, request, reply, { raw: request.query });
    return extend(deps.replicas.reader(request.caller?.position), wanted);
  });
}

function takeJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>("*", { parseAs: "string" }, async (_request: unknown, body: string) =>
    parseJson("The body", body),
  );
}
