import { z } from "zod";
import { checkin } from "../../contract/checkins.ts";
import { envelope } from "../../contract/envelope.ts";
import { category, venue, venueCategory } from "../../contract/resources.ts";

/** A JSON Schema, and any other piece of the document. */
export type Json = Record<string, unknown>;

/** What several answers hold, under the names that the document gives them. */
const SHARED = {
  Meta: envelope.shape.meta,
  SuccessMeta: envelope.shape.meta
    .pick({ code: true, requestId: true })
    .extend({ code: z.literal(200).meta({ type: "integer" }) }),
  Notification: envelope.shape.notifications.unwrap().element,
  Envelope: envelope,
  Venue: venue,
  Category: category,
  VenueCategory: venueCategory,
  Checkin: checkin,
};

/** Gives schemas of answers the names they are referred to by. */
export interface Naming {
  /** A reference to the schema, which stands among the document's components under `name`. */
  refer(name: string, schema: z.ZodType): Json;
  /** `components.schemas`, once all have been named. */
  schemas(): Record<string, Json>;
}

const REFERENCE = "#/components/schemas/";

export function createNaming(): Naming {
  const names = new Map<string, z.ZodType>(Object.entries(SHARED));
  return {
    refer(name, schema) {
      const known = [...names].find(([, each]) => each === schema)?.[0] ?? name;
      names.set(known, schema);
      return { $ref: REFERENCE + known };
    },
    schemas() {
      const registry = z.registry<{ id: string }>();
      for (const [id, schema] of names) registry.add(schema, { id });
      const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, uri: (id) => REFERENCE + id });
      return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema as Json)]));
    },
  };
}

/** The schema of what is sent: before anything is transformed. */
export const sentSchema = (schema: z.ZodType): Json => tidy(z.toJSONSchema(schema, { ...OPTIONS, io: "input" }));

const OPTIONS = {
  unrepresentable: "any",
  // zod leaves out the examples and the default of what it transforms; ours are as they are sent. An empty default is none.
  override({ zodSchema, jsonSchema }) {
    const { examples } = z.globalRegistry.get(zodSchema) ?? {};
    if (Array.isArray(examples)) jsonSchema.examples = examples;
    if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue as string | number;
    if (jsonSchema.default === "") delete jsonSchema.default;
  },
} satisfies z.core.ToJSONSchemaParams;

/** Without what stands there for JSON Schema alone. What is promised is required; what is ours says so in words, too. */
function tidy(node: Json): Json {
  const { $schema: _, $id: __, "x-promised": ___, ...rest } = node;
  const promised = Object.entries(rest.properties ?? {}).filter(([, field]) => field?.["x-promised"]);
  if (promised.length > 0) rest.required = [...((rest.required as string[]) ?? []), ...promised.map(([name]) => name)];
  // zod has names of its own for what the pattern beside them says.
  if (typeof rest.format === "string" && !FORMATS.has(rest.format)) delete rest.format;
  // Of every whole number zod says that it is a safe one.
  const telling = Object.entries(rest).filter(
    ([, value]) => value !== Number.MAX_SAFE_INTEGER && value !== Number.MIN_SAFE_INTEGER,
  );
  const tidied = Object.fromEntries(telling.map(([key, value]) => [key, tidyValue(value)]));
  return tidied["x-ours"] === true ? { ...tidied, description: markOurs(tidied.description) } : tidied;
}

/** Those of JSON Schema and of OpenAPI's registry that we use. */
const FORMATS: ReadonlySet<string> = new Set(["date-time", "uri"]);

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyValue);
  return typeof value === "object" && value !== null ? tidy(value as Json) : value;
}

const OURS = "Ours, not the interface's: a client need not know it.";

/** The description of something that is ours. */
export function markOurs(description: unknown): string {
  const text = typeof description === "string" ? description : "";
  return text.startsWith(OURS) ? text : `${OURS} ${text}`.trim();
}
