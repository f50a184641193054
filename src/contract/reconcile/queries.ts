import { z } from "zod";

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
