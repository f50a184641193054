import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import type { z } from "zod";
import { type Page, proposeParameters, suggestParameters } from "../../contract/reconcile/parameters.ts";
import { parseParameters } from "../../http/parameters.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";
import { searchEverywhere } from "../venues/text/search.ts";
import { admit } from "./access.ts";
import { describeVenue } from "./candidate.ts";
import { describeProperty, PROPERTIES, suggestProperties } from "./properties.ts";
import { categoriesOfTypes, categoryOfVenue, suggestTypes } from "./types.ts";

const HIGHEST_LIMIT = 100;

export function registerCommon(app: FastifyInstance, deps: ApiDeps, root: string): void {
  const services = {
    entity: async ({ prefix, type }: z.output<typeof suggestParameters>, reads: Pool) =>
      (await suggestVenues(reads, prefix, type ? [type] : [])).map(describeSuggestion),
    property: async ({ prefix }: { prefix: string }) => suggestProperties(prefix).map(describeProperty),
    type: async ({ prefix }: { prefix: string }) => suggestTypes(prefix),
  };
  for (const [name, suggest] of Object.entries(services)) {
    app.get(`${root}/suggest/${name}`, async (request, reply) => {
      const parameters = parseParameters(suggestParameters, request.query);
      await admit(deps, request, reply, { raw: request.query });
      const reads = deps.replicas.reader(request.caller?.position);
      return { result: pageOf<unknown>(await suggest(parameters, reads), parameters) };
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

const LOOKED_AT = 200;

/** Finds the id, then names that begin with the prefix or contain such a word. No index covers single letters. */
async function suggestVenues(pool: Pool, prefix: string, types: readonly string[]): Promise<VenueRow[]> {
  const name = normalizeName(prefix);
  const id = prefix.trim();
  const categories = categoriesOfTypes(types);
  const categoryIds = categories && [...categories];
  const [byId, named] = await Promise.all([
    VENUE_ID.test(id) ? findVenues(pool, [id]) : new Map<string, VenueRow>(),
    name.length < 2 ? [] : searchEverywhere(pool, { term: name, count: LOOKED_AT, categoryIds }),
  ]);
  const begins = named.filter(({ nameNorm }) => nameNorm.startsWith(name));
  const others = named.filter(({ nameNorm }) => !nameNorm.startsWith(name));
  return [...new Map([...byId.values(), ...begins, ...others].map((venue) => [venue.id, venue])).values()];
}

const describeSuggestion = (venue: VenueRow) => ({ ...describeVenue(venue), notable: categoryOfVenue(venue) });
