import { z } from "zod";
import { ours } from "./ours.ts";
import { LIMIT, OFFSET, wholeNumber } from "./parameters.ts";
import { BLUE_STATE, COFFEE_SHOP } from "./sample-ids.ts";

// After the JSON schemas of the W3C community group for 0.2 and 1.0-draft, but stricter: only what we send is allowed.

const named = { id: z.string().min(1), name: z.string().min(1) };
const described = { ...named, description: z.string().optional() };

/** A type is a category of the directory, or the common type of all venues. */
const broader = z.strictObject(named);
const type = z.strictObject({ ...described, broader: z.array(broader).optional() });
const entityType = z.strictObject(named);

const score = z.number().min(0).max(100);
const candidate = {
  ...described,
  score,
  /** Whether the score suffices to accept it without review. */
  match: z.boolean(),
  type: z.array(entityType),
};
const weight = { id: z.string().min(1), value: z.union([z.number(), z.boolean()]) };

/** Ours: why a query was not understood. Such a query has no candidates. */
const error = ours(z.string().optional());

const candidate02 = z.strictObject({ ...candidate, features: z.array(z.strictObject(weight)) });
export const result02 = z.strictObject({ result: z.array(candidate02), error });
export const resultBatch02 = z.record(z.string(), result02);

const candidate10 = z.strictObject({
  ...candidate,
  features: z.array(z.strictObject({ ...weight, name: z.string().min(1) })),
});
const result10 = z.strictObject({ candidates: z.array(candidate10), error });
export const resultBatch10 = z.strictObject({ results: z.array(result10) });

const address = z.string().regex(/^https?:\/\//);
const service = z.strictObject({ service_url: address, service_path: z.string().startsWith("/") });
const size = { width: z.number().int(), height: z.number().int() };
const common = {
  name: z.string(),
  documentation: address.optional(),
  logo: address,
  defaultTypes: z.array(type).min(1),
  batchSize: z.number().int().positive(),
};

export const manifest02 = z.strictObject({
  versions: z.array(z.string()).refine((versions) => versions.includes("0.2")),
  ...common,
  identifierSpace: address,
  schemaSpace: address,
  view: z.strictObject({ url: address.includes("{{id}}") }),
  preview: z.strictObject({ url: address.includes("{{id}}"), ...size }),
  suggest: z.strictObject({ entity: service, property: service, type: service }),
  extend: z.strictObject({ propose_properties: service, property_settings: z.array(z.never()) }),
});

export const manifest10 = z.strictObject({
  versions: z.array(z.string()).refine((versions) => versions.includes("1.0-draft")),
  ...common,
  lang: z.string(),
  standardizedScore: z.literal(true),
  view: z.strictObject({ url: address.includes("{{id}}") }),
  preview: z.strictObject(size),
  suggest: z.strictObject({ entity: z.literal(true), property: z.literal(true), type: z.literal(true) }),
  extend: z.strictObject({ proposeProperties: z.literal(true), propertySettings: z.array(z.never()) }),
});

export const suggestedEntities = z.strictObject({
  result: z.array(z.strictObject({ ...described, notable: z.array(entityType) })),
});
export const suggestedProperties = z.strictObject({ result: z.array(z.strictObject(described)) });
export const suggestedTypes = z.strictObject({ result: z.array(type) });

export const proposedProperties = z.strictObject({
  properties: z.array(z.strictObject(described)),
  type: z.string(),
  limit: z.number().optional(),
});

const meta = z.array(z.strictObject(named));
const cell = z.union([
  z.strictObject({ str: z.string() }),
  z.strictObject({ float: z.number() }),
  z.strictObject({ int: z.number().int() }),
  z.strictObject({ date: z.iso.datetime() }),
]);
export type Cell = z.infer<typeof cell>;

export const extended02 = z.strictObject({
  meta,
  rows: z.record(z.string(), z.record(z.string(), z.array(cell))),
});
export const extended10 = z.strictObject({
  meta,
  rows: z.array(
    z.strictObject({
      id: z.string(),
      properties: z.array(z.strictObject({ id: z.string(), values: z.array(cell) })),
    }),
  ),
});

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

/** Maximum of queries per call, and of ids and properties per extension. */
export const LARGEST_BATCH = 50;
const MOST_IDS = 500;
/** Maximum of values per query; each may be compared with every candidate. */
const MOST_VALUES = 50;

/** A property's value as clients send it: text, number, entity with its name, or sometimes a point. */
const value = z.union([z.string(), z.number(), z.boolean(), z.looseObject({}), z.null()]);
export type Value = z.infer<typeof value>;
const values = z.union([value.transform((one) => [one]), z.array(value)], "a value must be a text, a number or a list");

/** Some clients send the limit as text. */
const limit = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^[0-9]{1,9}$/)
        .transform(Number),
    ],
    "limit must be a whole number from 1",
  )
  .refine((number) => Number.isInteger(number) && number > 0, "limit must be a whole number from 1")
  .nullish();

const typeId = z.union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)]);
const types = z
  .union([typeId.transform((id) => [id]), z.array(typeId)], "type must be a category's id or a list of them")
  .nullish()
  .transform((ids) => (ids ?? []).filter((id) => id !== ""));

/** A query of either version. A name is a condition on the property "name", an id one on "id". */
export interface AskedFor {
  conditions: Condition[];
  types: string[];
  limit?: number | null | undefined;
}

export interface Condition {
  property: string;
  values: Value[];
  /** Excludes venues that do not meet it; otherwise it only affects the score. */
  required: boolean;
  quantifier: "any" | "all" | "none";
}

const hasFewValues = ({ conditions }: AskedFor): boolean =>
  conditions.reduce((sum, { values }) => sum + Math.max(1, values.length), 0) <= MOST_VALUES;

/** A query of version 0.2 ("Structure of a Reconciliation Query"). Unknown fields are ignored. */
export const query02 = z
  .object({
    query: z.string("query must be a text").nullish(),
    type: types,
    limit,
    properties: z
      .array(z.object({ pid: z.string(), v: values }), "properties must be a list of {pid, v}")
      .nullish()
      .transform((list) => list ?? []),
  })
  .refine(({ query, properties }) => query || properties.length > 0, "a query needs query or properties")
  .transform(
    ({ query, type, limit, properties }): AskedFor => ({
      conditions: [...(query ? [optional("name", [query])] : []), ...properties.map(({ pid, v }) => optional(pid, v))],
      types: type,
      limit,
    }),
  )
  .refine(hasFewValues, `a query may have at most ${MOST_VALUES} values`);

const optional = (property: string, values: Value[]): Condition => ({
  property,
  values,
  required: false,
  quantifier: "any",
});

// Version 1.0-draft, as strict as reconciliation-query-batch.json. Messages follow a path such as "queries[0].conditions[2].lang".
const entity = z.looseObject({ id: z.string(), name: z.string().optional() });
const value10 = z.union([z.string(), z.number(), z.boolean(), entity]);
const values10 = z.union(
  [value10.transform((one) => [one]), z.array(value10)],
  "must be a text, a number, true, false, an object with an id, or a list of these",
);
const language = {
  lang: z.string("must be a text").optional(),
  dir: z.enum(["ltr", "rtl", "auto"], "must be ltr, rtl or auto").optional(),
};

const condition10 = z
  .looseObject(
    {
      matchType: z.enum(["name", "id", "property"], "must be name, id or property"),
      propertyId: z.string("must be a text").optional(),
      propertyValue: values10,
      required: z.boolean("must be true or false").default(false),
      matchQuantifier: z.enum(["any", "all", "none"], "must be any, all or none").default("any"),
      matchQualifier: z.string("must be a text").optional(),
    },
    "must be an object",
  )
  .refine(({ matchType, propertyId }) => matchType !== "property" || propertyId !== undefined, {
    path: ["propertyId"],
    message: "must be the id of a property: see suggest/property",
  })
  .transform(
    ({ matchType, propertyId = "", propertyValue, required, matchQuantifier }): Condition => ({
      property: matchType === "property" ? propertyId : matchType,
      values: propertyValue,
      required,
      quantifier: matchQuantifier,
    }),
  );

export const query10 = z
  .strictObject(
    {
      conditions: z.array(condition10, "must be a list of conditions").min(1, "must have a condition"),
      type: z.string("must be the id of one type").optional(),
      limit: z.int("must be a whole number from 1").min(1, "must be a whole number from 1").optional(),
      ...language,
    },
    "must be an object with conditions and, optionally, type, limit, lang and dir",
  )
  .transform(({ conditions, type, limit }): AskedFor => ({ conditions, types: [type ?? ""].filter(Boolean), limit }))
  .refine(hasFewValues, `may have at most ${MOST_VALUES} values`);

/** A data extension query of either version. Property settings are ignored. */
export const extendQuery = z.object({
  ids: z.array(z.string(), "ids must be a list of venue ids").max(MOST_IDS, `ids may contain at most ${MOST_IDS} ids`),
  properties: z
    .array(z.object({ id: z.string() }), "properties must be a list of {id}")
    .max(LARGEST_BATCH, `properties may contain at most ${LARGEST_BATCH} properties`),
});
export type ExtendQuery = z.infer<typeof extendQuery>;
