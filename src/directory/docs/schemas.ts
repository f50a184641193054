import { z } from "zod";
import { envelope } from "../../contract/envelope.ts";
import { category, checkin, location, venue, venueCategory } from "../../contract/resources.ts";

/** A JSON Schema, and any other piece of the document. */
export type Json = Record<string, unknown>;

/** What several answers hold, under the names that the document gives them. */
const SHARED = {
  Meta: envelope.shape.meta,
  Notification: envelope.shape.notifications.unwrap().element,
  Envelope: envelope,
  Venue: venue,
  Location: location,
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
      const { schemas } = z.toJSONSchema(registry, { uri: (id) => REFERENCE + id, unrepresentable: "any" });
      return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema as Json)]));
    },
  };
}

/** Without what only stands there for JSON Schema alone; what is ours says so in words, too. */
export function tidy(node: Json): Json {
  const { $schema: _, $id: __, ...rest } = node;
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
