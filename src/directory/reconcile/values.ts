import type { z } from "zod";
import { type LatLng, ll } from "../../contract/parameters.ts";
import type { Condition, Value } from "../../contract/reconcile/queries.ts";

/** Characters read of a value; no attribute of a venue has more. */
const LOOKED_AT = 2000;

/** Returns the name of an entity; undefined for values that are not text or numbers. */
export function textOf(value: Value): string | undefined {
  if (typeof value === "string") return trimmed(value);
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const name = value.name ?? value.id;
  return typeof name === "string" ? trimmed(name) : undefined;
}

export const idOf = (value: Value): string | undefined =>
  textOf(typeof value === "object" && value !== null ? { id: value.id } : value);

const trimmed = (text: string): string | undefined => text.slice(0, LOOKED_AT).trim() || undefined;

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

/** Other JSON values must not be converted to text: deeply nested lists, objects with their own toString. */
const numberIn = (value: unknown): string | number | undefined =>
  typeof value === "string" || typeof value === "number" ? value : undefined;

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
