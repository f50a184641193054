import { z } from "zod";

export type Json = Record<string, unknown>;

/** The parts of an OpenAPI document that are made from the schemas by which requests are checked. */
export const sentSchema = (schema: z.ZodType): Json => tidy(z.toJSONSchema(schema, { ...SCHEMA_OPTIONS, io: "input" }));

export const SCHEMA_OPTIONS = {
  unrepresentable: "any",
  // zod drops examples and defaults of transformed schemas; ours are given as input. Drops empty defaults.
  override({ zodSchema, jsonSchema }) {
    const { examples } = z.globalRegistry.get(zodSchema) ?? {};
    if (Array.isArray(examples)) jsonSchema.examples = examples;
    if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue as string | number;
    if (jsonSchema.default === "") delete jsonSchema.default;
  },
} satisfies z.core.ToJSONSchemaParams;

/** Removes keys that only JSON Schema needs, makes promised fields required, and marks ours in the description. */
export function tidy(node: Json): Json {
  const { $schema: _, $id: __, "x-promised": ___, "x-list": ____, ...rest } = node;
  const promised = Object.entries(rest.properties ?? {}).filter(([, field]) => field?.["x-promised"]);
  if (promised.length > 0) rest.required = [...((rest.required as string[]) ?? []), ...promised.map(([name]) => name)];
  // zod adds its own formats for what the pattern already says.
  if (typeof rest.format === "string" && !FORMATS.has(rest.format)) delete rest.format;
  // zod gives every integer the safe integer limits.
  const telling = Object.entries(rest).filter(
    ([, value]) => value !== Number.MAX_SAFE_INTEGER && value !== Number.MIN_SAFE_INTEGER,
  );
  const tidied = Object.fromEntries(telling.map(([key, value]) => [key, tidyValue(value)]));
  return tidied["x-ours"] === true ? { ...tidied, description: markOurs(tidied.description) } : tidied;
}

const FORMATS: ReadonlySet<string> = new Set(["date-time", "uri"]);

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyValue);
  return typeof value === "object" && value !== null ? tidy(value as Json) : value;
}

const OURS = "Ours, not part of the interface.";

export function markOurs(description: unknown): string {
  const text = typeof description === "string" ? description : "";
  return text.startsWith(OURS) ? text : `${OURS} ${text}`.trim();
}

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

export function jsonBody(schema: z.ZodType, example: Json): Json {
  return { required: true, content: { "application/json": { schema: sentSchema(schema), example } } };
}

export function sentFields(parameters: z.ZodObject, filledIn: readonly string[]) {
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
