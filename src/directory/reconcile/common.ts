import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { type Page, proposeParameters, suggestParameters } from "../../contract/reconcile-parameters.ts";
import { parseParameters } from "../../http/parameters.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { admit } from "./access.ts";
import { describeProperty, PROPERTIES, suggestProperties } from "./properties.ts";
import { describeSuggestion, suggestVenues } from "./suggest.ts";
import { suggestTypes } from "./types.ts";

const HIGHEST_LIMIT = 100;

/** What both versions have below their roots: suggestions, and proposals of properties. */
export function registerCommon(app: FastifyInstance, deps: ApiDeps, root: string): void {
  const services = {
    entity: async ({ prefix, type }: z.output<typeof suggestParameters>) =>
      (await suggestVenues(deps.pool, prefix, type ? [type] : [])).map(describeSuggestion),
    property: async ({ prefix }: { prefix: string }) => suggestProperties(prefix).map(describeProperty),
    type: async ({ prefix }: { prefix: string }) => suggestTypes(prefix),
  };
  for (const [name, suggest] of Object.entries(services)) {
    app.get(`${root}/suggest/${name}`, async (request, reply) => {
      const parameters = parseParameters(suggestParameters, request.query);
      await admit(deps, request, reply, { raw: request.query });
      return { result: pageOf<unknown>(await suggest(parameters), parameters) };
    });
  }

  app.get(`${root}/extend/propose`, async (request, reply) => {
    const { type, limit } = parseParameters(proposeParameters, request.query);
    await admit(deps, request, reply, { raw: request.query });
    const properties = PROPERTIES.map(describeProperty).slice(0, limit);
    return { properties, type, ...(limit && { limit }) };
  });
}

function pageOf<T>(all: T[], { limit = 10, offset, cursor }: Page): T[] {
  const from = offset ?? cursor ?? 0;
  return all.slice(from, from + Math.min(limit, HIGHEST_LIMIT));
}
