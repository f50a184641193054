import { z } from "zod";

/** Most queries of one call, and most ids and properties of one extension. */
export const LARGEST_BATCH = 50;
const MOST_IDS = 500;
/** Most values of one query: each may be held against every candidate. */
const MOST_VALUES = 50;

/** A property's value as clients send it: a text, a number, an entity with its name, sometimes a point. */
const value = z.union([z.string(), z.number(), z.boolean(), z.looseObject({}), z.null()]);
export type Value = z.infer<typeof value>;
const values = z.union([value.transform((one) => [one]), z.array(value)], "a value must be a text, a number or a list");

/** Clients disagree on whether a limit is a number; how many fit is the service's affair. */
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

/** What a query asks for, the same for both versions. The name is the condition on the property "name". */
export interface AskedFor {
  conditions: Condition[];
  types: string[];
  limit?: number | null | undefined;
}

export interface Condition {
  property: string;
  values: Value[];
  /** Venues that do not meet it are left out; otherwise it moves the score. */
  required: boolean;
  quantifier: "any" | "all" | "none";
}

const hasFewValues = ({ conditions }: AskedFor): boolean =>
  conditions.reduce((sum, { values }) => sum + Math.max(1, values.length), 0) <= MOST_VALUES;
const TOO_MANY_VALUES = `a query may have ${MOST_VALUES} values at most`;

/** A query of version 0.2 ("Structure of a Reconciliation Query"). What it does not know is ignored. */
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
  .refine(hasFewValues, TOO_MANY_VALUES);

const optional = (property: string, values: Value[]): Condition => ({
  property,
  values,
  required: false,
  quantifier: "any",
});

/** A condition of version 1.0. Earlier drafts called its fields pid and v. */
const condition10 = z
  .object({
    matchType: z.enum(["name", "property"], "matchType must be name or property"),
    propertyId: z.string().optional(),
    propertyValue: values.optional(),
    pid: z.string().optional(),
    v: values.optional(),
    required: z.boolean().default(false),
    matchQuantifier: z.enum(["any", "all", "none"], "matchQuantifier must be any, all or none").default("any"),
  })
  .transform(({ matchType, propertyId, pid, propertyValue, v, required, matchQuantifier }, context): Condition => {
    const property = matchType === "name" ? "name" : (propertyId ?? pid);
    const given = propertyValue ?? v;
    if (property !== undefined && given !== undefined)
      return { property, values: given, required, quantifier: matchQuantifier };
    const message = given ? "a condition on a property needs propertyId" : "a condition needs propertyValue";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

/** A query of version 1.0-draft ("Structure of a Reconciliation Query"). */
export const query10 = z
  .object({
    conditions: z.array(condition10, "a query needs conditions").min(1, "a query needs a condition"),
    type: types,
    limit,
  })
  .transform(({ conditions, type, limit }): AskedFor => ({ conditions, types: type, limit }))
  .refine(hasFewValues, TOO_MANY_VALUES);

/** A data extension query, of both versions: the values of properties of entities. Settings there are none. */
export const extendQuery = z.object({
  ids: z.array(z.string(), "ids must be a list of venue ids").max(MOST_IDS, `ids may be ${MOST_IDS} at most`),
  properties: z
    .array(z.object({ id: z.string() }), "properties must be a list of {id}")
    .max(LARGEST_BATCH, `properties may be ${LARGEST_BATCH} at most`),
});
export type ExtendQuery = z.infer<typeof extendQuery>;
