import { z } from "zod";
import { checkin } from "../../contract/checkins.ts";
import { envelope } from "../../contract/envelope.ts";
import { category, venue, venueCategory } from "../../contract/resources.ts";
import { type Json, SCHEMA_OPTIONS, sentFields, tidy } from "../../http/json-schema.ts";

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

export interface Naming {
  refer(name: string, schema: z.ZodType): Json;
  /** Returns `components.schemas`. Call it last. */
  schemas(): Record<string, Json>;
}

const REFERENCE = "#/components/schemas/";

export function createSchemaNames(): Naming {
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
      const { schemas } = z.toJSONSchema(registry, { ...SCHEMA_OPTIONS, uri: (id) => REFERENCE + id });
      return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema as Json)]));
    },
  };
}

/** The ways to send credentials; of a user's endpoint, those with a token. */
export const credentials = (needsUser: boolean): Record<string, never[]>[] => [
  ...(needsUser ? [] : [{ client_id: [], client_secret: [] }]),
  { oauth_token: [] },
  { bearer: [] },
];

export function formBody(parameters: z.ZodObject, filledIn: readonly string[] = []): Json {
  const schema = { type: "object", ...sentFields(parameters, filledIn) };
  return { content: { "application/x-www-form-urlencoded": { schema } } };
}
