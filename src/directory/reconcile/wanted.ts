import type { z } from "zod";
import { type LatLng, ll, soughtAttributes } from "../../contract/parameters.ts";
import type { AskedFor, Condition, Value } from "../../contract/reconcile.ts";
import { soughtText } from "../../contract/text.ts";
import type { IncompleteListing } from "../../matching/match-incomplete.ts";
import { categoriesOfTypes, findProperty } from "./properties.ts";

export interface Wanted {
  ids: string[];
  listing: IncompleteListing;
  place: { city?: string; state?: string; zip?: string; country?: string };
  /** Venues of other categories get lower scores; undefined for any. */
  categories: Set<string> | undefined;
  required: Condition[];
  limit: number;
}

const USUAL_LIMIT = 5;
const HIGHEST_LIMIT = 50;

export function wantedOf({ types, limit, ...asked }: AskedFor): Wanted | { error: string } {
  const conditions = asked.conditions.map((each) => ({ ...each, property: findProperty(each.property)?.id ?? "" }));
  const [name] = valuesOf(conditions, "name").map(textOf).filter(Boolean);
  const checked = soughtText("name", 200).optional().safeParse(name);
  if (!checked.success) return { error: `${checked.error.issues[0]?.message}.` };
  const required = conditions.filter((condition) => condition.required);
  if (required.some(({ property }) => property === ""))
    return { error: "A required condition has an unknown property. See suggest/property." };
  return {
    ids: valuesOf(conditions, "id").flatMap((value) => idOf(value) ?? []),
    listing: { name: checked.data, ...pointIn(conditions), ...cluesIn(conditions) },
    place: placeIn(conditions),
    categories: categoriesOfTypes(types),
    required,
    limit: Math.min(limit ?? USUAL_LIMIT, HIGHEST_LIMIT),
  };
}

function pointIn(conditions: readonly Condition[]): Partial<LatLng> {
  const [both] = valuesOf(conditions, "ll").map(pointOf).filter(Boolean);
  if (both) return both;
  const [lat] = valuesOf(conditions, "lat").map(textOf);
  const [lng] = valuesOf(conditions, "lng").map(textOf);
  return lat && lng ? (pointOf(`${lat},${lng}`) ?? {}) : {};
}

/** Drops unusable values, which only improve the ranking. */
const cluesIn = (conditions: readonly Condition[]) => ({
  address: firstUsable(conditions, "address", soughtAttributes.address),
  zip: firstUsable(conditions, "zip", soughtAttributes.zip),
  phone: phonesIn(conditions),
  twitter: firstUsable(conditions, "twitter", soughtAttributes.twitter),
});

/** Several values are several numbers. */
const phonesIn = (conditions: readonly Condition[]): string | undefined =>
  valuesOf(conditions, "phone")
    .flatMap((value) => soughtAttributes.phone.safeParse(textOf(value)).data ?? [])
    .join("; ") || undefined;

function placeIn(conditions: readonly Condition[]): Wanted["place"] {
  const given = {
    city: firstUsable(conditions, "city", soughtAttributes.city),
    state: firstUsable(conditions, "state", soughtAttributes.state),
    zip: firstUsable(conditions, "zip", soughtAttributes.zip),
    country: firstUsable(conditions, "country", soughtAttributes.state),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}

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

function firstUsable<S extends z.ZodType>(
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

const valuesOf = (conditions: readonly Condition[], property: string): Value[] =>
  conditions.filter((each) => each.property === property && each.quantifier !== "none").flatMap(({ values }) => values);
