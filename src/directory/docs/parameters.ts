import { z } from "zod";
import { type Json, markOurs, tidy } from "./schemas.ts";

/** Parameters by name, each with the schema of what is sent and what it means. */
interface Described {
  properties: Record<string, Json>;
  required: string[];
}

/** What is said of parameters, by their names. */
interface Words {
  /** What each means; a description of the schema's own goes before. */
  meanings: Record<string, string>;
  examples?: Record<string, string | number>;
  /** Those of the optional ones whose example the page fills in; it always does with required ones. */
  filledIn?: readonly string[];
}

/** The parameters of a schema, as they are sent. */
export function describedParameters(schema: z.ZodObject, words: Words): Described {
  const { meanings, examples = {}, filledIn = [] } = words;
  const { properties = {}, required = [] } = tidy(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const described = Object.entries(properties).map(([name, { default: _, ...each }]): [string, Json] => {
    const field = schema.shape[name];
    const description = field?.description ?? meanings[name];
    const marked = each["x-ours"] === true ? markOurs(description) : description;
    const isFilledIn = required.includes(name) || filledIn.includes(name);
    const said = { ...each, ...defaultOf(field), description: marked };
    return [name, name in examples ? withExample(said, examples[name], isFilledIn) : said];
  });
  return { properties: Object.fromEntries(described), required };
}

/** The page shows no `examples`, so that the description has to name them. */
function withExample(field: Json, example: unknown, isFilledIn: boolean): Json {
  if (isFilledIn) return { ...field, example };
  return { ...field, description: `${field.description} Example: \`${example}\`.`, examples: [example] };
}

/** zod leaves it out where what is sent is transformed. */
function defaultOf(field: unknown): Json {
  const value = field instanceof z.ZodDefault ? field.def.defaultValue : undefined;
  return value === undefined || value === "" ? {} : { default: value };
}

/** In the query string. */
export function queryParameters({ properties, required }: Described): Json[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description,
    schema,
  }));
}

/** In a urlencoded body. */
export function formBody({ properties, required }: Described): Json {
  const schema = { type: "object", properties, required };
  return { content: { "application/x-www-form-urlencoded": { schema } } };
}

/** A body in JSON. */
export function jsonBody(schema: z.ZodType, example: Json): Json {
  const sent = tidy(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return { required: true, content: { "application/json": { schema: sent, example } } };
}
