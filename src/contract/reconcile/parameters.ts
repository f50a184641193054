import { z } from "zod";
import { LIMIT, OFFSET, wholeNumber } from "../parameters.ts";
import { BLUE_STATE, COFFEE_SHOP } from "../sample-ids.ts";

export const QUERIES_EXAMPLE = '{"q0": {"query": "Blue State Coffee"}}';
export const EXTEND_EXAMPLE = { ids: [BLUE_STATE], properties: [{ id: "zip" }] };

/** Parameters of the root of version 0.2. Without any, it returns the manifest. */
export const askedParameters = z.object({
  queries: z
    .string()
    .optional()
    .meta({
      description: `Queries in JSON, each under a name that you choose: \`${QUERIES_EXAMPLE}\`.`,
      examples: ['{"q0": {"query": "Blue State Coffee", "limit": 1}}'],
    }),
  extend: z
    .string()
    .optional()
    .meta({
      description: 'Ids and properties in JSON: `{"ids": ["…"], "properties": [{"id": "phone"}]}`.',
      examples: [JSON.stringify(EXTEND_EXAMPLE)],
    }),
  // Older clients send these.
  query: z
    .string()
    .optional()
    .meta({
      description: "A single query: a name, or a query in JSON.",
      examples: ["Blue State Coffee"],
    }),
  type: z
    .string()
    .optional()
    .meta({
      description: "Id of a category. Venues of other categories score lower.",
      examples: [COFFEE_SHOP],
    }),
  limit: z.string().optional().meta(LIMIT),
});

const page = z.object({
  limit: wholeNumber("limit", 1, 1_000_000_000).optional().meta(LIMIT),
  offset: wholeNumber("offset", 0, 1_000_000_000).optional().meta(OFFSET),
  cursor: wholeNumber("cursor", 0, 1_000_000_000)
    .optional()
    .meta({ description: "The name of `offset` in version 0.2." }),
});
export type Page = z.output<typeof page>;

export const suggestParameters = page.extend({
  prefix: z
    .string()
    .max(1000)
    .default("")
    .meta({ description: "The text typed so far.", examples: ["co"] }),
  type: z
    .string()
    .optional()
    .meta({
      description: "Id of a category. Only venues in this category or its subcategories are suggested.",
      examples: [COFFEE_SHOP],
    }),
});
export const proposeParameters = z.object({
  type: z
    .string()
    .default("")
    .meta({
      description: "Id of a category, returned unchanged. All categories have the same properties.",
      examples: [COFFEE_SHOP],
    }),
  limit: page.shape.limit,
});
