import { z } from "zod";
import { type Json, markOurs, tidy } from "./schemas.ts";

/** Parameters by name, each with the schema of what is sent and what it means. */
interface Described {
  properties: Record<string, Json>;
  required: string[];
}

/**
 * The parameters of a schema, as they are sent.
 *
 * @param words what each means; a description of the schema's own goes before
 */
export function describedParameters(schema: z.ZodObject, words: Record<string, string>): Described {
  const { properties = {}, required = [] } = tidy(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const described = Object.entries(properties as Record<string, Json>).map(([name, each]): [string, Json] => {
    const description = schema.shape[name]?.description ?? words[name];
    return [name, { ...each, description: each["x-ours"] === true ? markOurs(description) : description }];
  });
  return { properties: Object.fromEntries(described), required: required as string[] };
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
export function jsonBody(schema: z.ZodType): Json {
  const sent = tidy(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  return { required: true, content: { "application/json": { schema: sent } } };
}
