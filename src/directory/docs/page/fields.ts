import { words } from "./prose.ts";

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | false;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  "x-ours"?: boolean;
}

/** A row: a parameter, or a field of a body or an answer. */
export interface Field {
  /** With the names of what it is in: `location.lat`, `categories[].id`, `rows.*.id`. */
  name: string;
  type: string;
  /** The resource that it contains. */
  resource: string | undefined;
  /** Where a request has it, if not in its query or form. */
  place: "path" | "header" | undefined;
  required: boolean;
  isOurs: boolean;
  /** In HTML. */
  description: string;
  choices: string[];
  preset: string | undefined;
  example: string | undefined;
  isFilledIn: boolean;
}

/** Lists the fields of an object, and those of the objects in it. A reference is one row, which names the resource. */
export function fieldsOf({ properties = {}, required = [] }: Schema, inside = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    fieldOf(inside + name, schema, required.includes(name)),
    ...within(inside + name, schema),
  ]);
}

function within(name: string, { items, additionalProperties, ...schema }: Schema): Field[] {
  if (items) return within(`${name}[]`, items);
  if (additionalProperties && !schema.properties) return within(`${name}.*`, additionalProperties);
  return fieldsOf(schema, `${name}.`);
}

export function fieldOf(name: string, schema: Schema, required: boolean, place?: "path" | "header"): Field {
  const [example] = schema.examples ?? [];
  return {
    ...{ name, required, place },
    type: [typeOf(schema), ...limitsOf(schema)].join(", "),
    resource: resourceIn(schema),
    isOurs: schema["x-ours"] === true,
    description: words(schema.description?.replace(/^Ours, not part of the interface\. ?/, "") ?? ""),
    choices: (schema.enum ?? []).map(String),
    preset: schema.default === undefined ? undefined : String(schema.default),
    example: schema.example === undefined && example === undefined ? undefined : String(schema.example ?? example),
    isFilledIn: schema.example !== undefined || (required && schema.default !== undefined),
  };
}

export const resourceOf = (ref: string): string => ref.split("/").at(-1) ?? "";

function resourceIn({ $ref, items, additionalProperties }: Schema): string | undefined {
  if ($ref) return resourceOf($ref);
  const inner = items ?? (additionalProperties || undefined);
  return inner && resourceIn(inner);
}

function typeOf({ $ref, type, items, anyOf, oneOf, additionalProperties, properties, ...schema }: Schema): string {
  if ($ref) return resourceOf($ref);
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (items) return isAnything(items) ? "array" : `array of ${typeOf(items)}`;
  if (type === "object" && !properties && additionalProperties && !isAnything(additionalProperties))
    return `object of ${typeOf(additionalProperties)}`;
  return [type ?? "anything"].flat().join(" or ");
}

const isAnything = (schema: object): boolean => Object.keys(schema).length === 0 || "not" in schema;

function limitsOf({ minimum, maximum, maxLength, format }: Schema): string[] {
  const range =
    minimum === undefined
      ? maximum !== undefined && `at most ${maximum}`
      : maximum === undefined
        ? `at least ${minimum}`
        : `${minimum} to ${maximum}`;
  return [format, range, maxLength !== undefined && `at most ${maxLength} characters`].filter(
    (each) => !!each,
  ) as string[];
}
