import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { z } from "zod";
import {
  type Page,
  proposedProperties,
  proposeParameters,
  suggestedEntities,
  suggestedProperties,
  suggestedTypes,
  suggestParameters,
} from "../../contract/reconcile.ts";
import { BLUE_STATE, COFFEE_SHOP, FOOD } from "../../contract/sample-ids.ts";
import type { Json } from "../../http/json-schema.ts";
import { parseParameters } from "../../http/parameters.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";
import { searchEverywhere } from "../venues/text/search.ts";
import { describeVenue } from "./find.ts";
import { admit } from "./input.ts";
import {
  categoriesOfTypes,
  categoryOfVenue,
  describeProperty,
  PROPERTIES,
  suggestProperties,
  suggestTypes,
} from "./properties.ts";

export const ROOT_02 = "/reconcile/0.2";
export const ROOT_10 = "/reconcile/1.0";

export interface ReconcileEndpoint {
  methods: ("GET" | "POST")[];
  path: string;
  /** In its operationId, after that of its version. */
  name: string;
  summary: string;
  parameters?: z.ZodObject;
  /** Parameters that the example of a call has. */
  filledIn?: string[];
  /** Of JSON. */
  body?: { schema: z.ZodType; example: Json };
  /** Schemas of what it may answer, by the names that the documentation gives them. */
  answers: Record<string, z.ZodType>;
  example: (apiUrl: string) => Json;
  /** Whether a call may be a batch, with a larger body. */
  asksMuch?: boolean;
  answer(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Promise<object>;
}

export const EXAMPLE_ENTITY = {
  id: BLUE_STATE,
  name: "Blue State Coffee",
  description: "300 Thayer St, Providence, RI 02906, United States",
};
export const EXAMPLE_TYPES = [{ id: COFFEE_SHOP, name: "Coffee Shop" }];

interface Suggestion {
  of: "Entity" | "Property" | "Type";
  schema: z.ZodType;
  example: Json;
  suggest(asked: z.output<typeof suggestParameters>, reads: Pool): Promise<unknown[]>;
}

const SUGGESTIONS: Suggestion[] = [
  {
    of: "Entity",
    schema: suggestedEntities,
    example: { ...EXAMPLE_ENTITY, notable: EXAMPLE_TYPES },
    suggest: async ({ prefix, type }, reads) =>
      (await suggestVenues(reads, prefix, type ? [type] : [])).map(describeSuggestion),
  },
  {
    of: "Property",
    schema: suggestedProperties,
    example: { id: "zip", name: "Postal code", description: "For matching and fetching" },
    suggest: async ({ prefix }) => suggestProperties(prefix).map(describeProperty),
  },
  {
    of: "Type",
    schema: suggestedTypes,
    example: { id: COFFEE_SHOP, name: "Coffee Shop", description: "Food", broader: [{ id: FOOD, name: "Food" }] },
    suggest: async ({ prefix }) => suggestTypes(prefix),
  },
];

/** What both versions have, below their own roots. */
export const endpointsOfBoth = (root: string): ReconcileEndpoint[] => [
  ...SUGGESTIONS.map((suggestion) => suggestEndpoint(root, suggestion)),
  {
    methods: ["GET"],
    path: `${root}/extend/propose`,
    name: "Propose",
    summary: "The properties of venues",
    parameters: proposeParameters,
    answers: { Proposed: proposedProperties },
    example: () => ({ properties: [{ id: "zip", name: "Postal code" }], type: "" }),
    async answer(deps, request, reply) {
      const { type, limit } = parseParameters(proposeParameters, request.query);
      await admit(deps, request, reply, { raw: request.query });
      const properties = PROPERTIES.map(describeProperty).slice(0, limit);
      return { properties, type, ...(limit && { limit }) };
    },
  },
];

const suggestEndpoint = (root: string, { of, schema, example, suggest }: Suggestion): ReconcileEndpoint => ({
  methods: ["GET"],
  path: `${root}/suggest/${of.toLowerCase()}`,
  name: `Suggest${of}`,
  summary: `Suggestions for a typed prefix: ${of.toLowerCase()}`,
  parameters: suggestParameters,
  filledIn: ["prefix"],
  answers: { [`Suggested${of}`]: schema },
  example: () => ({ result: [example] }),
  async answer(deps, request, reply) {
    const parameters = parseParameters(suggestParameters, request.query);
    await admit(deps, request, reply, { raw: request.query });
    const reads = deps.replicas.reader(request.caller?.position);
    return { result: pageOf(await suggest(parameters, reads), parameters) };
  },
});

const HIGHEST_LIMIT = 100;

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
