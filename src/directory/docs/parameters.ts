import type { z } from "zod";
import { type Json, sentSchema } from "./schemas.ts";

/** Commands and forms fill in the examples of required parameters, and of those in `filledIn`. */
export function sentIn(
  where: "query" | "path" | "header",
  schema: z.ZodObject,
  filledIn: readonly string[] = [],
): Json[] {
  const { properties, required } = sentFields(schema, filledIn);
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: where,
    required: required.includes(name),
    description,
    schema: field,
  }));
}

export function formBody(parameters: z.ZodObject, filledIn: readonly string[] = []): Json {
  const schema = { type: "object", ...sentFields(parameters, filledIn) };
  return { content: { "application/x-www-form-urlencoded": { schema } } };
}

export function jsonBody(schema: z.ZodType, example: Json): Json {
  return { required: true, content: { "application/json": { schema: sentSchema(schema), example } } };
}

function sentFields(parameters: z.ZodObject, filledIn: readonly string[]) {
  const { properties = {}, required = [] } = sentSchema(parameters) as Fields;
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    withExample(field, required.includes(name) || filledIn.includes(name)),
  ]);
  return { properties: Object.fromEntries(fields) as Record<string, Json>, required };
}

interface Fields {
  properties?: Record<string, Json>;
  required?: string[];
}

/** A command and a form fill in `example`; `examples` are only shown. */
function withExample(field: Json, isFilledIn: boolean): Json {
  const { examples, ...rest } = field;
  return isFilledIn && Array.isArray(examples) ? { ...rest, example: examples[0] } : field;
}
