import type { z } from "zod";
import { type Json, sentSchema } from "./schemas.ts";

/** The page fills in the examples of required parameters, and of those in `filledIn`. */
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

/** The page fills in `example` but does not show `examples`, so the description names them. */
function withExample(field: Json, isFilledIn: boolean): Json {
  const { examples, ...rest } = field;
  if (!Array.isArray(examples)) return field;
  const [example] = examples;
  if (isFilledIn) return { ...rest, example };
  const description = [field.description, `Example: \`${example}\`.`].filter(Boolean).join(" ");
  return { ...field, description };
}
