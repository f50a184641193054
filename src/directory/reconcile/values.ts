import type { z } from "zod";
import { type LatLng, ll } from "../../contract/parameters.ts";
import type { Condition, Value } from "../../contract/reconcile-queries.ts";

/** Characters of a value that are looked at: no attribute of a venue has more. Values may be as long as the body. */
const LOOKED_AT = 2000;

/** A value as text: a number in decimal digits, an entity by its name. Undefined for what is none. */
export function textOf(value: Value): string | undefined {
  if (typeof value === "string") return trimmed(value);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const name = value.name ?? value.id;
  return typeof name === "string" ? trimmed(name) : undefined;
}

/** A value as an id: an entity's own. */
export const idOf = (value: Value): string | undefined =>
  textOf(typeof value === "object" && value !== null ? { id: value.id } : value);

const trimmed = (text: string): string | undefined => text.slice(0, LOOKED_AT).trim() || undefined;

/** A value as a point: "latitude,longitude", or an object with both. */
export function pointOf(value: Value): LatLng | undefined {
  const pair = typeof value === "object" && value !== null ? pairOf(value) : textOf(value);
  const parts = pair?.split(",").map((part) => part.trim());
  return ll.safeParse(parts?.join(",")).data;
}

function pairOf(value: Record<string, unknown>): string | undefined {
  const lat = numberIn(value.lat ?? value.latitude);
  const lng = numberIn(value.lng ?? value.lon ?? value.longitude);
  return lat === undefined || lng === undefined ? textOf(value) : `${lat},${lng}`;
}

/** Whatever else JSON can hold may not be made a text of: a list in a thousand lists, an object with a toString of its own. */
const numberIn = (value: unknown): string | number | undefined =>
  typeof value === "string" || typeof value === "number" ? value : undefined;

/** The first value of a property that `schema` accepts; one that a condition excludes is none. */
export function firstUsable<S extends z.ZodType>(
  conditions: readonly Condition[],
  property: string,
  schema: S,
): z.output<S> | undefined {
  for (const value of valuesOf(conditions, property)) {
    const parsed = schema.safeParse(textOf(value));
    if (parsed.success && parsed.data !== undefined) return parsed.data;
  }
  return undefined;
}

export const valuesOf = (conditions: readonly Condition[], property: string): Value[] =>
  conditions.filter((each) => each.property === property && each.quantifier !== "none").flatMap(({ values }) => values);
