import { z } from "zod";
import { ours } from "../ours.ts";

// After the JSON schemas of the W3C community group for 0.2 and 1.0-draft, but stricter: only what we send is allowed.

const named = { id: z.string().min(1), name: z.string().min(1) };
const described = { ...named, description: z.string().optional() };

/** A type is a category of the directory, or the common type of all venues. */
const broader = z.strictObject(named);
const type = z.strictObject({ ...described, broader: z.array(broader).optional() });
const entityType = z.strictObject(named);

const score = z.number().min(0).max(100);
const candidate = {
  ...described,
  score,
  /** Whether the score suffices to accept it without review. */
  match: z.boolean(),
  type: z.array(entityType),
};
const weight = { id: z.string().min(1), value: z.union([z.number(), z.boolean()]) };

/** Ours: why a query was not understood. Such a query has no candidates. */
const error = ours(z.string().optional());

const candidate02 = z.strictObject({ ...candidate, features: z.array(z.strictObject(weight)) });
export const result02 = z.strictObject({ result: z.array(candidate02), error });
export const resultBatch02 = z.record(z.string(), result02);

const candidate10 = z.strictObject({
  ...candidate,
  features: z.array(z.strictObject({ ...weight, name: z.string().min(1) })),
});
const result10 = z.strictObject({ candidates: z.array(candidate10), error });
export const resultBatch10 = z.strictObject({ results: z.array(result10) });

const address = z.string().regex(/^https?:\/\//);
const service = z.strictObject({ service_url: address, service_path: z.string().startsWith("/") });
const size = { width: z.number().int(), height: z.number().int() };
const common = {
  name: z.string(),
  documentation: address.optional(),
  logo: address,
  defaultTypes: z.array(type).min(1),
  batchSize: z.number().int().positive(),
};

export const manifest02 = z.strictObject({
  versions: z.array(z.string()).refine((versions) => versions.includes("0.2")),
  ...common,
  identifierSpace: address,
  schemaSpace: address,
  view: z.strictObject({ url: address.includes("{{id}}") }),
  preview: z.strictObject({ url: address.includes("{{id}}"), ...size }),
  suggest: z.strictObject({ entity: service, property: service, type: service }),
  extend: z.strictObject({ propose_properties: service, property_settings: z.array(z.never()) }),
});

export const manifest10 = z.strictObject({
  versions: z.array(z.string()).refine((versions) => versions.includes("1.0-draft")),
  ...common,
  lang: z.string(),
  standardizedScore: z.literal(true),
  view: z.strictObject({ url: address.includes("{{id}}") }),
  preview: z.strictObject(size),
  suggest: z.strictObject({ entity: z.literal(true), property: z.literal(true), type: z.literal(true) }),
  extend: z.strictObject({ proposeProperties: z.literal(true), propertySettings: z.array(z.never()) }),
});

export const suggestedEntities = z.strictObject({
  result: z.array(z.strictObject({ ...described, notable: z.array(entityType) })),
});
export const suggestedProperties = z.strictObject({ result: z.array(z.strictObject(described)) });
export const suggestedTypes = z.strictObject({ result: z.array(type) });

export const proposedProperties = z.strictObject({
  properties: z.array(z.strictObject(described)),
  type: z.string(),
  limit: z.number().optional(),
});

const meta = z.array(z.strictObject(named));
const cell = z.union([
  z.strictObject({ str: z.string() }),
  z.strictObject({ float: z.number() }),
  z.strictObject({ int: z.number().int() }),
  z.strictObject({ date: z.iso.datetime() }),
]);
export type Cell = z.infer<typeof cell>;

export const extended02 = z.strictObject({
  meta,
  rows: z.record(z.string(), z.record(z.string(), z.array(cell))),
});
export const extended10 = z.strictObject({
  meta,
  rows: z.array(
    z.strictObject({
      id: z.string(),
      properties: z.array(z.strictObject({ id: z.string(), values: z.array(cell) })),
    }),
  ),
});
